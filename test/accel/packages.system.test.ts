import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { accel } from '@memory/accel'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildAddonPackages } from '../../scripts/build-packages.ts'

const crate = fileURLToPath(new URL('../../crates/accel/', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'accel-packages-'))
const clone = join(folder, 'clone')

const npm = (args: string[], cwd = folder) =>
  execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })

/** Node where there is no Rust toolchain. */
const node = (args: string[], cwd = folder) =>
  execFileSync(process.execPath, args, {
    cwd,
    env: { ...process.env, ACCEL: '', ACCEL_PANICS: '', PATH: folder },
    encoding: 'utf8',
  }).trim()

/** What a clone in which nothing was built runs on. */
const instructionSet = () =>
  node(
    [
      '--input-type=module',
      '-e',
      `import { accel } from './index.js'; console.log(accel?.features().instructionSet)`,
    ],
    clone,
  )

afterAll(() => rmSync(folder, { recursive: true }))

const isBuilt = accel !== null && readdirSync(crate).some((name) => name.endsWith('.node'))

describe.skipIf(!isBuilt)('the package of the native kernels for a platform', () => {
  let platform: string

  beforeAll(() => {
    buildAddonPackages()
    platform = readdirSync(join(crate, 'dist'))[0] as string
    const args = ['pack', '--json', '--pack-destination', folder]
    const [{ filename }] = JSON.parse(npm(args, join(crate, 'dist', platform))) as [{ filename: string }]
    writeFileSync(join(folder, 'package.json'), '{"private":true}')
    npm(['install', '--offline', '--no-audit', '--no-fund', join(folder, filename)])
    mkdirSync(clone)
    for (const file of ['index.js', 'binding.cjs', 'build.mjs'])
      copyFileSync(join(crate, file), join(clone, file))
    writeFileSync(join(clone, 'package.json'), '{"type":"module"}')
  })

  it('runs where it is installed, without a Rust toolchain', () => {
    expect(instructionSet()).toBe(accel?.features().instructionSet)
  })

  it('spares a clone the build', () => {
    expect(node(['build.mjs'], clone)).toBe('accel: native addon installed as a package, nothing built')
  })

  it('is not used where it is of another version', () => {
    const manifest = join(folder, 'node_modules', `memory-service-accel-${platform}`, 'package.json')
    writeFileSync(manifest, readFileSync(manifest, 'utf8').replace(/"version": ".*?"/, '"version": "0.0.1"'))
    expect(instructionSet()).toBe('undefined')
  })
})
