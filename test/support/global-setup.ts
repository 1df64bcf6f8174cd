import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeSeed } from '@memory/shared/platform/database/embedded'
import { makeTemplate } from './database.ts'
import { fastFolder } from './in-memory.ts'

const buildConsole = fileURLToPath(new URL('../../apps/console/scripts/build.mjs', import.meta.url))

/**
 * Test databases are copies of the seed that new data directories start from. They and all other temporary files of a
 * run lie in one folder, which goes with it; in memory where there is room, so that no commit waits for a disk.
 */
export default async function setup(): Promise<() => Promise<void>> {
  // Once for all, who would be in each other's way; does nothing unless its sources have changed.
  execFileSync(process.execPath, [buildConsole])
  await makeSeed()
  const folder = mkdtempSync(join(fastFolder(), 'memory-tests-'))
  // A PostgreSQL that a test starts works as another user where tests run as root.
  chmodSync(folder, 0o711)
  // Also where a run is broken off, which no teardown hears of.
  process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  // Workers and the processes that tests start take theirs from it.
  process.env.TMPDIR = folder
  // Half of what it takes to start one is to compile what the one before it compiled.
  process.env.NODE_COMPILE_CACHE ??= join(folder, 'compiled')
  process.env.TEST_EMBEDDINGS ??= join(folder, 'embeddings')
  const template = await makeTemplate()
  return async () => template?.drop()
}
