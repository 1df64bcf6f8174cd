/**
 * What the embedded database itself takes, in a process and a folder of its own: a statement without data, and
 * a transaction that counts and inserts one row with a vector, as durable as the library makes it. Sends its
 * parent the samples in ms.
 */
import { PGlite } from '@electric-sql/pglite'
import { vector } from '@electric-sql/pglite-pgvector'
import { newFolder, removeFolder } from './server.ts'

const repetitions = 200
const folder = newFolder()
const database = await PGlite.create(folder, { extensions: { vector } })
await database.exec(`
  create extension vector;
  create table counter (rows integer not null);
  insert into counter values (0);
  create table pattern (idx integer primary key, text text not null, key vector(384) not null);
`)
const key = JSON.stringify(Array.from({ length: 384 }, (_, i) => Number(Math.sin(i).toFixed(7))))
let rows = 0

const select = await timed(() => database.query('select 1'))
const insert = await timed(() =>
  database.transaction(async (tx) => {
    await tx.query('update counter set rows = rows + 1')
    await tx.query('insert into pattern values ($1, $2, $3)', [rows++, 'Ana prefers green tea.', key])
  }),
)
await database.close()
removeFolder(folder)
process.send?.({ select, insert })

async function timed(run: () => Promise<unknown>): Promise<number[]> {
  const samples: number[] = []
  for (let i = -20; i < repetitions; i++) {
    const started = performance.now()
    await run()
    if (i >= 0) samples.push(performance.now() - started)
  }
  return samples
}
