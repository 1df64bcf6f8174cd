import { AccessTokens } from '@memory/identity/tokens/access-tokens'
import {
  keptS,
  listSigningKeys,
  publishedAheadS,
  retireSigningKey,
  rotateAfterS,
  rotateSigningKey,
  rotateSigningKeyWhenDue,
} from '@memory/identity/tokens/rotate-signing-keys'
import { jwksReadEveryS, SigningKeys } from '@memory/identity/tokens/signing-keys'
import { asTask } from '@memory/shared/platform/database/database'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newUser, type User } from '../support/accounts.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { partsOf, passSeconds } from './keys.ts'

let server: TestServer
let ada: User

beforeAll(async () => {
  server = await startServer()
  ada = await newUser(server)
})

afterAll(() => server.close())

const accounts = () => server.context.accounts
const queries = () => server.context.database.queries
const kidOf = (token: string) => partsOf(token).header.kid
const states = async () => (await listSigningKeys(queries())).map(({ state }) => state)

/** The tokens of another process on the same database. */
function anotherProcess(): AccessTokens {
  const { secrets, clock } = accounts()
  const keys = new SigningKeys({ queries: queries(), secrets, clock })
  return new AccessTokens(keys, server.context.config.issuer, clock)
}

const published = async (tokens: AccessTokens) => (await tokens.jwks()).keys.map(({ kid }) => kid)

/** Lets time pass for what is stored, and for what processes keep of it. */
async function pass(seconds: number): Promise<void> {
  await passSeconds(queries(), seconds)
  server.clock.advance((jwksReadEveryS + 1) * 1_000)
  // The access token of before would have expired by the test's clock alone.
  ada = await ada.signInAgain()
}

async function statusOf(token: string): Promise<[number, string | undefined]> {
  const { status, body } = await ada.get('/v1/users/me', { Authorization: `Bearer ${token}` })
  return [status, body.detail]
}

describe('the first key', () => {
  beforeEach(async () => {
    await asTask(queries(), 'keep-secrets', (trx) =>
      trx.withSchema('app').deleteFrom('signing_keys').execute(),
    )
  })

  it('is made when it is first needed, by one of the processes that need it at once', async () => {
    expect(await states()).toEqual([])
    const processes = Array.from({ length: 4 }, anotherProcess)
    const subject = { userId: ada.userId, sessionId: ada.sessionId, organizationId: null }
    const tokens = await Promise.all(processes.flatMap((each) => [each.issue(subject), each.issue(subject)]))
    expect(new Set(tokens.map(kidOf)).size).toBe(1)
    expect(await states()).toEqual(['signs'])
    // Each takes what any of them issued.
    for (const each of processes) {
      expect(await Promise.all(tokens.map((token) => each.verify(token)))).toEqual(
        tokens.map((token) => ({ userId: ada.userId, sessionId: ada.sessionId, kid: kidOf(token) })),
      )
    }
  })

  it('is made for whoever asks for the public keys first', async () => {
    const [first, second] = [anotherProcess(), anotherProcess()]
    const [kids, same] = await Promise.all([published(first), published(second)])
    expect(kids).toHaveLength(1)
    expect(same).toEqual(kids)
  })
})

