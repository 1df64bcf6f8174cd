/**
 * How soon webhooks are told of what happened, and what receivers that fail, hang or redirect change about that.
 *
 *   npm run bench -- webhooks [--events 40] [--at-once 200] [--hanging-organizations 20]
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { readOptions } from '../scripts/read-options.ts'
import { Connection } from './support/client.ts'
import { environmentLine, readEnvironment } from './support/environment.ts'
import { closedLoop } from './support/load.ts'
import { table, writeResult } from './support/results.ts'
import { newFolder, removeFolder, type Server, startServer } from './support/server.ts'
import { digits, type Summary, summarize } from './support/statistics.ts'
import { Receiver } from './webhooks/receiver.ts'

const { values: options } = readOptions({
  options: {
    events: { type: 'string', default: '40' },
    'at-once': { type: 'string', default: '200' },
    'hanging-organizations': { type: 'string', default: '20' },
  },
})
const events = Number(options.events)
const atOnce = Number(options['at-once'])
const hangingOrganizations = Number(options['hanging-organizations'])
const password = 'a password of the bench'
/** Tests that an organization may ask for in an hour; each measurement is of an organization of its own. */
const testsMax = 60
const tests = Math.min(events, testsMax - 20)
const testsAtOnce = Math.min(atOnce, testsMax)
/** As many as an organization may have beside the other four. */
const moreHanging = 16
/** Webhooks of each organization all of whose receivers hang: as many as it may have. */
const hangingEach = 20
/** Organizations that come while the others' receivers hang, one after the other. */
const newcomers = 20

/** From the answer of the API to the request at the receiver, in ms. */
interface Latency extends Summary {
  what: string
}

interface Delivery {
  status: string
  attempts: number
  response_status: number | null
}

