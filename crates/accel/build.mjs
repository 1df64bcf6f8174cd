/**
 * Builds the native addon for this machine, with its loader and types (`binding.*`), where no package for the platform is
 * there; without a Rust toolchain the service uses its JavaScript kernels.
 * A failure fails the installation only with ACCEL_REQUIRE=1; ACCEL_SKIP_BUILD=1 builds nothing;
 * ACCEL_PANICS=1 adds the functions that panic, for tests.
 */
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('.', import.meta.url))
const isForTests = process.env.ACCEL_PANICS === '1'

if (process.env.ACCEL_SKIP_BUILD === '1') leave('build skipped')
if (!isForTests && (await hasPackage())) leave('native addon installed as a package, nothing built')
if (spawnSync('cargo', ['--version'], { stdio: 'ignore', shell: process.platform === 'win32' }).status !== 0)
  withoutAddon('no Rust toolchain found')
const napi = findNapi()
if (napi === undefined) withoutAddon('installed without development dependencies, which build it')

const output = ['--platform', '--js', 'binding.cjs', '--dts', 'binding.d.cts']
const features = isForTests ? ['--features', 'panics'] : []
const build = [
  'build',
  '--release',
  ...output,
  '--target-dir',
  'target',
  ...features,
  '--',
  '--quiet',
  '--locked',
]
const { status } = spawnSync(process.execPath, [napi, ...build], {
  cwd: folder,
  stdio: 'inherit',
  timeout: 15 * 60_000,
})
if (status !== 0) withoutAddon('native build failed')
leave('native addon built')

/** Whether the package for this platform is there, of this version, and no addon that was built here is used instead. */
async function hasPackage() {
  if (readdirSync(folder).some((name) => name.endsWith('.node'))) return false
  delete process.env.ACCEL
  const { accel } = await import('./index.js')
  return accel !== null
}

function findNapi() {
  try {
    return createRequire(import.meta.url)
      .resolve('@napi-rs/cli/package.json')
      .replace(/package\.json$/, 'dist/cli.js')
  } catch {
    return undefined
  }
}

function withoutAddon(reason) {
  leave(`${reason}, using the JavaScript kernels`, process.env.ACCEL_REQUIRE === '1' ? 1 : 0)
}

function leave(message, code = 0) {
  console.log(`accel: ${message}`)
  process.exit(code)
}
