import { createHmac, createPublicKey, generateKeyPairSync, type JsonWebKey, randomUUID } from 'node:crypto'
import { newToken } from '@memory/identity/tokens/single-use-token'
import { asTenant } from '@memory/shared/platform/database/database'
import { calculateJwkThumbprint, exportJWK, SignJWT } from 'jose'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { Anonymous, newUser, type User } from '../support/accounts.ts'
import type { Answer } from '../support/requests.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { partsOf, resign, resignText } from './keys.ts'

let server: TestServer
let ada: User
let header: Record<string, unknown>
let payload: Record<string, unknown>

const issuer = 'https://memory.example'

beforeAll(async () => {
  server = await startServer({ PUBLIC_BASE_URL: issuer })
  ada = await newUser(server, { fullName: 'Ada Lovelace' })
  ;({ header, payload } = partsOf(ada.accessToken))
})

afterAll(() => server.close())

/** Status and detail of a request that presents a token. */
async function present(token: string): Promise<[number, string | undefined]> {
  const { status, body } = await ada.get('/v1/users/me', { Authorization: `Bearer ${token}` })
  return [status, body.detail]
}

const invalid = [401, 'Invalid token']
const encode = (part: unknown) => Buffer.from(JSON.stringify(part)).toString('base64url')
const jwks = async () => (await ada.get('/.well-known/jwks.json')).body as { keys: JsonWebKey[] }
const nowS = () => Math.floor(server.clock.now().getTime() / 1_000)

describe('an access token', () => {
  it('T1 has exactly the header and the claims that it must have, and neither email nor name', () => {
    expect(header).toEqual({ alg: 'RS256', typ: 'at+jwt', kid: expect.stringMatching(/^[\w-]{43}$/) })
    expect(payload).toEqual({
      iss: issuer,
      aud: 'memory-api',
      sub: ada.userId,
      sid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      org: ada.organizationId,
      jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
      iat: expect.any(Number),
      exp: (payload.iat as number) + 900,
    })
  })

  it('T1 differs each time', async () => {
    const again = await ada.signInAgain()
    expect(partsOf(again.accessToken).payload.jti).not.toBe(payload.jti)
  })

  it('opens the API, in whatever case the scheme is written', async () => {
    expect(await present(ada.accessToken)).toEqual([200, undefined])
    const { status } = await ada.get('/v1/users/me', { Authorization: `bearer ${ada.accessToken}` })
    expect(status).toBe(200)
  })

  it('holds for 900 s and the clocks’ difference, then it is expired', async () => {
    const late = await newUser(server)
    server.clock.advance(890_000)
    expect((await late.get('/v1/users/me')).status).toBe(200)
    server.clock.advance(16_000)
    const { status, body } = await late.get('/v1/users/me')
    expect([status, body.detail]).toEqual([401, 'Token expired'])
    // The same where its signature was never checked before.
    const unseen = await resign(server, late.accessToken, { payload: { jti: randomUUID() } })
    expect(await present(unseen)).toEqual([401, 'Token expired'])
    ada = await ada.signInAgain()
    ;({ header, payload } = partsOf(ada.accessToken))
  })
})

