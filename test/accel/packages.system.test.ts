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

const npm = (args: string[], cwd = folder) =>
  execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })

/** Node where there is no Rust toolchain. */
const node = (args: string[], cwd = folder) =>
  execFileSync(process.execPath, args, {
    cwd,
    env: { ...process.env, ACCEL: '', ACCEL_PANICS: '', PATH: folder },
    encoding: 'utf8',
  }).trim()

const instructionSet = () =>
  node([
    '--input-type=module',
    '-e',
    `import { accel } from '@memory/accel'; console.log(accel?.features().instructionSet)`,
  ])

afterAll(() => rmSync(folder, { recursive: true }))

const isBuilt = accel !== null && readdirSync(crate).some((name) => name.endsWith('.node'))

describe.skipIf(!isBuilt)('the packages of the native kernels', () => {
  let platform: string

  beforeAll(() => {
    buildAddonPackages()
    const [built] = readdirSync(join(crate, 'dist')).filter((name) => name !== 'accel')
    platform = built as string
    const packed = ['accel', platform].map((name) => {
      const args = ['pack', '--json', '--pack-destination', folder]
      const [{ filename }] = JSON.parse(npm(args, join(crate, 'dist', name))) as [{ filename: string }]
      return join(folder, filename)
    })
    writeFileSync(join(folder, 'package.json'), '{"private":true}')
    npm(['install', '--offline', '--no-audit', '--no-fund', ...packed])
  })

  it('run where they are installed, without a Rust toolchain', () => {
    expect(instructionSet()).toBe(accel?.features().instructionSet)
  })

  it('spare a clone the build', () => {
    const clone = join(folder, 'clone')
    mkdirSync(clone)
    for (const file of ['index.js', 'binding.cjs', 'build.mjs'])
      copyFileSync(join(crate, file), join(clone, file))
    writeFileSync(join(clone, 'package.json'), '{"type":"module"}')
    expect(node(['build.mjs'], clone)).toBe('accel: native addon installed as a package, nothing built')
  })

  it('are not used with an addon of another version', () => {
    const manifest = join(folder, 'node_modules/@memory', `accel-${platform}`, 'package.json')
    writeFileSync(manifest, readFileSync(manifest, 'utf8').replace(/"version": ".*?"/, '"version": "0.0.1"'))
    expect(instructionSet()).toBe('undefined')
  })
})
