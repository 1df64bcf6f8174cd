/**
 * What signing in costs, what the times of answers tell about accounts, and what many logins at once do to others.
 *
 *   npm run bench -- logins [--samples 200] [--rounds 5] [--concurrency HASHES] [--telling]
 */
import { randomUUID } from 'node:crypto'
import { startPostgres } from '../scripts/postgres-server.ts'
import { readOptions } from '../scripts/read-options.ts'
import { Connection } from './support/client.ts'
import { environmentLine, readEnvironment } from './support/environment.ts'
import { closedLoop, timed } from './support/load.ts'
import { table, writeResult } from './support/results.ts'
import { newFolder, removeFolder, type Server, startServer } from './support/server.ts'
import { auc, digits, quantile, type Spread, showSpread, spread } from './support/statistics.ts'

const { values: options } = readOptions({
  options: {
    samples: { type: 'string', default: '200' },
    rounds: { type: 'string', default: '5' },
    concurrency: { type: 'string' },
    // Only what times tell, of the embedded database; nothing is written down.
    telling: { type: 'boolean', default: false },
  },
})
const samples = Number(options.samples)
const rounds = Number(options.rounds)
const password = 'a password of the bench'
/** Logins that are sent at once. */
const storm = 200
/** Other requests before each storm; about as many come while it lasts. */
const quietRequests = 1_500
/** Many passwords are wrong on purpose. */
const settings = {
  MEMORY_LOGIN_FAILURES: '900000,900000,900000',
  LOG_LEVEL: 'error',
  ARGON2_CONCURRENCY: options.concurrency ?? '',
}

const newEmail = () => `${randomUUID()}@example.com`

/** Medians in ms of answers about addresses that have an account and about others. */
interface Telling {
  database: string
  request: string
  known: number
  unknown: number
  difference: number
  /** Of two halves of the known ones: what chance alone makes. */
  chance: number
  /** How often a known one takes longer than an unknown one: 0.5 tells nothing. */
  auc: number
}

interface Logins {
  database: string
  perSecond: Spread
  processorMs: Spread
}

/** The 95th percentile in ms of another request, alone and beside the logins; and how those were answered. */
interface Storm {
  database: string
  quietP95: Spread
  besideP95: Spread
  ratio: Spread
  signedIn: Spread
  refused: Spread
}

const environment = readEnvironment()
console.log(`${environmentLine(environment)}\n`)
const telling: Telling[] = []
const logins: Logins[] = []
const storms: Storm[] = []
await measure('embedded', undefined)
if (options.telling) {
  printTelling()
  process.exit()
}
const postgres = await startPostgres({ version: '18', durable: true })
try {
  await measure('PostgreSQL', postgres.url)
} finally {
  postgres.stop()
}
printTelling()
console.log(
  `\n${table(
    ['database', 'logins/s', 'processor ms a login'],
    logins.map((l) => [l.database, showSpread(l.perSecond), showSpread(l.processorMs)]),
  )}`,
)
console.log(
  `\n${table(
    ['database', 'p95 alone ms', `p95 beside ${storm} logins`, 'ratio', 'signed in', 'refused'],
    storms.map((s) => [
      s.database,
      ...[s.quietP95, s.besideP95, s.ratio, s.signedIn, s.refused].map(showSpread),
    ]),
  )}`,
)
writeResult('logins', environment, {
  samples,
  rounds,
  concurrency: options.concurrency,
  telling,
  logins,
  storms,
})

function printTelling(): void {
  console.log(
    table(
      ['database', 'request', 'known ms', 'unknown ms', 'difference', 'by chance', 'AUC'],
      telling.map((t) => [
        t.database,
        t.request,
        ...[t.known, t.unknown, t.difference, t.chance, t.auc].map(digits),
      ]),
    ),
  )
}

async function measure(database: string, databaseUrl: string | undefined): Promise<void> {
  const dataDir = newFolder()
  const server = await startServer({ dataDir, databaseUrl, settings })
  try {
    console.error(`${database}: ${samples} users`)
    const emails = await registerUsers(server, samples)
    console.error(`${database}: what times tell`)
    telling.push(...(await measureTelling(database, server, emails)))
    if (options.telling) return
    console.error(`${database}: logins`)
    logins.push(await measureLogins(database, server, emails))
    console.error(`${database}: ${rounds} storms`)
    storms.push(await measureStorm(database, server, emails))
  } finally {
    await server.stop()
    removeFolder(dataDir)
  }
}

