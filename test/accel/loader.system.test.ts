import { spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { accel } from '@memory/accel'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'

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

// The stand-in for cargo is a script for sh; a library is named so on Linux alone.
describe.skipIf(process.platform !== 'linux')('an addon that was built here before', () => {
  const clone = join(empty, 'clone')
  const addon = addonHere()
  const tools = join(clone, 'tools')
  const build = (path: string) =>
    run(['build.mjs'], clone, { PATH: path, ACCEL_PANICS: '', ACCEL_REQUIRE: '' }).stdout
  const noRust = 'accel: no Rust toolchain found, '

  /** The name by which the loader finds the addon of this machine. */
  function addonHere(): string {
    const { header } = process.report.getReport() as unknown as { header: { glibcVersionRuntime?: string } }
    const abi = header.glibcVersionRuntime === undefined ? 'musl' : 'gnu'
    return join(clone, `accel.linux-${process.arch}-${abi}.node`)
  }

  beforeEach(() => {
    for (const name of ['.cargo', 'src/inner', 'tools']) mkdirSync(join(clone, name), { recursive: true })
    for (const file of ['index.js', 'binding.cjs', 'build.mjs', 'package.json'])
      copyFileSync(join(empty, file), join(clone, file))
    for (const name of ['.cargo/config.toml', 'build.rs', 'src/inner/lib.rs'])
      writeFileSync(join(clone, name), name)
    for (const name of ['Cargo.toml', 'Cargo.lock']) copyFileSync(join(crate, name), join(clone, name))
    const cargo =
      '[ "$1" = --version ] || { mkdir -p target/release && echo built > target/release/libaccel.so; }'
    writeFileSync(join(tools, 'cargo'), `#!/bin/sh\n${cargo}\n`)
    chmodSync(join(tools, 'cargo'), 0o755)
    expect(build(`${tools}:/usr/bin:/bin`)).toBe('accel: native addon built')
  })
  afterEach(() => rmSync(clone, { recursive: true }))

  it('stays where none can be built and nothing has changed since', () => {
    expect(build(clone)).toBe(`${noRust}keeping the addon of these sources`)
    writeFileSync(join(tools, 'cargo'), '#!/bin/sh\n[ "$1" = --version ]\n')
    expect(build(tools)).toBe('accel: native build failed, keeping the addon of these sources')
    expect(existsSync(addon)).toBe(true)
  })

  it.each(['src/inner/lib.rs', 'Cargo.lock', 'the addon'])('goes where %s is another by now', (changed) => {
    writeFileSync(changed === 'the addon' ? addon : join(clone, changed), 'changed')
    expect(build(clone)).toBe(`${noRust}using the JavaScript kernels`)
    expect(existsSync(addon)).toBe(false)
  })

  it('goes where it can not be told of which sources it is', () => {
    rmSync(join(clone, 'target'), { recursive: true })
    expect(build(clone)).toBe(`${noRust}using the JavaScript kernels`)
    expect(existsSync(addon)).toBe(false)
  })
})