describe('T2 a token that is not ours', () => {
  it('is refused with another algorithm, none among them', async () => {
    const { keys } = await jwks()
    const jwk = keys.find(({ kid }) => kid === header.kid) as JsonWebKey
    const pem = createPublicKey({ key: jwk, format: 'jwk' }).export({ type: 'spki', format: 'pem' })
    const hmac = (secret: string | Buffer) => {
      const signed = `${encode({ ...header, alg: 'HS256' })}.${encode(payload)}`
      return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
    }
    const other = generateKeyPairSync('rsa', { modulusLength: 3_072 }).privateKey
    const ps256 = await new SignJWT(payload).setProtectedHeader({ ...header, alg: 'PS256' }).sign(other)
    const tokens = [
      ...['none', 'None', 'NONE', ''].map((alg) => `${encode({ ...header, alg })}.${encode(payload)}.`),
      hmac(String(pem)),
      hmac(JSON.stringify(jwk)),
      hmac(Buffer.from(String(jwk.n), 'base64url')),
      hmac(''),
      ps256,
      await resign(server, ada.accessToken, { header: { alg: 'PS256' } }).catch(() => ps256),
      await resign(server, ada.accessToken, { header: { alg: 'RS512' } }).catch(() => ps256),
    ]
    for (const token of tokens) expect(await present(token), token).toEqual(invalid)
  })

  it('is refused when its key id names no key of ours, whatever it is, without asking for each', async () => {
    const { queries } = server.context.database
    const kids = [
      undefined,
      null,
      7,
      ['a'],
      [header.kid],
      { kid: header.kid },
      '',
      '../../etc/passwd',
      "' or 1=1 --",
      'a'.repeat(8_000),
      '\u0000',
      `${header.kid} `,
      '__proto__',
      'constructor',
    ]
    const asked = vi.spyOn(queries, 'transaction')
    try {
      for (const kid of kids) {
        const token = `${encode({ ...header, kid })}.${encode(payload)}.${ada.accessToken.split('.')[2]}`
        expect(await present(token), JSON.stringify(kid)).toEqual(invalid)
      }
      expect(asked).not.toHaveBeenCalled()
    } finally {
      asked.mockRestore()
    }
  })

  it('is answered soon when its key is unknown, right after another one', async () => {
    const times = []
    for (let n = 0; n < 10; n++) {
      const kid = `${String(n).padStart(4, '0')}${'u'.repeat(39)}`
      const began = performance.now()
      const token = `${encode({ ...header, kid })}.${encode(payload)}.${ada.accessToken.split('.')[2]}`
      expect(await present(token)).toEqual(invalid)
      times.push(performance.now() - began)
    }
    // The quickest of those that follow another: what else the machine does makes none quicker.
    expect(Math.min(...times.slice(1))).toBeLessThan(100)
  })

  it('makes the service read its keys fifty times a second at most, however many key ids are made up', async () => {
    const { queries } = server.context.database
    const asked = vi.spyOn(queries, 'transaction')
    const started = performance.now()
    try {
      const refused = await Promise.all(
        Array.from({ length: 60 }, (_, n) => {
          const kid = `${String(n).padStart(4, '0')}${'k'.repeat(39)}`
          return present(`${encode({ ...header, kid })}.${encode(payload)}.${ada.accessToken.split('.')[2]}`)
        }),
      )
      expect(new Set(refused.map(String))).toEqual(new Set([invalid.join()]))
      const seconds = (performance.now() - started) / 1_000
      expect(asked.mock.calls.length).toBeGreaterThanOrEqual(1)
      expect(asked.mock.calls.length).toBeLessThanOrEqual(1 + Math.ceil(seconds * 50))
    } finally {
      asked.mockRestore()
    }
  })

  it('is refused when it is signed by a key of somebody else, even one that it brings along', async () => {
    const fetched = vi.spyOn(globalThis, 'fetch')
    const theirs = generateKeyPairSync('rsa', { modulusLength: 3_072 })
    const jwk = await exportJWK(theirs.publicKey)
    const kid = await calculateJwkThumbprint(jwk)
    const headers = [
      {},
      { kid },
      { jwk },
      { kid, jwk },
      { jku: `${server.url}/jwks` },
      { x5u: `${server.url}/x5u` },
      { x5c: ['MIIB'] },
    ]
    let calls = 0
    for (const each of headers) {
      const token = await new SignJWT(payload)
        .setProtectedHeader({ ...header, ...each } as { alg: string })
        .sign(theirs.privateKey)
      expect(await present(token), JSON.stringify(each)).toEqual(invalid)
      calls++
    }
    // Nothing but this test's own requests.
    expect(fetched).toHaveBeenCalledTimes(calls)
    fetched.mockRestore()
  })

  it.each([
    ['jwk', { kty: 'RSA' }],
    ['jku', 'https://memory.example/.well-known/jwks.json'],
    ['x5u', 'https://memory.example'],
    ['x5c', ['MIIB']],
    ['x5t', 'a'],
    ['cty', 'JWT'],
    ['b64', true],
    ['anything', 1],
  ])('is refused with %s in its header, though its signature holds', async (name, value) => {
    const token = await resign(server, ada.accessToken, { header: { [name]: value } })
    expect(await present(token)).toEqual(invalid)
  })

  it('is refused with crit in its header', async () => {
    for (const crit of [[], ['exp'], ['b64'], 'exp', ['x']]) {
      const token = `${encode({ ...header, crit, x: 1 })}.${encode(payload)}.${ada.accessToken.split('.')[2]}`
      expect(await present(token), JSON.stringify(crit)).toEqual(invalid)
    }
  })

  it.each(['JWT', 'at+JWT', 'application/at+jwt', '', undefined, ['at+jwt'], 7])(
    'is refused with the type %j, though its signature holds',
    async (typ) => {
      const token = await resign(server, ada.accessToken, { header: { typ } }).catch(() => 'unsigned')
      expect(await present(token)).toEqual(invalid)
    },
  )

  it.each<[string, () => Record<string, unknown>]>([
    ['a foreign issuer', () => ({ iss: 'https://evil.example' })],
    ['an issuer that only begins like ours', () => ({ iss: `${issuer}/` })],
    ['no issuer', () => ({ iss: undefined })],
    ['a foreign audience', () => ({ aud: 'other-api' })],
    ['no audience', () => ({ aud: undefined })],
    ['no expiry', () => ({ exp: undefined })],
    ['an expiry that is no number', () => ({ exp: '9999999999' })],
    ['no time of issue', () => ({ iat: undefined })],
    ['no id', () => ({ jti: undefined })],
    ['no session', () => ({ sid: undefined })],
    ['a session that is no UUID', () => ({ sid: "' or true --" })],
    ['a user that is no UUID', () => ({ sub: '1' })],
    ['a user who is a list', () => ({ sub: [ada.userId] })],
    ['a time of issue in the future', () => ({ iat: nowS() + 8, exp: nowS() + 900 })],
    ['a beginning in the future', () => ({ nbf: nowS() + 8 })],
  ])('is refused with %s, though its signature holds', async (_, change) => {
    const token = await resign(server, ada.accessToken, { payload: change() })
    expect(await present(token)).toEqual(invalid)
  })

  const times = [
    '1e999',
    '-1e999',
    '1e400',
    '0.5',
    '-1',
    '9007199254740993',
    '1e300',
    'null',
    'true',
    '"1"',
    '[1]',
    '{}',
  ]
  const texts = ['null', 'true', '1', '""', '"x"', '[]', '{}', '["memory-api"]']
  /** JSON texts that a claim may not have. */
  const wrong: Record<string, readonly string[]> = {
    exp: [...times, '0'],
    iat: times,
    nbf: times,
    sub: texts,
    sid: texts,
    jti: texts,
    org: texts.slice(1),
    iss: texts,
    aud: [
      ...texts,
      '["memory-api","https://evil.example"]',
      '["https://evil.example","memory-api"]',
      '["memory-api","memory-api"]',
      '"memory-api "',
      '"Memory-API"',
      '{"0":"memory-api"}',
    ],
  }
  it.each(Object.entries(wrong))(
    'is refused with a %s of another type or range, though its signature holds',
    async (claim, values) => {
      for (const value of values) {
        const others = Object.entries({ ...payload, [claim]: undefined }).filter(
          ([, each]) => each !== undefined,
        )
        const claims = [
          ...others.map(([name, each]) => `${JSON.stringify(name)}:${JSON.stringify(each)}`),
          `"${claim}":${value}`,
        ]
        const token = await resignText(server, ada.accessToken, `{${claims.join()}}`)
        const [status, detail] = await present(token)
        // What lies in the past is expired as well.
        expect([status, /^(Invalid token|Token expired)$/.test(String(detail))], `${claim} ${value}`).toEqual(
          [401, true],
        )
      }
    },
  )

  it('is refused when it lives longer than ours do, or no time at all', async () => {
    const at = (iat: number, exp: number) => resign(server, ada.accessToken, { payload: { iat, exp } })
    for (const s of [901, 1_000, 86_400, 10 ** 9]) {
      expect(await present(await at(nowS(), nowS() + s)), String(s)).toEqual(invalid)
    }
    expect(await present(await at(nowS() - 2, nowS() - 2))).toEqual(invalid)
    expect((await present(await at(nowS(), nowS() + 900)))[0]).toBe(200)
  })

  it('is refused when it has expired, and taken within the 5 s that clocks may differ', async () => {
    const at = (exp: number, iat: number) => resign(server, ada.accessToken, { payload: { iat, exp } })
    expect(await present(await at(nowS() - 8, nowS() - 900))).toEqual([401, 'Token expired'])
    expect((await present(await at(nowS() - 1, nowS() - 900)))[0]).toBe(200)
    expect((await present(await at(nowS() + 900, nowS() + 3)))[0]).toBe(200)
  })

  it('is refused when a claim was changed after it was signed', async () => {
    const [head, , signature] = ada.accessToken.split('.')
    for (const change of [{ sub: ada.organizationId }, { exp: nowS() + 10 ** 6 }, { org: null }]) {
      expect(await present(`${head}.${encode({ ...payload, ...change })}.${signature}`)).toEqual(invalid)
    }
  })

  it('is refused when it is no token at all', async () => {
    const [head, claims, signature] = ada.accessToken.split('.') as [string, string, string]
    const broken = [
      'x',
      '.',
      '..',
      '...',
      `${head}.${claims}`,
      `${head}.${claims}.`,
      `${head}..${signature}`,
      `.${claims}.${signature}`,
      `${head}.${claims}.${signature}.${signature}`,
      `${head}.${claims}.${signature}.x.y`,
      `${encode([])}.${claims}.${signature}`,
      `${encode(null)}.${claims}.${signature}`,
      `${encode(header)}.${encode('x')}.${signature}`,
      `${Buffer.from('{').toString('base64url')}.${claims}.${signature}`,
      `${head}.${claims}.${signature.slice(0, -4)}`,
      `${head}.${claims}.${signature}AAAA`,
      `${head}.${claims}.${'A'.repeat(512)}`,
      'é'.repeat(10),
    ].map((token) => encodeURI(token))
    for (const token of broken) expect(await present(token), token).toEqual(invalid)
  })

  it('is refused after one that was good, as often as it comes', async () => {
    expect((await present(ada.accessToken))[0]).toBe(200)
    const forged = `${ada.accessToken.slice(0, -6)}AAAAAA`
    for (let i = 0; i < 3; i++) expect(await present(forged)).toEqual(invalid)
    expect((await present(ada.accessToken))[0]).toBe(200)
  })
})