async function registerUsers(server: Server, count: number): Promise<string[]> {
  const connection = await Connection.open(server.port)
  const emails = Array.from({ length: count }, newEmail)
  for (const email of emails) await connection.json('POST', '/v1/auth/register', { email, password })
  connection.close()
  return emails
}

/** One request at a time, about a known and an unknown address in turn, the first of each pair by lot. */
async function measureTelling(
  database: string,
  server: Server,
  emails: readonly string[],
): Promise<Telling[]> {
  const connection = await Connection.open(server.port)
  const requests: [path: string, body: (email: string) => object, status: number][] = [
    ['/v1/auth/login', (email) => ({ email, password: 'a wrong one' }), 401],
    ['/v1/auth/forgot-password', (email) => ({ email }), 200],
    ['/v1/auth/resend-verification', (email) => ({ email }), 200],
  ]
  const results: Telling[] = []
  for (const [path, body, expected] of requests) {
    const ask = (email: string) =>
      timed(async () => {
        const { status, text } = await connection.send('POST', path, body(email))
        if (status !== expected) throw new Error(`${path} answered ${status}: ${text}`)
      })
    for (let time = 0; time < 20; time++) await ask(newEmail())
    const [known, unknown]: [number[], number[]] = [[], []]
    for (const email of emails) {
      if (Math.random() < 0.5) unknown.push(await ask(newEmail()))
      known.push(await ask(email))
      if (unknown.length < known.length) unknown.push(await ask(newEmail()))
    }
    const [a, b] = [quantile(known, 0.5), quantile(unknown, 0.5)]
    const half = (parity: number) =>
      quantile(
        known.filter((_, i) => i % 2 === parity),
        0.5,
      )
    results.push({
      database,
      request: path,
      known: a,
      unknown: b,
      difference: a - b,
      chance: half(0) - half(1),
      auc: auc(known, unknown),
    })
  }
  connection.close()
  return results
}

async function measureLogins(database: string, server: Server, emails: readonly string[]): Promise<Logins> {
  const connections = await Promise.all(Array.from({ length: 8 }, () => Connection.open(server.port)))
  const [perSecond, processorMs]: [number[], number[]] = [[], []]
  for (let round = 0; round < rounds; round++) {
    const before = server.processorMs()
    const result = await closedLoop(connections, emails, (connection, email) =>
      connection.json('POST', '/v1/auth/login', { email, password }),
    )
    perSecond.push(result.perSecond)
    processorMs.push((server.processorMs() - before) / emails.length)
  }
  for (const connection of connections) connection.close()
  return { database, perSecond: spread(perSecond), processorMs: spread(processorMs) }
}

async function measureStorm(database: string, server: Server, emails: readonly string[]): Promise<Storm> {
  const other = await Connection.open(server.port)
  const { access_token } = await other.json<{ access_token: string }>('POST', '/v1/auth/login', {
    email: emails[0],
    password,
  })
  const ask = () =>
    timed(async () => {
      const authorization = `Bearer ${access_token}`
      const { status, text } = await other.send('GET', '/v1/users/me', undefined, { authorization })
      if (status !== 200) throw new Error(`/v1/users/me answered ${status}: ${text}`)
    })
  const connections = await Promise.all(Array.from({ length: storm }, () => Connection.open(server.port)))
  const figures = {
    quietP95: [] as number[],
    besideP95: [] as number[],
    signedIn: [] as number[],
    refused: [] as number[],
  }
  for (let round = 0; round < rounds; round++) {
    const quiet: number[] = []
    for (let time = 0; time < quietRequests; time++) quiet.push(await ask())
    const beside: number[] = []
    let over = false
    const sent = Promise.all(
      connections.map((connection, i) =>
        connection.send('POST', '/v1/auth/login', { email: emails[i % emails.length], password }),
      ),
    ).finally(() => {
      over = true
    })
    while (!over) beside.push(await ask())
    const answers = await sent
    figures.quietP95.push(quantile(quiet, 0.95))
    figures.besideP95.push(quantile(beside, 0.95))
    figures.signedIn.push(answers.filter(({ status }) => status === 200).length)
    figures.refused.push(answers.filter(({ status }) => status === 503).length)
  }
  for (const connection of [other, ...connections]) connection.close()
  return {
    database,
    quietP95: spread(figures.quietP95),
    besideP95: spread(figures.besideP95),
    ratio: spread(figures.besideP95.map((p95, i) => p95 / (figures.quietP95[i] as number))),
    signedIn: spread(figures.signedIn),
    refused: spread(figures.refused),
  }
}
