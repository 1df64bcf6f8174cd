/**
 * What a month with nightly sleep does to recall, beside the same month without: LoCoMo conversations, asked half of
 * their questions day by day. And which copies of a text sleep merges.
 *
 *   npm run bench -- sleep --data dev.json [--conversations 4] [--days 30] [--seed 1] [--cache FILE]
 */

import { exploreSpace } from '../packages/memory/src/exploration/explore-space.ts'
import { recordUses } from '../packages/memory/src/schedule/schedule.ts'
import type { SpaceWork } from '../packages/memory/src/schedule/scheduled-run.ts'
import { sleepSpace } from '../packages/memory/src/sleep/sleep-space.ts'
import { migrateSpaceTiers } from '../packages/memory/src/tiers/migrate-space-tiers.ts'
import { readOptions, required } from '../scripts/read-options.ts'
import { HttpSpace } from './recall/http-space.ts'
import { halves } from './recall/practice.ts'
import { Findings } from './recall/report.ts'
import { type Asked, readSpaces, type SpaceCase } from './recall/spaces.ts'
import type { Connection } from './support/client.ts'
import { environmentLine, readEnvironment } from './support/environment.ts'
import { fileHash, readConversations } from './support/locomo.ts'
import { BenchClock, startPausedService } from './support/paused-service.ts'
import { table, writeResult } from './support/results.ts'
import { newFolder, removeFolder } from './support/server.ts'
import { mean } from './support/statistics.ts'

const { values: options } = readOptions({
  options: {
    data: { type: 'string' },
    conversations: { type: 'string', default: '4' },
    days: { type: 'string', default: '30' },
    seed: { type: 'string', default: '1' },
    cache: { type: 'string' },
  },
})
const data = required('data', options.data, 'the LoCoMo conversations, see bench/README.md')
const days = Number(options.days)
const seed = Number(options.seed)
const dayMs = 86_400_000
/** Between a question and the next. */
const pauseMs = 10 * 60_000
/** How often each question is asked within the month. */
const rounds = 2

/** Whether feedback follows each answer, and whether the space sleeps. */
interface Way {
  name: string
  feedback: boolean
  sleeps: boolean
}
const ways: readonly Way[] = [
  { name: 'asked', feedback: false, sleeps: false },
  { name: 'asked, nightly sleep', feedback: false, sleeps: true },
  { name: 'asked, with feedback', feedback: true, sleeps: false },
  { name: 'asked, with feedback, nightly sleep', feedback: true, sleeps: true },
]

interface Sleeper {
  way: Way
  space: HttpSpace
  connection: Connection
  spaceId: string
  spuriousBefore: number
}

const environment = readEnvironment()
console.log(`${environmentLine(environment)}\n`)
const conversations = readConversations(data).slice(0, Number(options.conversations))
const cases = await readSpaces(conversations, { arrangement: 'apart', cache: options.cache })
const embeddings = new Map(
  cases.flatMap(({ turns, questions }) =>
    [...turns, ...questions].map(({ text, vector }): [string, Float32Array] => [text, vector]),
  ),
)
const clock = new BenchClock()
const dataDir = newFolder()
const service = await startPausedService({ dataDir, clock, embeddings })
const { memory, log, usage } = service.context
const work: SpaceWork = { ...memory, log }
const findings = new Findings()
const sleepMs: number[] = []
const spurious: { before: number; after: number }[] = []
let outcome = { exact: 0, number: 0, word: 0, negation: 0 }
try {
  for (const [i, space] of cases.entries()) {
    const started = performance.now()
    await measureMonth(space, 100 * seed + i)
    const seconds = ((performance.now() - started) / 1_000).toFixed(0)
    console.log(
      `${space.name}: ${space.turns.length} turns, ${space.questions.length} questions, ${seconds} s`,
    )
  }
  outcome = await mergeCopies(cases[0] as SpaceCase)
} finally {
  await service.stop()
  removeFolder(dataDir)
}
console.log(`\n${findings.table(`recall of the other half after ${days} days`)}`)
const spuriousRate = {
  before: mean(spurious.map(({ before }) => before)),
  after: mean(spurious.map(({ after }) => after)),
}
console.log(
  `\nspurious rate ${spuriousRate.before.toFixed(4)} before, ${spuriousRate.after.toFixed(4)} after; a sleep ${mean(sleepMs).toFixed(0)} ms`,
)
console.log(
  `\n${table(
    ['copies planted, 50 each', 'merged'],
    Object.entries(outcome).map(([kind, n]) => [kind, String(n)]),
  )}`,
)
writeResult('sleep', environment, {
  data: { sha256: fileHash(data), conversations: conversations.map(({ name }) => name).join(', ') },
  days,
  figures: findings.figures(),
  spuriousRate,
  sleepMs: mean(sleepMs),
  copiesMerged: outcome,
})

