import { randomBytes } from 'node:crypto'
import { writeSync } from 'node:fs'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { vector } from '@electric-sql/pglite-pgvector'
import { DurableFiles } from '@memory/shared/platform/database/durable-files'

/**
 * Run as a process: changes one row of the embedded database in a folder again and again, past every guard, and says
 * how often it was committed. That needs no room but for the database's log.
 */
const database = await PGlite.create({
  fs: new DurableFiles(join(process.argv[2] as string, 'database')),
  extensions: { vector },
})
await database.exec('create table if not exists public.changes (n int, filling text)')
const { rows } = await database.query<{ n: number }>('select n from public.changes')
if (rows.length === 0) await database.exec('insert into public.changes values (0)')
say(`found ${rows[0]?.n ?? 0}`)
const rounds = Number(process.argv[3])
for (let round = 0; round < rounds; round++) {
  const changed = await database.query<{ n: number }>(
    'update public.changes set n = n + 1, filling = $1 returning n',
    // As much as stays in its row, and nothing that could be left out of the log.
    [randomBytes(950).toString('hex')],
  )
  say(`committed ${changed.rows[0]?.n}`)
}
await database.close()

/** Out of the process before it goes on: what waits for a late reader is lost when the process ends at once. */
function say(line: string): void {
  writeSync(1, `${line}\n`)
}
