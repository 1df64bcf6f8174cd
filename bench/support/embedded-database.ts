/**
 * What the embedded database itself takes, in a process and folders of its own: a statement without data, and a
 * transaction that counts and inserts one row with a vector, as the library does it and with commits that reach
 * the disk. Sends its parent the samples in ms.
 */
import { PGlite } from '@electric-sql/pglite'
import { vector } from '@electric-sql/pglite-pgvector'
import { DurableFiles, durableSettings } from '../../packages/shared/src/platform/database/durable-files.ts'
import { newFolder, removeFolder } from './server.ts'

export interface EmbeddedSamples {
  select: number[]
  insert: number[]
  durableInsert: number[]
}

const repetitions = 200
const extensions = { vector }
const key = JSON.stringify(Array.from({ length: 384 }, (_, i) => Number(Math.sin(i).toFixed(7))))

const plain = await within((folder) => PGlite.create(folder, { extensions }))
const durable = await within((folder) =>
  PGlite.create({
    fs: new DurableFiles(folder),
    extensions,
    startParams: [
      ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
      ...durableSettings.flatMap((setting) => ['-c', setting]),
    ],
  }),
)
process.send?.({
  select: plain.select,
  insert: plain.insert,
  durableInsert: durable.insert,
} satisfies EmbeddedSamples)

async function within(open: (folder: string) => Promise<PGlite>) {
  const folder = newFolder()
  const database = await open(folder)
  await database.exec(`
    create extension vector;
    create table counter (rows integer not null);
    insert into counter values (0);
    create table pattern (idx integer primary key, text text not null, key vector(384) not null);
  `)
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
  return { select, insert }
}

async function timed(run: () => Promise<unknown>): Promise<number[]> {
  const samples: number[] = []
  for (let i = -20; i < repetitions; i++) {
    const started = performance.now()
    await run()
    if (i >= 0) samples.push(performance.now() - started)
  }
  return samples
}
