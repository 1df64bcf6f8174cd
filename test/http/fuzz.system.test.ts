import { randomUUID } from 'node:crypto'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { AddressGate } from '@memory/identity/webhooks/address-gate'
import type { Operation } from '@memory/shared/catalogue/operation'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Anonymous, newUser, type User } from '../support/accounts.ts'
import { bodyOf, operations, parametersOf, pathWith } from '../support/operations.ts'
import type { Answer } from '../support/requests.ts'
import { startServer, type TestServer } from '../support/server.ts'

/** Requests to each operation. `npm run test:fuzz` makes 10,000. */
const requests = Number(process.env.FUZZ_REQUESTS ?? 25)
const firstSeed = Number(process.env.FUZZ_SEED ?? 2026)
const slowMs = 1_000
const mebibyte = 2 ** 20

/** Its work lasts as long as the request asks for. */
const timed = 'runAccelerationBenchmark'
/** They end the session that is used, or the account. */
const ending = ['logout', 'logoutAll', 'deleteAccount']

let server: TestServer
let ada: User

beforeAll(async () => {
  server = await startServer({
    MEMORY_PLATFORM_ADMINS: 'root@example.com',
    MEMORY_DEFAULT_PLAN: 'enterprise',
    // Wrong passwords are sent of the account that has to sign in again when its token has expired.
    MEMORY_LOGIN_FAILURES: '900000,900000,900000',
  })
  // Names are looked up nowhere.
  server.context.webhooks.gate = new AddressGate([], async () => [])
  ada = await newUser(server, { email: 'root@example.com' })
})

afterAll(() => server.close())

/**
 * What makes careless patterns backtrack for ever: so much of it that a second would not do, and so little that it fits
 * into a path, and that what encodes a text has done it in a fraction of one.
 */
const backtracking = [
  'a'.repeat(400),
  `${'a'.repeat(400)}!`,
  `${'a@'.repeat(200)}b`,
  `${'1'.repeat(400)}x`,
  `${' '.repeat(400)}x`,
  `${'.a'.repeat(200)}@`,
  `${'a-'.repeat(200)}.`,
  `2026-01-01T00:00:00.${'0'.repeat(400)}Z`,
  `https://${'a.'.repeat(200)}`,
  `Mozilla/5.0 (${'X11; '.repeat(80)}`,
]

const anything = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constantFrom(...backtracking),
  fc.constantFrom('', ' ', '\0', '\ud800', '../..', "' or 1=1 --", '__proto__', 'constructor', '%00', '{}'),
  fc.constantFrom(0, -0, -1, 1e308, -1e308, 5e-324, 2 ** 53, 0.1, null, true, [], {}),
  fc.constantFrom('2030-01-01', '2030-02-30T00:00:00Z', '0000-00-00T00:00:00Z', '+275760-09-14T00:00:00Z'),
  fc.array(fc.double({ noNaN: true }), { maxLength: 5 }),
)

/** A body as the operation takes it, of which some fields hold something else; or anything at all. */
function bodies(operation: Operation): fc.Arbitrary<string | undefined> {
  const valid = bodyOf(operation)
  const loose = fc.oneof(
    anything.map((value) => JSON.stringify(value)),
    fc.string({ maxLength: 40 }),
  )
  if (valid === undefined || valid === null || typeof valid !== 'object') {
    return fc.option(loose, { nil: undefined })
  }
  const names = [...Object.keys(valid), '__proto__', 'unknown']
  const changed = fc
    .array(fc.tuple(fc.constantFrom(...names), anything), { maxLength: 3 })
    .map((changes) => JSON.stringify({ ...valid, ...Object.fromEntries(changes) }))
  return fc.oneof({ weight: 5, arbitrary: changed }, { weight: 1, arbitrary: loose })
}

const text = fc
  .oneof(fc.string({ unit: 'binary', maxLength: 20 }), fc.constantFrom(...backtracking), fc.uuid())
  .filter((each) => each.isWellFormed())
const query = fc.array(
  fc.tuple(fc.constantFrom('limit', 'cursor', 'page', 'confirm', 'hours', 'days', 'type', 'x'), text),
  { maxLength: 3 },
)
const headers = fc.record(
  {
    'Idempotency-Key': fc.constantFrom('a', 'x'.repeat(256), '"', '1 2'),
    'X-Memory-Actor': fc.constantFrom('a', 'x'.repeat(200)),
    'X-Memory-Environment': fc.constantFrom('test', 'live', 'other'),
    'X-Organization-Id': fc.constantFrom(randomUUID(), 'x', ''),
    'User-Agent': fc.constantFrom(...backtracking).map((each) => each.repeat(12)),
  },
  { requiredKeys: [] },
)

/**
 * Sends a request again while it is slow: what its input makes slow is slow each time, and not what else the machine does,
 * or what is made once, as the first key that signs receipts.
 */
async function quickestOf(send: () => Promise<Answer>): Promise<{ status: number; ms: number }> {
  for (let left = 3; ; left--) {
    const began = performance.now()
    const { status } = await send()
    const ms = performance.now() - began
    if (ms < slowMs || left === 1 || status >= 500) return { status, ms }
  }
}

async function fuzz(operation: Operation, seed: number): Promise<void> {
  const ids = fc.tuple(...parametersOf(operation).map(() => text))
  const parts = fc.tuple(bodies(operation), ids, query, headers)
  const isEnding = ending.includes(operation.id)
  let user = operation.access === 'anyone' ? new Anonymous(server.url) : ada
  if (isEnding) user = await newUser(server)
  await fc.assert(
    fc.asyncProperty(parts, async ([body, values, asked, extra]) => {
      const names = parametersOf(operation)
      const escaped = values.map((value) => encodeURIComponent(value || 'a').replaceAll('.', '%2E'))
      const path = pathWith(operation, Object.fromEntries(names.map((name, n) => [name, escaped[n] ?? 'a'])))
      const sent = operation.method === 'get' ? undefined : body
      const send = () =>
        user.request(operation.method.toUpperCase(), `${path}?${new URLSearchParams(asked)}`, sent, extra)
      const { status, ms } = await quickestOf(send)
      expect(status, operation.id).toBeLessThan(500)
      expect(ms, operation.id).toBeLessThan(slowMs)
      if (status === 401 && user === ada) user = ada = await ada.signInAgain()
    }),
    { numRuns: requests, seed, endOnFailure: true },
  )
}

/** Bytes that are held when nothing is under way. */
function heldMiB(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  for (let turn = 0; turn < 3; turn++) collect()
  const { heapUsed, external } = process.memoryUsage()
  return (heapUsed + external) / mebibyte
}

describe('N3 random requests', () => {
  const tried = operations.filter(({ id }) => id !== timed)
  const named = tried.map((operation) => [operation.id, operation] as const)

  it.each(named)(
    'to %s make no 5xx and take no second',
    (_id, operation) => fuzz(operation, firstSeed),
    1_800_000,
  )

  it('leave no more in memory than there was', async () => {
    const again = async (seed: number) => {
      for (const operation of tried.filter(({ path }) => path.startsWith('/v1/memory/text/'))) {
        await fuzz(operation, seed)
      }
      await ada.delete('/v1/memory/patterns?confirm=all')
      // What the test keeps of the service.
      server.logLines.length = 0
      return heldMiB()
    }
    const before = await again(firstSeed + 1)
    expect((await again(firstSeed + 2)) - before).toBeLessThan(16)
  }, 1_800_000)
})
