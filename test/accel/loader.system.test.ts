import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { accel } from '@memory/accel'
import { afterAll, describe, expect, it } from 'vitest'

const crate = fileURLToPath(new URL('../../crates/accel/', import.meta.url))
const empty = mkdtempSync(join(tmpdir(), 'accel-'))
for (const file of ['index.js', 'binding.cjs', 'build.mjs'])
  copyFileSync(join(crate, file), join(empty, file))
writeFileSync(join(empty, 'package.json'), '{"type":"module"}')
afterAll(() => rmSync(empty, { recursive: true }))

function run(args: string[], cwd: string, env: NodeJS.ProcessEnv) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd,
    env: { ...process.env, ACCEL: '', ...env },
    encoding: 'utf8',
  })
  return { status, stdout: stdout.trim(), stderr }
}

const load = [
  '--input-type=module',
  '-e',
  `import('./index.js').then(({ accel }) => console.log(accel === null ? undefined : 'native'))`,
]

describe('loading the addon', () => {
  it.skipIf(accel === null)('gives the native kernels where they are built', () => {
    expect(run(load, crate, {}).stdout).toBe('native')
    expect(run(load, crate, { ACCEL: 'native' }).stdout).toBe('native')
  })

  it('gives nothing with ACCEL=js, or where it was not built', () => {
    expect(run(load, crate, { ACCEL: 'js' }).stdout).toBe('undefined')
    expect(run(load, empty, {}).stdout).toBe('undefined')
  })

  it('fails with ACCEL=native where it was not built', () => {
    const { status, stderr } = run(load, empty, { ACCEL: 'native' })
    expect(status).not.toBe(0)
    expect(stderr).toContain('ACCEL=native, but the addon cannot be loaded')
  })
})

describe('building the addon', () => {
  const withoutCargo = { PATH: empty }

  it('is skipped with ACCEL_SKIP_BUILD=1', () => {
    const { status, stdout } = run(['build.mjs'], empty, { ACCEL_SKIP_BUILD: '1' })
    expect([status, stdout]).toEqual([0, 'accel: build skipped'])
  })

  it('leaves the JavaScript kernels where there is no Rust toolchain', () => {
    const { status, stdout } = run(['build.mjs'], empty, withoutCargo)
    expect([status, stdout]).toEqual([0, 'accel: no Rust toolchain found, using the JavaScript kernels'])
  })

  it('fails without a toolchain only with ACCEL_REQUIRE=1', () => {
    expect(run(['build.mjs'], empty, { ...withoutCargo, ACCEL_REQUIRE: '1' }).status).toBe(1)
  })
})