const environment = readEnvironment()
console.log(`${environmentLine(environment)}\n`)
const dataDir = newFolder()
const latencies: Latency[] = []
try {
  const server = await startServer({
    dataDir,
    settings: { WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8', LOG_LEVEL: 'error' },
  })
  try {
    await measure(server)
  } finally {
    await server.stop()
  }
} finally {
  removeFolder(dataDir)
}

async function measure(server: Server): Promise<void> {
  const good = await Receiver.start((response) => response.end('ok'))
  const failing = await Receiver.start((response) => response.writeHead(500).end())
  const hanging = await Receiver.start(() => {})
  const redirected = await Receiver.start((response) => response.end('ok'))
  const redirecting = await Receiver.start((response) =>
    response.writeHead(302, { location: `${redirected.url}/elsewhere` }).end(),
  )
  const receivers = [good, failing, hanging, redirecting, redirected]
  const connection = await server.connect()
  // Without a key: users sign in on them.
  const open = await Promise.all(Array.from({ length: 16 }, () => Connection.open(server.port)))
  const [plain] = open as [Connection]

  const users = await eventOfUsers(server, good)
  latencies.push({ what: 'events, one at a time', ...summarize(await users.oneAtATime()) })
  latencies.push({ what: `events of ${atOnce} organizations at once`, ...summarize(await users.atOnce()) })

  const ada = await newOwner(plain)
  const alone = await oneByOne(good, plain, await newWebhook(plain, good, ada), ada)
  latencies.push({ what: 'tests, one at a time, good receiver alone', ...alone })

  const connections = await Promise.all(Array.from({ length: 16 }, () => server.connect()))
  const ben = await newOwner(plain)
  const one = await newWebhook(plain, good, ben)
  good.forget()
  const sent = await closedLoop(open, Array.from({ length: testsAtOnce }), (by) => testWebhook(by, one, ben))
  const answered = performance.now()
  await good.untilArrived(testsAtOnce)
  const drainedMs = Math.max(0, (good.arrivals.at(-1)?.at ?? 0) - answered)

  const {
    latency: beside,
    badReceivers,
    outcomes,
  } = await besideBadReceivers(connections, { failing, hanging, redirecting }, async () =>
    oneByOne(good, connection, await newWebhook(connection, good)),
  )
  latencies.push({
    what: `tests, one at a time, beside ${badReceivers} bad receivers with one due each`,
    ...beside,
  })
  if (hangingOrganizations > 0) {
    const what = `first event of an organization, beside ${hangingOrganizations} whose receivers all hang`
    latencies.push({ what, ...summarize(await firstEvents(server, good, hanging)) })
  }

  report({
    oneWebhook: { tests: testsAtOnce, sentPerSecond: sent.perSecond, drainedMs },
    badReceivers,
    delayByBadMs: beside.p50 - alone.p50,
    outcomes,
    requestsAfterRedirect: redirected.arrivals.length,
  })
  for (const each of [connection, ...connections, ...open]) each.close()
  for (const each of receivers) await each.stop()
}

/** From the answers to tests of a webhook, one after the other, until its receiver has them. */
async function oneByOne(
  receiver: Receiver,
  by: Connection,
  webhook: string,
  headers?: Record<string, string>,
) {
  const samples: number[] = []
  for (let i = 0; i < tests; i++) {
    receiver.forget()
    // Not in step with whatever the service does at intervals.
    await delay(Math.random() * 1_000)
    await testWebhook(by, webhook, headers)
    const answered = performance.now()
    await receiver.untilArrived(1)
    samples.push(Math.max(0, (receiver.arrivals[0]?.at ?? 0) - answered))
  }
  return summarize(samples)
}

interface BadReceivers {
  failing: Receiver
  hanging: Receiver
  redirecting: Receiver
}

/** What `measureGood` comes to while other receivers of the organization have a test due, and what became of theirs. */
async function besideBadReceivers(
  connections: readonly Connection[],
  { failing, hanging, redirecting }: BadReceivers,
  measureGood: () => Promise<Summary>,
) {
  const [connection] = connections as [Connection]
  const bad = {
    'fails (500)': await newWebhook(connection, failing),
    hangs: await newWebhook(connection, hanging),
    'redirects (302)': await newWebhook(connection, redirecting),
  }
  const besides: string[] = Object.values(bad)
  for (let i = 0; i < moreHanging; i++) besides.push(await newWebhook(connection, hanging))
  await closedLoop(connections, besides, (by, id) => testWebhook(by, id))
  const latency = await measureGood()
  for (const id of besides) {
    await connection.json('PATCH', `/v1/webhooks/${id}`, { status: 'disabled' })
  }
  for (const id of Object.values(bad)) {
    await connection.json('PATCH', `/v1/webhooks/${id}`, { status: 'active' })
  }
  const outcomes = await outcomesOf(connection, bad)
  for (const id of Object.values(bad)) await connection.json('DELETE', `/v1/webhooks/${id}`)
  for (const id of besides.slice(-moreHanging)) await connection.json('DELETE', `/v1/webhooks/${id}`)
  return { latency, badReceivers: besides.length, outcomes }
}

interface Figures {
  oneWebhook: { tests: number; sentPerSecond: number; drainedMs: number }
  badReceivers: number
  delayByBadMs: number
  outcomes: Awaited<ReturnType<typeof outcomesOf>>
  requestsAfterRedirect: number
}

function report(figures: Figures): void {
  const { oneWebhook, delayByBadMs } = figures
  console.log(
    table(
      ['from the answer to the receiver', 'n', 'best ms', 'p50 ms', 'p99 ms'],
      latencies.map(({ what, n, best, p50, p99 }) => [what, String(n), ...[best, p50, p99].map(digits)]),
    ),
  )
  console.log(
    `\n${oneWebhook.tests} tests to one webhook: sent at ${digits(oneWebhook.sentPerSecond)}/s, the last arrived ${digits(oneWebhook.drainedMs)} ms after the last answer`,
  )
  console.log(`\nThe bad receivers delay the good one by ${digits(delayByBadMs)} ms at the median.\n`)
  console.log(
    table(
      ['receiver', 'status of an event', 'attempts', 'last answer'],
      figures.outcomes.map(({ receiver, status, attempts, response_status }) => [
        receiver,
        status,
        String(attempts),
        String(response_status ?? 'none'),
      ]),
    ),
  )
  console.log(`\nRequests where the redirect leads: ${figures.requestsAfterRedirect}`)
  writeResult('webhooks', environment, { events, atOnce, latencies, hangingOrganizations, ...figures })
}

async function post(by: Connection, url: string, body?: object, headers?: Record<string, string>) {
  const answer = await by.send('POST', url, body, headers)
  if (answer.status > 299) throw new Error(`${url} answered ${answer.status}: ${answer.text}`)
  return answer.text
}

/** @returns its id */
async function newWebhook(
  by: Connection,
  receiver: Receiver,
  headers?: Record<string, string>,
): Promise<string> {
  return JSON.parse(await post(by, '/v1/webhooks', { url: `${receiver.url}/hook` }, headers)).id
}

function testWebhook(by: Connection, id: string, headers?: Record<string, string>) {
  return post(by, `/v1/webhooks/${id}/test`, undefined, headers)
}

/** Registers a user, who owns an organization. @returns the headers that it signs in with */
async function newOwner(by: Connection): Promise<Record<string, string>> {
  const email = `${randomUUID()}@example.com`
  await post(by, '/v1/auth/register', { email, password })
  const login = JSON.parse(await post(by, '/v1/auth/login', { email, password }))
  return { authorization: `Bearer ${login.access_token}` }
}

/** An anomaly, of which a space's webhooks are told. @returns when it was answered */
async function happen(by: Connection, headers: Record<string, string> | undefined): Promise<number> {
  await post(by, '/v1/memory/regime/inject-anomaly', { magnitude: 100 }, headers)
  return performance.now()
}

/**
 * How soon receivers of organizations that are new, and answer, are told, while those of others hang which came one after
 * the other: each of them has two events due at as many webhooks as it may have.
 */
async function firstEvents(server: Server, good: Receiver, hanging: Receiver): Promise<number[]> {
  const connection = await Connection.open(server.port)
  const newOwnerOf = async (webhooks: number, url: string) => {
    const headers = await newOwner(connection)
    for (let n = 0; n < webhooks; n++) await post(connection, '/v1/webhooks', { url }, headers)
    return headers
  }
  const bad: Record<string, string>[] = []
  for (let i = 0; i < hangingOrganizations; i++) bad.push(await newOwnerOf(hangingEach, hanging.url))
  const others: Record<string, string>[] = []
  for (let i = 0; i < newcomers; i++) others.push(await newOwnerOf(1, good.url))
  for (const headers of bad) {
    await happen(connection, headers)
    await happen(connection, { ...headers, 'x-memory-environment': 'test' })
  }
  const samples: number[] = []
  for (const headers of others) {
    good.forget()
    const answered = await happen(connection, headers)
    await good.untilArrived(1)
    samples.push(Math.max(0, (good.arrivals[0]?.at ?? 0) - answered))
    await delay(Math.random() * 500)
  }
  connection.close()
  return samples
}

/** Users with an organization each, whose webhook leads to a path of their own; an event of each is an anomaly. */
async function eventOfUsers(server: Server, receiver: Receiver) {
  const users = Array.from({ length: events + atOnce }, (_, n) => ({ path: `/of/${n}` }))
  const connections = await Promise.all(Array.from({ length: 16 }, () => Connection.open(server.port)))
  const headers = new Map<string, Record<string, string>>()
  await closedLoop(connections, users, async (by, { path }) => {
    headers.set(path, await newOwner(by))
    await post(by, '/v1/webhooks', { url: receiver.url + path }, headers.get(path))
  })
  const arrivalOf = (path: string) => receiver.arrivals.find((each) => each.path === path)?.at ?? Number.NaN
  return {
    oneAtATime: async () => {
      const samples: number[] = []
      for (const { path } of users.slice(0, events)) {
        receiver.forget()
        await delay(Math.random() * 1_000)
        const answered = await happen(connections[0] as Connection, headers.get(path))
        await receiver.untilArrived(1)
        samples.push(Math.max(0, arrivalOf(path) - answered))
      }
      return samples
    },
    atOnce: async () => {
      receiver.forget()
      const answered = new Map<string, number>()
      await closedLoop(connections, users.slice(events), async (by, { path }) => {
        answered.set(path, await happen(by, headers.get(path)))
      })
      await receiver.untilArrived(atOnce)
      for (const each of connections) each.close()
      return [...answered].map(([path, at]) => Math.max(0, arrivalOf(path) - at))
    },
  }
}

/** What became of one event at each webhook, when one that fails was attempted twice and one that hangs once. */
async function outcomesOf(
  connection: Connection,
  webhooks: Readonly<Record<string, string>>,
): Promise<(Delivery & { receiver: string })[]> {
  await connection.json('POST', '/v1/memory/regime/inject-anomaly', { magnitude: 100 })
  for (;;) {
    const outcomes: (Delivery & { receiver: string })[] = []
    for (const [receiver, id] of Object.entries(webhooks)) {
      const { deliveries } = await connection.json<{ deliveries: (Delivery & { event_type: string })[] }>(
        'GET',
        `/v1/webhooks/${id}/deliveries`,
      )
      const found = deliveries.find((each) => each.event_type === 'memory.regime_changed')
      if (found === undefined) continue
      const { status, attempts, response_status } = found
      outcomes.push({ receiver, status, attempts, response_status })
    }
    const enough = (receiver: string) => (receiver === 'hangs' ? 1 : 2)
    if (outcomes.length === 3 && outcomes.every((each) => each.attempts >= enough(each.receiver))) {
      return outcomes
    }
    await delay(250)
  }
}
