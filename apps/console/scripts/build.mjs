// Builds the console into dist/, unless what is there was built of the same sources.
import { createHash } from 'node:crypto'
import { globSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const folder = fileURLToPath(new URL('..', import.meta.url))
const mark = '.sources'
/** Beside dist/, in whose place it comes when it is whole: somebody else may build at the same time, or read what is there. */
const building = `${folder}.dist-${process.pid}`

/** Takes a tenth of the time of the best quality, for a tenth more bytes: somebody waits for the installation. */
const brotliQuality = 9

/** A name for all that the build is made of. */
function nameSources() {
  const own = ['package.json', 'tsconfig.json', 'index.html', 'scripts/*.mjs', 'src/**/*.*']
  const around = [
    '../../packages/sdk/src/**/*.ts',
    '../../packages/shared/src/{transfer,catalogue}/**/*.ts',
    '../../package-lock.json',
    '../../tsconfig.json',
  ]
  const paths = [...own, ...around]
  const hash = createHash('sha256')
  for (const path of globSync(paths, { cwd: folder }).sort()) {
    hash.update(`${path}\0`).update(readFileSync(folder + path))
  }
  return hash.digest('hex')
}

function isBuilt(sources) {
  try {
    return readFileSync(`${folder}dist/${mark}`, 'utf8') === sources
  } catch {
    return false
  }
}

async function bundle() {
  // Whoever calls may be a test: React would then be that of development, twice as large, and taken for built from then on.
  process.env.NODE_ENV = 'production'
  const [{ build }, { default: react }] = await Promise.all([import('vite'), import('@vitejs/plugin-react')])
  await build({
    root: folder,
    configFile: false,
    logLevel: 'warn',
    plugins: [react()],
    // A proxy may have put the service under any path: the page says where it is, and files name each other relatively.
    base: './',
    // Of itself csv-parse needs Node's streams; this is how it comes for browsers.
    resolve: { alias: [{ find: /^csv-parse$/, replacement: 'csv-parse/browser/esm' }] },
    build: {
      outDir: building,
      target: 'es2023',
      modulePreload: { polyfill: false },
      // What is inlined would need a weaker policy of contents.
      assetsInlineLimit: 0,
      reportCompressedSize: false,
      chunkSizeWarningLimit: 1_024,
    },
  })
}

/** Beside each file what is sent of it. */
async function compress() {
  const brotli = promisify(brotliCompress)
  const zip = promisify(gzip)
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } }
  const files = globSync('assets/*.{js,css,svg}', { cwd: building }).map((path) => `${building}/${path}`)
  await Promise.all(
    files.map(async (path) => {
      const bytes = readFileSync(path)
      writeFileSync(`${path}.br`, await brotli(bytes, quality))
      writeFileSync(`${path}.gz`, await zip(bytes, { level: 9 }))
    }),
  )
}

/**
 * Of two that build the same at the same time one comes first, and what the other has made is needed no more. What was there
 * is moved away before it is removed: whoever removed it in its place could take files of what has come there meanwhile.
 */
function takePlace() {
  const before = `${building}-before`
  try {
    renameSync(`${folder}dist`, before)
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
  }
  try {
    renameSync(building, `${folder}dist`)
  } catch (error) {
    if (!isBuilt(sources)) throw error
  } finally {
    rmSync(before, { recursive: true, force: true })
  }
}

const sources = nameSources()
if (!isBuilt(sources)) {
  try {
    await bundle()
    await compress()
    writeFileSync(`${building}/${mark}`, sources)
    takePlace()
  } finally {
    rmSync(building, { recursive: true, force: true })
  }
}