describe('T4 rotation', () => {
  beforeEach(async () => {
    await asTask(queries(), 'keep-secrets', (trx) =>
      trx.withSchema('app').deleteFrom('signing_keys').execute(),
    )
    server.clock.advance((jwksReadEveryS + 1) * 1_000)
    ada = await ada.signInAgain()
  })

  it('publishes the next key at once, signs with it after everybody has it, and keeps the old one until its tokens end', async () => {
    const old = kidOf(ada.accessToken)
    const first = ada.accessToken
    const next = await rotateSigningKey(accounts())
    expect(await states()).toEqual(['next', 'signs'])
    const [stored] = await listSigningKeys(queries())
    expect(next).toEqual({ kid: stored?.kid, signsFrom: stored?.signs_from })
    const other = anotherProcess()
    expect(await published(other)).toEqual([next.kid, old])

    await pass(publishedAheadS - 60)
    expect(kidOf(ada.accessToken)).toBe(old)
    await pass(60)
    expect(await states()).toEqual(['signs', 'verifies'])
    expect(kidOf(ada.accessToken)).toBe(next.kid)
    expect(await statusOf(first)).toEqual([200, undefined])
    expect(await published(other)).toEqual([next.kid, old])

    await pass(keptS - 60)
    expect(await published(other)).toEqual([next.kid, old])
    await pass(60)
    expect(await states()).toEqual(['signs', 'retired'])
    expect(await published(other)).toEqual([next.kid])
  })

  it('keeps the old key for 900 s, the clocks’ difference and the life of a JWK set', () => {
    expect(keptS).toBeGreaterThanOrEqual(900 + 5 + 300)
    expect(publishedAheadS).toBeGreaterThanOrEqual(300)
  })

  it('refuses no valid token while keys rotate under load, whichever process issued it', async () => {
    const processes = [anotherProcess(), anotherProcess(), accounts().accessTokens]
    const subject = { userId: ada.userId, sessionId: ada.sessionId, organizationId: null }
    const tokens: string[] = []
    const rounds = processes.map(() => 0)
    let going = true
    const load = processes.map(async (issuing, n) => {
      for (let i = 0; going; i++) {
        tokens.push(await issuing.issue(subject))
        const token = tokens[(i * 7) % tokens.length] as string
        const verifying = processes[(n + i) % processes.length] as AccessTokens
        await verifying.verify(token)
        if (i % 3 === 0) expect(await statusOf(token)).toEqual([200, undefined])
        rounds[n] = i + 1
      }
    })
    /** Waits until each process has begun and ended so many rounds. */
    const turn = async (count: number) => {
      const wanted = rounds.map((done) => done + count + 1)
      const late = () => wanted.some((want, n) => (rounds[n] as number) < want)
      while (late()) await Promise.race([new Promise(setImmediate), ...load])
    }
    for (let rotation = 0; rotation < 3; rotation++) {
      await turn(3)
      await rotateSigningKey(accounts())
      await turn(3)
      await passSeconds(queries(), publishedAheadS)
      await turn(3)
      // What was issued before is out of use when it would have expired.
      tokens.length = 0
      await turn(1)
      await passSeconds(queries(), keptS)
    }
    await turn(3)
    going = false
    await Promise.all(load)
    expect(new Set((await listSigningKeys(queries())).map(({ kid }) => kid)).size).toBe(4)
    expect(Math.min(...rounds)).toBeGreaterThanOrEqual(30)
  })

  it('happens by itself after 30 days, once, however many workers look', async () => {
    await rotateSigningKeyWhenDue(accounts())
    expect(await states()).toEqual(['signs'])
    await pass(rotateAfterS - 60)
    await rotateSigningKeyWhenDue(accounts())
    expect(await states()).toEqual(['signs'])
    await pass(60)
    await Promise.all(Array.from({ length: 4 }, () => rotateSigningKeyWhenDue(accounts())))
    expect(await states()).toEqual(['next', 'signs'])
    await rotateSigningKeyWhenDue(accounts())
    expect(await states()).toEqual(['next', 'signs'])
    await pass(publishedAheadS + keptS)
    expect(await states()).toEqual(['signs', 'retired'])
    // Operators see it for another month.
    await pass(rotateAfterS)
    await rotateSigningKeyWhenDue(accounts())
    expect(await states()).toEqual(['next', 'signs'])
  })

  it('does nothing where no token was ever issued', async () => {
    await asTask(queries(), 'keep-secrets', (trx) =>
      trx.withSchema('app').deleteFrom('signing_keys').execute(),
    )
    await rotateSigningKeyWhenDue(accounts())
    expect(await states()).toEqual([])
  })
})

describe('T4 emergency retirement', () => {
  beforeEach(async () => {
    ada = await ada.signInAgain()
  })

  it('refuses every token of the key at once, everywhere, and the next token has another key', async () => {
    const kid = kidOf(ada.accessToken) as string
    const unseen = await newUser(server)
    expect(kidOf(unseen.accessToken)).toBe(kid)
    expect(await statusOf(ada.accessToken)).toEqual([200, undefined])
    const other = anotherProcess()

    expect(await retireSigningKey(queries(), kid)).toBe(true)
    for (const user of [ada, unseen]) {
      expect(await statusOf(user.accessToken)).toEqual([401, 'Token revoked'])
    }
    expect(await published(other)).not.toContain(kid)
    const again = await ada.signInAgain()
    expect(kidOf(again.accessToken)).not.toBe(kid)
    expect(await statusOf(again.accessToken)).toEqual([200, undefined])
    expect(await retireSigningKey(queries(), kid)).toBe(false)
    expect(await retireSigningKey(queries(), 'no such key')).toBe(false)
    ada = again
  })

  it('of a key that does not sign yet leaves the others as they are', async () => {
    const { kid } = await rotateSigningKey(accounts())
    await retireSigningKey(queries(), kid)
    expect(await statusOf(ada.accessToken)).toEqual([200, undefined])
    await passSeconds(queries(), publishedAheadS)
    const again = await ada.signInAgain()
    expect([kid, kidOf(ada.accessToken)]).not.toContain(kidOf(again.accessToken))
    expect(await statusOf(again.accessToken)).toEqual([200, undefined])
    expect(await statusOf(ada.accessToken)).toEqual([200, undefined])
  })
})