async function measureMonth(space: SpaceCase, halving: number): Promise<void> {
  const { practised, kept } = halves(space.questions, halving)
  const unused = await HttpSpace.fill(service, space)
  await measureKept('not used, first day', unused, kept)
  const sleepers: Sleeper[] = []
  for (const way of ways) sleepers.push(await newSleeper(space, way))
  const plan = Array.from({ length: rounds }, () => practised).flat()
  for (let day = 0; day < days; day++) {
    const today = plan.slice(
      Math.floor((day * plan.length) / days),
      Math.floor(((day + 1) * plan.length) / days),
    )
    for (const asked of today) {
      for (const { way, space } of sleepers) {
        await space.ask(asked)
        if (way.feedback) for (const idx of asked.wanted) await space.tell(asked, idx)
      }
      clock.advance(pauseMs)
    }
    await usage.log.flush()
    await service.write()
    clock.advance(dayMs - today.length * pauseMs)
    await recordUses(work)
    for (const { way, spaceId } of sleepers) if (way.sleeps) await night(spaceId)
  }
  await measureKept(`not used, day ${days}`, unused, kept)
  unused.close()
  for (const { way, space, connection, spuriousBefore } of sleepers) {
    await measureKept(way.name, space, kept)
    if (way.sleeps) spurious.push({ before: spuriousBefore, after: await spuriousRateOf(connection) })
    space.close()
  }
}

async function newSleeper(space: SpaceCase, way: Way): Promise<Sleeper> {
  let spaceId = ''
  let connection: Connection | undefined
  const filled = await HttpSpace.fill(
    {
      ...service,
      newSpace: async () => {
        const tenant = await service.newTenant()
        ;({ spaceId, connection } = tenant)
        return tenant.connection
      },
    },
    space,
  )
  if (connection === undefined) throw new Error('The space was not made.')
  const spuriousBefore = way.sleeps ? await spuriousRateOf(connection) : 0
  return { way, space: filled, connection, spaceId, spuriousBefore }
}

async function night(spaceId: string): Promise<void> {
  await exploreSpace(work, spaceId)
  const started = performance.now()
  if ((await sleepSpace(work, spaceId)) === 'done') sleepMs.push(performance.now() - started)
  await migrateSpaceTiers(work, spaceId)
}

async function measureKept(name: string, space: HttpSpace, kept: readonly Asked[]): Promise<void> {
  for (const asked of kept) findings.add(name, (await space.measure(asked, 'recall')).found)
}

async function spuriousRateOf(connection: Connection): Promise<number> {
  const path = '/v1/memory/explore/detect-spurious'
  return (await connection.json<{ spurious_rate: number }>('POST', path, {})).spurious_rate
}

/** Stores copies of texts, the same and changed, sleeps, and counts how many of each kind are gone. */
async function mergeCopies({ turns }: SpaceCase): Promise<typeof outcome> {
  const { connection, spaceId } = await service.newTenant()
  const plain = turns
    .map(({ text }) => text)
    .filter((text) => /\b(is|was|are)\b/.test(text) && !/\d/.test(text))
  const store = async (all: readonly string[]): Promise<string[]> => {
    const ids: string[] = []
    for (let first = 0; first < all.length; first += 50) {
      const items = all.slice(first, first + 50).map((text) => ({ text }))
      const path = '/v1/memory/text/batch-store'
      ids.push(...(await connection.json<{ pattern_ids: string[] }>('POST', path, { items })).pattern_ids)
    }
    return ids
  }
  const candidates = [...new Set(plain)].slice(0, 75)
  const mergeable: string[] = []
  for (const [i, id] of (await store(candidates)).entries()) {
    // What states something sensitive is protected: sleep leaves it alone.
    const stored = await connection.json<{ protected: boolean }>('GET', `/v1/memory/patterns/${id}`)
    if (!stored.protected) mergeable.push(candidates[i] as string)
  }
  const originals = mergeable.slice(0, 50)
  const changed = {
    exact: (text: string) => text,
    number: (text: string, i: number) => `${text} (${i + 1})`,
    word: (text: string) => text.replace(/\b\w{5,}\b/, 'something'),
    negation: (text: string) => text.replace(/\b(is|was|are)\b/, '$1 not'),
  }
  const texts = Object.entries(changed).flatMap(([kind, change]) =>
    originals.map((text, i) => ({ kind: kind as keyof typeof outcome, text: change(text, i) })),
  )
  const ids = await store(texts.map(({ text }) => text))
  await usage.log.flush()
  clock.advance(dayMs)
  await recordUses(work)
  await night(spaceId)
  const merged = { exact: 0, number: 0, word: 0, negation: 0 }
  for (const [i, { kind }] of texts.entries()) {
    const { status } = await connection.send('GET', `/v1/memory/patterns/${ids[i]}`)
    if (status === 404) merged[kind]++
  }
  connection.close()
  return merged
}
