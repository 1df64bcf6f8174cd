/**
 * Builds the native addon for this machine, with development dependencies also its loader and types (`binding.*`), where no
 * package for the platform is there; without a Rust toolchain the service uses its JavaScript kernels.
 * Where none can be built, one that was built before stays only if it is of these very sources: the functions of another may
 * take other arguments.
 * A failure fails the installation only with ACCEL_REQUIRE=1; ACCEL_SKIP_BUILD=1 builds and removes nothing;
 * ACCEL_PANICS=1 adds the functions that panic, for tests.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('.', import.meta.url))
const addon = `${folder}accel.${platform()}.node`
/** Holds the fingerprint of the addon that was built last. */
const stamp = `${folder}target/built`
const cargoOptions = ['--quiet', '--locked']
const isForTests = process.env.ACCEL_PANICS === '1'

if (process.env.ACCEL_SKIP_BUILD === '1') leave('build skipped')
if (!isCurrent()) rmSync(addon, { force: true })
if (!isForTests && (await hasPackage())) leave('native addon installed as a package, nothing built')
if (spawnSync('cargo', ['--version'], { stdio: 'ignore', shell: process.platform === 'win32' }).status !== 0)
  withoutAddon('no Rust toolchain found')
const features = isForTests ? ['--features', 'panics'] : []
const napi = findNapi()
const built = napi === undefined ? buildWithCargo() : buildWithNapi(napi)
if (!built) withoutAddon('native build failed')
if (existsSync(addon)) writeFileSync(stamp, fingerprint())
leave('native addon built')

/** Builds the addon and writes its loader and types anew. */
function buildWithNapi(napi) {
  const output = ['--platform', '--js', 'binding.cjs', '--dts', 'binding.d.cts', '--target-dir', 'target']
  return succeeds(process.execPath, [
    napi,
    'build',
    '--release',
    ...output,
    ...features,
    '--',
    ...cargoOptions,
  ])
}

/** Builds the addon alone: an installation without development dependencies has the loader from the repository. */
function buildWithCargo() {
  const build = ['build', '--release', '--target-dir', 'target', ...features, ...cargoOptions]
  if (!succeeds('cargo', build)) return false
  const library = { darwin: 'libaccel.dylib', win32: 'accel.dll' }[process.platform] ?? 'libaccel.so'
  copyFileSync(`${folder}target/release/${library}`, addon)
  return true
}

/** This machine, as the loader names it. */
function platform() {
  const isGlibc = process.report.getReport().header.glibcVersionRuntime !== undefined
  const abi = { linux: isGlibc ? '-gnu' : '-musl', win32: '-msvc' }[process.platform] ?? ''
  return `${process.platform}-${process.arch}${abi}`
}

/** Whether the addon that is here was built here, of the sources that are here now. */
function isCurrent() {
  return existsSync(addon) && existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint()
}

/** Tells the addon with these sources from any other with any others. */
function fingerprint() {
  const sources = readdirSync(`${folder}src`, { recursive: true }).map((name) => `src/${name}`)
  const hash = createHash('sha256').update(readFileSync(addon))
  for (const name of ['Cargo.toml', 'Cargo.lock', 'build.rs', '.cargo/config.toml', ...sources.sort()]) {
    const file = `${folder}${name}`
    if (statSync(file).isFile()) hash.update(`\n${name}\n`).update(readFileSync(file))
  }
  return hash.digest('hex')
}

function succeeds(program, args) {
  return spawnSync(program, args, { cwd: folder, stdio: 'inherit', timeout: 15 * 60_000 }).status === 0
}

/** Whether the package for this platform is there, of this version, and no addon that was built here would be used instead. */
async function hasPackage() {
  if (existsSync(addon)) return false
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
  const used = existsSync(addon) ? 'keeping the addon of these sources' : 'using the JavaScript kernels'
  leave(`${reason}, ${used}`, process.env.ACCEL_REQUIRE === '1' ? 1 : 0)
}

function leave(message, code = 0) {
  console.log(`accel: ${message}`)
  process.exit(code)
}
