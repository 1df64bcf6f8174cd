import { spawn } from 'node:child_process'
import { startPostgres } from './postgres-server.ts'

/**
 * Runs the tests on a real PostgreSQL with pgvector, which it takes from a Python package and starts in a temporary
 * folder. TEST_DATABASE_URL names a server that runs already, and TEST_POSTGRES_BIN the folder of its programs. Arguments
 * go to vitest; without any it runs what a database can change. POSTGRES=16 or 18 picks the version.
 */

const root = new URL('..', import.meta.url).pathname

async function main(): Promise<number> {
  if (process.env.TEST_DATABASE_URL !== undefined) return runTests(process.env.TEST_DATABASE_URL)
  const version = process.env.POSTGRES === '16' ? '16' : '18'
  // Nothing here outlives the run.
  const server = await startPostgres({ version, durable: false })
  try {
    return await runTests(server.url, server.bin)
  } finally {
    server.stop()
  }
}

/** @param bin the folder of the server's programs, for tests that dump and restore */
function runTests(url: string, bin?: string): Promise<number> {
  const args = process.argv.slice(2)
  const chosen = args.length > 0 ? args : ['--project', 'service', '--project', 'system']
  const tests = spawn('vitest', ['run', ...chosen], {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      TEST_DATABASE_URL: url,
      ...(args.length > 0 ? {} : { TEST_ONLY_DATABASE: '1' }),
      ...(bin === undefined ? {} : { TEST_POSTGRES_BIN: bin }),
    },
  })
  return new Promise((resolve) => tests.on('exit', (code) => resolve(code ?? 1)))
}

process.exitCode = await main()