describe('GET /.well-known/jwks.json', () => {
  it('T3 shows RSA keys of 3,072 bits, named by their thumbprint, and no private member', async () => {
    const { headers, body } = await ada.get('/.well-known/jwks.json', { Authorization: '' })
    expect(headers.get('cache-control')).toBe('public, max-age=300')
    expect(body.keys.length).toBeGreaterThan(0)
    for (const jwk of body.keys) {
      expect(Object.keys(jwk).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use'])
      expect(jwk).toMatchObject({ kty: 'RSA', alg: 'RS256', use: 'sig', e: 'AQAB' })
      expect(Buffer.from(jwk.n, 'base64url').length * 8).toBe(3_072)
      expect(await calculateJwkThumbprint({ kty: 'RSA', n: jwk.n, e: jwk.e })).toBe(jwk.kid)
    }
    expect(body.keys.map(({ kid }: { kid: string }) => kid)).toContain(header.kid)
  })
})

describe('T6 a token of one kind is refused as any other', () => {
  /** One of each kind that has a user behind it. */
  async function tokensOfAllKinds(): Promise<
    Record<'access' | 'refresh' | 'verify' | 'reset' | 'mfa' | 'key', string>
  > {
    const { queries } = server.context.database
    const [verify, reset, mfa] = [newToken('verify'), newToken('reset'), newToken('mfa')]
    await asTenant(queries, { userId: ada.userId }, async (trx) => {
      const inAnHour = sql<Date>`now() + interval '1 hour'`
      await sql`delete from app.email_tokens`.execute(trx)
      await sql`insert into app.email_tokens (user_id, purpose, token_hash, expires_at)
        values (${ada.userId}, 'verify-email', ${verify.hash}, ${inAnHour}),
          (${ada.userId}, 'reset-password', ${reset.hash}, ${inAnHour})`.execute(trx)
      await sql`insert into app.mfa_challenges (user_id, token_hash, expires_at)
        values (${ada.userId}, ${mfa.hash}, ${inAnHour})`.execute(trx)
    })
    const { key } = await server.newClient()
    const [access, refresh] = [ada.accessToken, ada.refreshToken]
    return { access, refresh, verify: verify.token, reset: reset.token, mfa: mfa.token, key }
  }

  it('by every endpoint that takes one, and each stays good where it belongs', async () => {
    const tokens = await tokensOfAllKinds()
    const nobody = new Anonymous(server.url)
    const uses: Record<string, (token: string) => Promise<Answer>> = {
      access: (token) => nobody.get('/v1/users/me', { Authorization: `Bearer ${token}` }),
      refresh: (token) => nobody.post('/v1/auth/refresh', { refresh_token: token }),
      verify: (token) => nobody.post('/v1/auth/verify-email', { token }),
      reset: (token) =>
        nobody.post('/v1/auth/reset-password', { token, new_password: 'another long password' }),
      mfa: (token) => nobody.post('/v1/auth/mfa/login', { token, code: '123456' }),
      key: (token) => nobody.get('/v1/memory/text/stats', { 'X-API-Key': token }),
    }
    for (const [use, present] of Object.entries(uses)) {
      for (const [kind, token] of Object.entries(tokens)) {
        if (kind === use) continue
        const { status, body } = await present(token)
        // A key is one as a bearer token, too; here it is a user who is asked for.
        const isKey = kind === 'key' && use === 'access'
        const detail = isKey
          ? 'This endpoint requires a user access token'
          : use === 'key'
            ? 'Invalid API key'
            : 'Invalid token'
        expect([status, body], `${kind} as ${use}`).toEqual([isKey ? 403 : 401, { detail }])
      }
    }
    // What was refused elsewhere is not used up. The reset comes last, because it ends the sessions.
    expect((await uses.access?.(tokens.access))?.status).toBe(200)
    expect((await uses.key?.(tokens.key))?.status).toBe(200)
    for (const use of ['refresh', 'verify', 'reset']) {
      expect((await uses[use]?.(tokens[use as 'refresh']))?.status, use).toBe(200)
    }
  })
})
