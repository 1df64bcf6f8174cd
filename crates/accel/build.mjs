/**
 * Builds the native addon where there is a Rust toolchain; without one the service uses its JavaScript kernels.
 * A failure fails the installation only with ACCEL_REQUIRE=1; ACCEL_SKIP_BUILD=1 builds nothing;
 * ACCEL_PANICS=1 adds the functions that panic, for tests.
 */
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('.', import.meta.url))
const library = { linux: 'libaccel.so', darwin: 'libaccel.dylib', win32: 'accel.dll' }[process.platform]
const options = { cwd: folder, shell: process.platform === 'win32' }

if (process.env.ACCEL_SKIP_BUILD === '1') leave('build skipped')
if (library === undefined) withoutAddon(`no native build for ${process.platform}`)
if (spawnSync('cargo', ['--version'], { ...options, stdio: 'ignore' }).status !== 0)
  withoutAddon('no Rust toolchain found')

const build = ['build', '--release', '--lib', '--quiet', '--locked', '--target-dir', 'target']
if (process.env.ACCEL_PANICS === '1') build.push('--features', 'panics')
const { status } = spawnSync('cargo', build, { ...options, stdio: 'inherit', timeout: 15 * 60_000 })
if (status !== 0) withoutAddon('native build failed')

try {
  const addon = join(folder, 'dist', `accel.${process.platform}-${process.arch}.node`)
  mkdirSync(join(folder, 'dist'), { recursive: true })
  // Renamed into place: a process that has the old addon loaded keeps it whole.
  copyFileSync(join(folder, 'target', 'release', library), `${addon}.new`)
  renameSync(`${addon}.new`, addon)
} catch (error) {
  withoutAddon(`native build could not be put in place (${error.message})`)
}
leave('native addon built')

function withoutAddon(reason) {
  leave(`${reason}, using the JavaScript kernels`, process.env.ACCEL_REQUIRE === '1' ? 1 : 0)
}

function leave(message, code = 0) {
  console.log(`accel: ${message}`)
  process.exit(code)
}
