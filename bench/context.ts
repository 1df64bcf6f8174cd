/**
 * What a context holds of the evidence of LoCoMo's questions within budgets of tokens, by what standing facts may take of
 * them, and what a call takes; and what finding the standing facts of a large space takes.
 *
 *   npm run bench -- context --data dev.json [--conversations 4] [--texts 10000] [--patterns 1000000] [--requests 300]
 */
import { sql } from 'kysely'
import { hashApiKey } from '../packages/identity/src/keys/api-key.ts'
import { ReadContext } from '../packages/memory/src/prompt/schema.ts'
import { readContext, standingShare } from '../packages/memory/src/prompt/service.ts'
import { findStanding } from '../packages/memory/src/prompt/standing-store.ts'
import { limits } from '../packages/shared/src/catalogue/limits.ts'
import type { Caller } from '../packages/shared/src/catalogue/operation.ts'
import { asTenant } from '../packages/shared/src/platform/database/database.ts'
import { readOptions, required } from '../scripts/read-options.ts'
import { environmentLine, readEnvironment } from './support/environment.ts'
import { timed } from './support/load.ts'
import { type Conversation, fileHash, readConversations } from './support/locomo.ts'
import { type PausedService, startPausedService } from './support/paused-service.ts'
import { table, writeResult } from './support/results.ts'
import { newFolder, removeFolder, startServer } from './support/server.ts'
import { digits, mean, quantile } from './support/statistics.ts'
import { TextSource } from './support/texts.ts'

const { values: options } = readOptions({
  options: {
    data: { type: 'string' },
    conversations: { type: 'string', default: '4' },
    texts: { type: 'string', default: '10000' },
    patterns: { type: 'string', default: '1000000' },
    requests: { type: 'string', default: '300' },
  },
})
const data = required('data', options.data, 'the LoCoMo conversations, see bench/README.md')
const conversations = readConversations(data).slice(0, Number(options.conversations))
const [texts, patterns, requests] = [options.texts, options.patterns, options.requests].map(Number) as [
  number,
  number,
  number,
]
const budgets = [1_000, 2_000, 4_000]
/** With none it is recall's best texts, filled to the same budget. */
const shares = [0, 1 / 16, 1 / 8, 1 / 4, 1 / 2]
const combinations = budgets.flatMap((budget) => shares.map((share) => [budget, share] as const))
const itemsAtOnce = limits.batchStoreItems
const warmUp = 50

const environment = readEnvironment()
console.log(`${environmentLine(environment)}\n`)
const dataDir = newFolder()
const service = await startPausedService({ dataDir, settings: { MEMORY_DEFAULT_PLAN: 'scale' } })
const evidence = await measureEvidence(service)
const standingMs = await measureStanding(service)
await service.stop()
removeFolder(dataDir)
const p50 = await measureCalls()

console.log(
  table(
    ['budget', 'standing facts may take', 'of them shown', 'recall shows', 'evidence recall %'],
    evidence.map(({ budget, share, standing, found, recall }) => [
      String(budget),
      String(share),
      ...[standing, found, recall].map((value) => value.toFixed(1)),
    ]),
  ),
)
const milliseconds = (all: Record<string, number>) =>
  Object.entries(all).map(([name, ms]) => [name, digits(ms)])
console.log(table([`with ${texts} texts`, 'p50 ms'], milliseconds(p50)))
console.log(table([`standing facts among ${patterns} patterns`, 'p50 ms'], milliseconds(standingMs)))
writeResult('context', environment, {
  data: { sha256: fileHash(data), conversations: conversations.map(({ name }) => name).join(', ') },
  standingShare,
  questions: conversations.reduce((sum, { questions }) => sum + questions.length, 0),
  evidence,
  ...{ texts, p50, patterns, standingMs },
})

interface Evidence {
  budget: number
  share: number
  /** Lines of a context, on average. */
  standing: number
  found: number
  /** Share of a question's evidence that is shown, in percent. */
  recall: number
}

/** Nothing that was asked is learned from, so that every question meets the same space. */
async function measureEvidence(service: PausedService): Promise<Evidence[]> {
  const answers = new Map<string, { standing: number; found: number; recall: number }[]>()
  for (const conversation of conversations) {
    const { caller, ids } = await fill(service, conversation)
    for (const { text: query, evidence } of conversation.questions) {
      const wanted = new Set(evidence)
      for (const [budget, share] of combinations) {
        const body = ReadContext.body.parse({ query, token_budget: budget, format: 'json', read_only: true })
        const { items = [], lines } = await readContext(service.context.memory, caller, body, share)
        const shown = items.filter(({ pattern_id }) => wanted.has(ids.get(pattern_id) as string)).length
        const answer = { standing: lines.standing, found: lines.found, recall: shown / wanted.size }
        const name = `${budget} ${share}`
        answers.set(name, [...(answers.get(name) ?? []), answer])
      }
    }
    console.log(`${conversation.name}: ${conversation.turns.length} turns`)
  }
  return combinations.map(([budget, share]) => {
    const all = answers.get(`${budget} ${share}`) ?? []
    const of = (figure: 'standing' | 'found' | 'recall') => mean(all.map((one) => one[figure]))
    return { budget, share, standing: of('standing'), found: of('found'), recall: 100 * of('recall') }
  })
}

