/**
 * What it costs to know who calls: an operation that does nothing, open to anyone and with credentials, one request at a
 * time, the ways taking turns.
 *
 *   npm run bench -- auth [--requests 2000] [--rounds 5]
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { startPostgres } from '../scripts/postgres-server.ts'
import { readOptions } from '../scripts/read-options.ts'
import type { Asked, Given } from './authentication/server.ts'
import { Connection } from './support/client.ts'
import { environmentLine, readEnvironment } from './support/environment.ts'
import { closedLoop } from './support/load.ts'
import { processorMs } from './support/process-use.ts'
import { table, writeResult } from './support/results.ts'
import { newFolder, removeFolder } from './support/server.ts'
import { type Spread, showSpread, spread, summarize } from './support/statistics.ts'

const { values: options } = readOptions({
  options: { requests: { type: 'string', default: '2000' }, rounds: { type: 'string', default: '5' } },
})
const requests = Number(options.requests)
const rounds = Number(options.rounds)
/** Each has to be signed first, which takes longer than anything measured here. */
const newTokens = Math.ceil(requests / 10)

/** A way of saying who calls; `added` is what it costs above none. */
interface Figures {
  database: string
  way: string
  p50Us: Spread
  addedP50Us: Spread
  processorUs: Spread
  addedProcessorUs: Spread
}

const environment = readEnvironment()
console.log(`${environmentLine(environment)}\n`)
const postgres = await startPostgres({ version: '18', durable: true })
const figures: Figures[] = []
try {
  figures.push(...(await measure('embedded', {})))
  const masterKey = Buffer.alloc(32, 7).toString('base64')
  figures.push(...(await measure('PostgreSQL', { DATABASE_URL: postgres.url, MASTER_KEY: masterKey })))
} finally {
  postgres.stop()
}
console.log(
  table(
    ['database', 'who calls', 'p50 µs', 'added', 'processor µs', 'added'],
    figures.map((f) => [
      f.database,
      f.way,
      ...[f.p50Us, f.addedP50Us, f.processorUs, f.addedProcessorUs].map(showSpread),
    ]),
  ),
)
writeResult('authentication', environment, { requests, rounds, figures })

async function measure(database: string, settings: Record<string, string>): Promise<Figures[]> {
  const folder = newFolder()
  const child = fork(new URL('authentication/server.ts', import.meta.url), {
    env: {
      ...{ PATH: process.env.PATH, HOME: process.env.HOME, MEMORY_DATA_DIR: folder },
      ...{ LOG_LEVEL: 'error', MEMORY_POOL_THREADS: '1', ...settings },
    },
  })
  try {
    const [port] = (await once(child, 'message')) as [number]
    return await measureWays(database, child, port)
  } finally {
    child.disconnect()
    await once(child, 'exit')
    removeFolder(folder)
  }
}

async function measureWays(database: string, child: ChildProcess, port: number): Promise<Figures[]> {
  const { key, tokens } = await credentials(child, port)
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
  const ways: Record<string, Headers[]> = {
    nobody: [{}],
    'API key': [{ 'x-api-key': key }],
    'access token': [bearer(tokens.pop() as string)],
    'access token, first request': [],
  }
  const perWay = () => Object.fromEntries(Object.keys(ways).map((way) => [way, [] as number[]]))
  const [p50, cpu] = [perWay(), perWay()]
  for (let round = -1; round < rounds; round++) {
    ways['access token, first request'] = tokens.splice(-newTokens).map(bearer)
    for (const [way, headers] of Object.entries(ways)) {
      const taken = await timeRequests(child, port, headers)
      // The first round only warms up.
      if (round === -1) continue
      p50[way]?.push(taken.p50Us)
      cpu[way]?.push(taken.processorUs)
    }
  }
  const added = (values: Record<string, number[]>, way: string) =>
    spread((values[way] as number[]).map((value, n) => value - (values.nobody?.[n] as number)))
  return Object.keys(ways).map((way) => ({
    database,
    way,
    p50Us: spread(p50[way] as number[]),
    addedP50Us: added(p50, way),
    processorUs: spread(cpu[way] as number[]),
    addedProcessorUs: added(cpu, way),
  }))
}

type Headers = Record<string, string>

/** One request at a time, the headers taking turns; as many of them as there are when each is to be used once. */
async function timeRequests(child: ChildProcess, port: number, headers: readonly Headers[]) {
  const path = Object.keys(headers[0] ?? {}).length === 0 ? '/open' : '/asked'
  const all = headers.length > 1 ? headers : Array<Headers>(requests).fill(headers[0] ?? {})
  const connection = await Connection.open(port)
  const before = processorMs(child.pid as number)
  const { samplesMs } = await closedLoop([connection], all, async (c, header) => {
    const { status, text } = await c.send('GET', path, undefined, header)
    if (status !== 200) throw new Error(`${path} answered ${status}: ${text}`)
  })
  const usedMs = processorMs(child.pid as number) - before
  connection.close()
  return { p50Us: 1_000 * summarize(samplesMs).p50, processorUs: (1_000 * usedMs) / samplesMs.length }
}

/** A user with a key of their organization, and tokens enough that each can be new to the service. */
async function credentials(child: ChildProcess, port: number): Promise<Given> {
  const connection = await Connection.open(port)
  const user = await connection.json<{ user_id: string; organization_id: string; access_token: string }>(
    'POST',
    '/v1/auth/register',
    { email: 'bench@example.com', password: 'a password of the bench' },
  )
  connection.close()
  const [, payload = ''] = user.access_token.split('.')
  const { sid } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { sid: string }
  child.send({
    subject: { userId: user.user_id, sessionId: sid, organizationId: user.organization_id },
    tokens: 1 + newTokens * (rounds + 1),
  } satisfies Asked)
  const [given] = (await once(child, 'message')) as [Given]
  return given
}
