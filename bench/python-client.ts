/**
 * What the Python client costs: milliseconds to import it, bytes of its wheel, time a call above httpx alone, and a
 * newcomer's seconds from `pip install` to the first memory that is recalled. Takes packages from an index.
 *
 *   npm run bench -- python-client
 */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { readOptions } from '../scripts/read-options.ts'
import { environmentLine, readEnvironment, repository } from './support/environment.ts'
import { table, writeResult } from './support/results.ts'
import { newFolder, removeFolder, startServer } from './support/server.ts'
import { digits } from './support/statistics.ts'

/** As `packages/python/scripts/measure.py` prints them. */
interface Figures {
  importMs: number
  importHttpxMs: number
  wheelBytes: number
  clientMs: number
  httpxMs: number
  installS: number
  firstMemoryS: number
}

const run = promisify(execFile)
const client = join(repository, 'packages/python')
readOptions({ options: {} })
const environment = readEnvironment()
console.log(`${environmentLine(environment)}\n`)
const [dataDir, packages] = [newFolder(), newFolder()]
try {
  await run('python3', ['-m', 'venv', packages])
  const python = join(packages, 'bin/python')
  await run(python, ['-m', 'pip', 'install', '--quiet', client, 'hatchling'])
  const server = await startServer({ dataDir, settings: { LOG_LEVEL: 'error' } })
  try {
    const env = {
      ...process.env,
      MEMORY_SERVICE_URL: `http://127.0.0.1:${server.port}`,
      MEMORY_SERVICE_API_KEY: readFileSync(join(dataDir, 'local-api-key'), 'utf8').trim(),
    }
    const { stdout } = await run(python, [join(client, 'scripts/measure.py')], { env })
    const figures: Figures = JSON.parse(stdout)
    console.log(
      table(
        [
          'import ms',
          'of which httpx',
          'wheel KiB',
          'retrieve p50 ms',
          'by httpx alone',
          'pip install s',
          'first memory s',
        ],
        [
          [
            figures.importMs,
            figures.importHttpxMs,
            figures.wheelBytes / 1_024,
            figures.clientMs,
            figures.httpxMs,
            figures.installS,
            figures.firstMemoryS,
          ].map(digits),
        ],
      ),
    )
    writeResult('python-client', environment, figures)
  } finally {
    await server.stop()
  }
} finally {
  removeFolder(dataDir)
  removeFolder(packages)
}