/** A space of the turns, and which turn each pattern is. */
async function fill(service: PausedService, { turns }: Conversation) {
  const key = await service.newKey()
  const connection = await service.connect(key)
  const ids = new Map<string, string>()
  for (let from = 0; from < turns.length; from += itemsAtOnce) {
    const part = turns.slice(from, from + itemsAtOnce)
    const items = part.map(({ text }) => ({ text }))
    const { pattern_ids } = await connection.json<{ pattern_ids: string[] }>(
      'POST',
      '/v1/memory/text/batch-store',
      { items },
    )
    for (const [i, id] of pattern_ids.entries()) ids.set(id, part[i]?.id as string)
  }
  connection.close()
  return { caller: await callerOf(service, key), ids }
}

async function callerOf(service: PausedService, key: string): Promise<Caller> {
  const row = await service.context.callers.authentication.authenticate(hashApiKey(key), null, 0)
  return {
    actor: { kind: 'key', keyId: 'bench' },
    origin: { requestId: 'bench', ip: null, userAgent: null, isLocal: true },
    organizationId: row.organization_id as string,
    environment: 'live',
    spaceId: row.space_id as string,
    spaceVersion: row.space_version as number,
    engineVersion: row.engine_version as number,
    user: 'bench',
    scopes: null,
    patternsLimit: -1,
  }
}

/** Patterns that only the database knows, a tenth of which stand, of a thousand subjects. */
async function measureStanding(service: PausedService): Promise<Record<string, number>> {
  const { spaceId } = await callerOf(service, await service.newKey())
  const { queries } = service.context.database
  const atOnce = 50_000
  for (let first = 0; first < patterns; first += atOnce) {
    await asTenant(queries, { spaceId }, (trx) =>
      sql`insert into app.patterns (space_id, idx, id, text, metadata, key, key_hash, category, protected, version, subject, use_step)
        select ${spaceId}, i, 'pat_' || i, 'What the pattern ' || i || ' says of somebody.', '{}', '[1,0]',
               decode(md5(i::text), 'hex'), case when i % 20 = 0 then 'health' end, i % 40 = 0, 1, 'user-' || i % 1000,
               case when i % 30 = 0 then 1 + i % 5 end
          from generate_series(${first}::int, ${Math.min(patterns, first + atOnce) - 1}::int) as i`.execute(
        trx,
      ),
    )
  }
  const looked = 128
  const wanted = {
    everybody: null,
    'one subject': ['user-20'],
    'ten subjects': Array.from({ length: 10 }, (_, i) => `user-${20 * i}`),
  }
  const times: Record<string, number> = {}
  for (const [name, subjects] of Object.entries(wanted)) {
    const samples: number[] = []
    for (let i = 0; i < 30; i++) {
      samples.push(await timed(() => findStanding(queries, spaceId, { subjects, looked, chars: 2_000 })))
    }
    times[name] = quantile(samples, 0.5)
  }
  return times
}

/** By turns, so that whatever else the machine does meets all alike. */
async function measureCalls(): Promise<Record<string, number>> {
  const folder = newFolder()
  const server = await startServer({ dataDir: folder, settings: { MEMORY_DEFAULT_PLAN: 'scale' } })
  const connection = await server.connect()
  const source = new TextSource(1)
  for (let first = 0; first < texts; first += itemsAtOnce) {
    const items = source.take('short', itemsAtOnce).map((text, i) => ({
      text,
      protected: i === 0,
      subject: `user-${(first + i) % 100}`,
    }))
    await connection.json('POST', '/v1/memory/text/batch-store', { items })
  }
  const queries = new TextSource(2).take('short', 50)
  const post = (path: string, body: object) => (query: string) =>
    timed(() => connection.json('POST', path, { ...body, ...(query !== '' && { query }) }))
  const context = (body: object) => post('/v1/memory/context', body)
  const kinds: Record<string, (query: string) => Promise<number>> = {
    'recall, top_k 10': post('/v1/memory/text/recall', { top_k: 10 }),
    'recall, top_k 50': post('/v1/memory/text/recall', { top_k: 50 }),
    ...Object.fromEntries(
      budgets.map((budget) => [`context of ${budget} tokens`, context({ token_budget: budget })]),
    ),
    'context of 2000 tokens, one subject': context({ subject: 'user-50' }),
    'context of 2000 tokens, no query': () => context({})(''),
  }
  const samples = new Map<string, number[]>(Object.keys(kinds).map((name) => [name, []]))
  for (let i = -warmUp; i < requests; i++) {
    for (const [name, take] of Object.entries(kinds)) {
      const ms = await take(queries[(i + warmUp) % queries.length] as string)
      if (i >= 0) samples.get(name)?.push(ms)
    }
  }
  connection.close()
  await server.stop()
  removeFolder(folder)
  return Object.fromEntries(Array.from(samples, ([name, ms]) => [name, quantile(ms, 0.5)]))
}
