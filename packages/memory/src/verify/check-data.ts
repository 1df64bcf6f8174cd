import type { Check } from '@memory/shared/ops/check'
import type { Clock } from '@memory/shared/platform/clock'
import { askHealth, type Database } from '@memory/shared/platform/database/database'
import type { SpaceIndex } from '../index/space-index.ts'
import { type Comparer, checkIndex } from './check-index.ts'
import { listLargest, readTimes, readVersions } from './verify-store.ts'

type Queries = Database['queries']

/** Gives the index of a space, of the version that it is asked for at least. */
export type OpenIndex = (version: number) => Promise<SpaceIndex>

export interface IndexesToCheck {
  /** Undefined for a space of which no index is there. */
  open(spaceId: string): OpenIndex | undefined
  /** Lets go of what was opened. */
  done?(spaceId: string): void
  /** Undefined: texts are not encoded again. */
  comparer?: Comparer | undefined
  /** At most so many spaces, the largest first. */
  spacesMax: number
}

/** Beyond these differences, in ms, times of tokens and signatures are wrong. */
const clockWarnMs = 2_000
const clockFailMs = 60_000

/** Whether the database can be written to, and keeps what it says that it has. */
export async function checkDatabase(queries: Queries): Promise<Check> {
  const name = 'database'
  const { writable, durable } = await askHealth(queries)
  if (!writable) {
    return {
      ...{ name, state: 'fail', text: 'The database answers, and can only be read.' },
      remedy: 'Free space on its disk; of a PostgreSQL, name the primary and not a standby in DATABASE_URL.',
    }
  }
  if (!durable) {
    return {
      ...{ name, state: 'fail', text: 'fsync is off: a power failure takes acknowledged writes with it.' },
      remedy: 'Set fsync = on in PostgreSQL.',
    }
  }
  const { postgres, pgvector, migration } = await readVersions(queries)
  const text = `PostgreSQL ${postgres} with pgvector ${pgvector} answers, can be written to, keeps commits on the disk, and is at ${migration}.`
  return { name, state: 'ok', text }
}

/** Whether this machine and the database agree on the time, and it has not gone back. */
export async function checkClock(queries: Queries, clock: Clock): Promise<Check> {
  const name = 'clock'
  const { now, migrated } = await readTimes(queries)
  const own = clock.now().getTime()
  const [differenceMs, backMs] = [Math.abs(own - now), migrated - own]
  const remedy = 'Let this machine, and that of the database, take the time from a time server (timedatectl).'
  const seconds = (ms: number) => `${Math.round(ms / 1_000)} s`
  if (backMs > clockWarnMs) {
    const text = `The clock is ${seconds(backMs)} behind the last migration of the database.`
    return { name, state: 'fail', text, remedy }
  }
  if (differenceMs <= clockWarnMs) {
    return { name, state: 'ok', text: 'The clock agrees with that of the database.' }
  }
  const text = `The clock differs by ${seconds(differenceMs)} from that of the database.`
  return { name, state: differenceMs > clockFailMs ? 'fail' : 'warn', text, remedy }
}

/** Holds indexes against rows, those of the largest spaces. */
export async function checkIndexes(queries: Queries, indexes: IndexesToCheck): Promise<Check> {
  const { open, done, comparer, spacesMax } = indexes
  const sums = { spaces: 0, patterns: 0, vectors: 0, texts: 0 }
  const problems: string[] = []
  for (const { id } of await listLargest(queries, spacesMax)) {
    const openSpace = open(id)
    if (openSpace === undefined) continue
    const check = await checkIndex(queries, id, openSpace, comparer)
    done?.(id)
    if (check === undefined) continue
    sums.spaces++
    for (const name of ['patterns', 'vectors', 'texts'] as const) sums[name] += check[name]
    problems.push(...check.problems.map((problem) => `space ${id}: ${problem}`))
  }
  return toCheck(sums, problems)
}

const problemsShown = 3

function toCheck(
  { spaces, patterns, vectors, texts }: Record<'spaces' | 'patterns' | 'vectors' | 'texts', number>,
  problems: string[],
): Check {
  const name = 'index'
  if (problems.length > 0) {
    const more = problems.length > problemsShown ? `, and ${problems.length - problemsShown} more` : ''
    return {
      ...{ name, state: 'fail' },
      text: `The index differs from the rows: ${problems.slice(0, problemsShown).join('; ')}${more}.`,
      remedy:
        'Stop the service, remove the folder index in MEMORY_DATA_DIR and start again: it is made from the rows.',
    }
  }
  if (spaces === 0)
    return { name, state: 'ok', text: 'No index is there yet: it is made when a space is asked for.' }
  const found = [
    `${patterns} patterns of ${spaces} ${spaces === 1 ? 'space' : 'spaces'} are all in the index`,
    `${vectors} vectors of them were found`,
    ...(texts === 0 ? [] : [`${texts} texts were encoded again and found`]),
  ]
  return { name, state: 'ok', text: `${found.join(', ')}.` }
}
