import { stepOfCode } from '@memory/identity/accounts/mfa/totp'
import { asTask, asTenant } from '@memory/shared/platform/database/database'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Anonymous, auditOf, mailedToken, newUser, queuedMails, type User } from '../support/accounts.ts'
import { newConformingClient } from '../support/conforms.ts'
import type { Answer } from '../support/requests.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { challenge, codeOf, enrol, fromBase32 } from './authenticator.ts'

let server: TestServer
let anyone: Anonymous

beforeAll(async () => {
  server = await startServer({ TRUSTED_PROXIES: 'loopback' })
  anyone = new Anonymous(server.url)
})
afterAll(() => server.close())

const enable = '/v1/auth/mfa/enable'
const setup = '/v1/auth/mfa/setup'
const verify = '/v1/auth/mfa/verify'
const disable = '/v1/auth/mfa/disable'
const mfaLogin = '/v1/auth/mfa/login'

const outcome = ({ status, body }: Answer) => [status, body?.detail]
const wrongCode = [401, 'Invalid MFA code']
const invalidToken = [401, 'Invalid token']

const login = ({ email, password }: User, more: object = {}, headers?: Record<string, string>) =>
  anyone.post('/v1/auth/login', { email, password, ...more }, headers)

const factorsOf = (user: User) =>
  asTenant(server.context.database.queries, user, async (trx) => {
    const tables = trx.withSchema('app')
    return {
      factors: await tables.selectFrom('mfa_factors').selectAll().execute(),
      codes: await tables.selectFrom('mfa_recovery_codes').selectAll().execute(),
      challenges: await tables.selectFrom('mfa_challenges').selectAll().execute(),
    }
  })

const isEnabled = async (user: User): Promise<boolean> => (await user.get('/v1/users/me')).body.mfa_enabled

const actionsOf = async (user: User) =>
  (await auditOf(server, user.userId)).map(({ action, success }) => (success ? action : `${action} failed`))

const repeat = (times: number, send: () => Promise<Answer>) =>
  Promise.all(Array.from({ length: times }, send)).then((answers) =>
    answers.map(({ status }) => status).sort(),
  )

describe('a code', () => {
  // RFC 6238, appendix B, the last six of its eight digits.
  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_234_567_890, '005924'],
    [20_000_000_000, '353130'],
  ])('at %d s is that of RFC 6238', (second, code) => {
    const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
    expect(codeOf(secret, Math.floor(second / 30))).toBe(code)
    expect(stepOfCode(secret, code, new Date(second * 1_000))).toBe(Math.floor(second / 30))
  })

  it('M2 is known by its step: now’s, the one before and the one after, and no other', () => {
    const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
    for (const second of [1_800_000_000, 1_800_000_015, 1_800_000_029]) {
      const now = new Date(second * 1_000)
      for (const away of [-3, -2, -1, 0, 1, 2, 3]) {
        const step = 60_000_000 + away
        expect(stepOfCode(secret, codeOf(secret, step), now), `${away} from ${second}`).toBe(
          Math.abs(away) <= 1 ? step : undefined,
        )
      }
    }
  })
})

describe('enrolment', () => {
  it('gives a secret of 160 bits and its URI, the same until it is finished', async () => {
    const ada = await newUser(server)
    expect((await ada.post(enable)).status).toBe(200)
    const first = await ada.post(setup)
    expect(first.status).toBe(200)
    const { secret, otpauth_uri } = first.body
    expect(fromBase32(secret)).toHaveLength(20)
    const uri = new URL(otpauth_uri)
    expect(uri.protocol + uri.host).toBe('otpauth:totp')
    expect(decodeURIComponent(uri.pathname)).toBe(`/Memory Service:${ada.email}`)
    expect(uri.searchParams.get('secret')).toBe(secret)
    expect(uri.searchParams.get('issuer')).toBe('Memory Service')

    await ada.post(enable)
    const again = await Promise.all(Array.from({ length: 5 }, () => ada.post(setup)))
    expect(new Set(again.map(({ body }) => body.secret))).toEqual(new Set([secret]))
    expect((await newUser(server).then((ben) => ben.post(setup))).body.secret).not.toBe(secret)
  })

  it('begins with setup too, once for 10 at once', async () => {
    const ada = await newUser(server)
    const secrets = await Promise.all(Array.from({ length: 10 }, () => ada.post(setup)))
    expect(new Set(secrets.map(({ body }) => body.secret)).size).toBe(1)
  })

  it('T5 keeps the secret sealed, for its user alone', async () => {
    const [ada, ben] = await Promise.all([newUser(server), newUser(server)])
    const { secret } = (await ada.post(setup)).body
    await ben.post(setup)
    const sealed = (await factorsOf(ada)).factors[0]?.secret ?? Buffer.alloc(0)
    expect(Buffer.from(sealed).includes(secret)).toBe(false)
    expect(Buffer.from(sealed).includes(fromBase32(secret))).toBe(false)
    await asTenant(server.context.database.queries, ben, (trx) =>
      trx.withSchema('app').updateTable('mfa_factors').set({ secret: sealed }).execute(),
    )
    expect((await ben.post(setup)).status).toBe(500)
  })

  it('M1 turns MFA on with a valid code and not before', async () => {
    const ada = await newUser(server)
    await ada.post(setup)
    expect(await isEnabled(ada)).toBe(false)
    expect((await login(ada)).body.mfa_required).toBe(false)
    const { recoveryCodes } = await enrol(ada, server.clock)
    expect(recoveryCodes).toHaveLength(10)
    expect(await isEnabled(ada)).toBe(true)
    expect((await login(ada)).body.mfa_required).toBe(true)
  })

  it('M1 refuses a wrong code and stays off', async () => {
    const ada = await newUser(server)
    const other = await ada.signInAgain()
    const { secret } = (await ada.post(setup)).body
    const step = Math.floor(server.clock.now().getTime() / 30_000)
    for (const away of [-4, 4]) {
      expect(outcome(await ada.post(verify, { code: codeOf(secret, step + away) }))).toEqual(wrongCode)
    }
    expect(await isEnabled(ada)).toBe(false)
    expect(await isEnabled(other)).toBe(false)
    expect(await actionsOf(ada)).toContain('mfa_enabled failed')
    expect((await factorsOf(ada)).codes).toEqual([])
  })

  it('M1 ends the other sessions, mails a notice and is in the audit log', async () => {
    const ada = await newUser(server)
    const other = await ada.signInAgain()
    await enrol(ada, server.clock)
    expect(outcome(await other.get('/v1/users/me'))).toEqual([401, 'Token revoked'])
    expect((await ada.get('/v1/users/me')).status).toBe(200)
    expect((await server.mails()).at(-1)).toMatchObject({
      to: ada.email,
      subject: 'Two-factor authentication was turned on',
      text: expect.stringMatching(/from the address 127\.0\.0\.1\.\s+All other sessions have ended\./),
    })
    expect((await actionsOf(ada)).filter((action) => action.startsWith('mfa'))).toEqual(['mfa_enabled'])
  })

  it('M1 leaves no session that a password alone began at the same time', async () => {
    const ada = await newUser(server)
    const { secret } = (await ada.post(setup)).body
    const code = codeOf(secret, Math.floor(server.clock.now().getTime() / 30_000))
    const logins = Array.from({ length: 8 }, () => login(ada))
    const [verified, ...answers] = await Promise.all([ada.post(verify, { code }), ...logins])
    expect(verified?.status).toBe(200)
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
    const sessions = (await ada.get('/v1/security/sessions')).body
    expect(sessions.map(({ id }: { id: string }) => id)).toEqual([ada.sessionId])
  })

  it('of 10 verifications at once finishes with one', async () => {
    const ada = await newUser(server)
    const { secret } = (await ada.post(setup)).body
    const code = codeOf(secret, Math.floor(server.clock.now().getTime() / 30_000))
    const statuses = await repeat(10, () => ada.post(verify, { code }))
    expect(statuses).toEqual([200, ...Array(9).fill(409)])
    expect((await factorsOf(ada)).codes).toHaveLength(10)
  })

  it('is asked for in order: 409 otherwise', async () => {
    const ada = await newUser(server)
    expect(outcome(await ada.post(verify, { code: '123456' }))).toEqual([
      409,
      'MFA enrolment has not been started',
    ])
    expect(outcome(await ada.post(disable, { code: '123456' }))).toEqual([409, 'MFA is not enabled'])
    await ada.post(enable)
    expect(outcome(await ada.post(disable, { code: '123456' }))).toEqual([409, 'MFA is not enabled'])
    await enrol(ada, server.clock)
    for (const [path, body] of [[enable], [setup], [verify, { code: '123456' }]] as const) {
      expect(outcome(await ada.post(path, body)), path).toEqual([409, 'MFA is already enabled'])
    }
  })

  it.each(['12345', '1234567', '12345a', ' 123456', '１２３４５６', '', 123456, null])(
    'refuses the code %j with 422, without repeating it',
    async (code) => {
      const ada = await newUser(server)
      await enrol(ada, server.clock)
      for (const path of [verify, disable]) {
        const { status, body } = await ada.post(path, { code })
        expect(status).toBe(422)
        expect(body.detail).toMatchObject([{ loc: ['body', 'code'], input: '[redacted]' }])
      }
      const answers = [
        await anyone.post(mfaLogin, { code: code === null ? undefined : code, token: 'mfa_x' }),
        ...(code === null ? [] : [await login(ada, { mfa_code: code })]),
      ]
      for (const { status } of answers) expect(status).toBe(422)
    },
  )

  it('K2 is no business of API keys, nor of nobody', async () => {
    const client = await newConformingClient(server)
    for (const path of [enable, setup, verify, disable]) {
      expect(outcome(await client.post(path, { code: '123456' }))).toEqual([
        403,
        'This endpoint requires a user access token',
      ])
      expect((await anyone.post(path, { code: '123456' })).status).toBe(401)
    }
  })
})

describe('signing in with MFA', () => {
  it('M3 gives a challenge for the password, and tokens for the code', async () => {
    const ada = await newUser(server)
    const { app } = await enrol(ada, server.clock)
    const { status, body } = await login(ada)
    expect(status).toBe(200)
    expect(body).toEqual({
      access_token: null,
      refresh_token: null,
      token_type: 'bearer',
      expires_in: 900,
      mfa_required: true,
      mfa_token: expect.stringMatching(/^mfa_[\w-]{43}$/),
    })
    const finished = await anyone.post(mfaLogin, { code: app.nextCode(), token: body.mfa_token })
    expect(finished.status).toBe(200)
    expect(finished.body).toEqual({
      access_token: expect.any(String),
      refresh_token: expect.any(String),
      token_type: 'bearer',
      expires_in: 900,
    })
    const again = ada.with({ accessToken: finished.body.access_token })
    expect(await isEnabled(again)).toBe(true)
    expect((await actionsOf(ada)).filter((action) => action.startsWith('login'))).toEqual(['login'])
  })

  it('takes the code along with the password', async () => {
    const ada = await newUser(server)
    const { app, recoveryCodes } = await enrol(ada, server.clock)
    const byCode = await login(ada, { mfa_code: app.nextCode() })
    expect(byCode.body).toMatchObject({ mfa_required: false, access_token: expect.any(String) })
    expect(byCode.body).not.toHaveProperty('mfa_token')
    const byRecovery = await login(ada, { recovery_code: recoveryCodes[0], mfa_code: null })
    expect(byRecovery.body).toMatchObject({ mfa_required: false, access_token: expect.any(String) })
    expect(outcome(await login(ada, { mfa_code: app.wrongCode() }))).toEqual(wrongCode)
    expect(outcome(await login(ada, { recovery_code: 'no-such-code' }))).toEqual(wrongCode)
    expect(await actionsOf(ada)).toContain('login_failed failed')
  })

  it('minds no code of a user without MFA', async () => {
    const ada = await newUser(server)
    const { status, body } = await login(ada, { mfa_code: '123456', recovery_code: 'x' })
    expect({ status, required: body.mfa_required }).toEqual({ status: 200, required: false })
  })

  it('tells nobody without the password anything, and uses no code up', async () => {
    const ada = await newUser(server)
    const { app } = await enrol(ada, server.clock)
    const code = app.nextCode()
    const wrong = await anyone.post('/v1/auth/login', { email: ada.email, password: 'wrong', mfa_code: code })
    expect(outcome(wrong)).toEqual([401, 'Invalid email or password'])
    expect((await login(ada, { mfa_code: code })).status).toBe(200)
  })

  it('M2 accepts a step before and after, none further away', async () => {
    const ada = await newUser(server)
    const { app } = await enrol(ada, server.clock)
    for (const [away, expected] of [
      [-2, 401],
      [2, 401],
      [-1, 200],
      [0, 200],
      [1, 200],
    ] as const) {
      // Within the step, so that it does not end between code and request.
      app.nextCode()
      app.nextCode()
      app.nextCode()
      expect((await login(ada, { mfa_code: app.code(away) })).status, `${away}`).toBe(expected)
    }
  })

  it('M2 accepts no code twice, and none before the last one accepted', async () => {
    const ada = await newUser(server)
    const { app } = await enrol(ada, server.clock)
    const code = app.nextCode()
    expect((await login(ada, { mfa_code: code })).status).toBe(200)
    expect(outcome(await login(ada, { mfa_code: code }))).toEqual(wrongCode)
    expect(outcome(await anyone.post(mfaLogin, { code, token: await challenge(ada) }))).toEqual(wrongCode)
    expect(outcome(await login(ada, { mfa_code: app.code(-1) }))).toEqual(wrongCode)
    expect((await login(ada, { mfa_code: app.code(1) })).status).toBe(200)
    expect(outcome(await login(ada, { mfa_code: app.code(1) }))).toEqual(wrongCode)
  })

  it('M2 uses a code once for each purpose', async () => {
    const ada = await newUser(server)
    const { secret } = (await ada.post(setup)).body
    const code = codeOf(secret, Math.floor(server.clock.now().getTime() / 30_000) + 1)
    expect((await ada.post(verify, { code })).status).toBe(200)
    expect((await login(ada, { mfa_code: code })).status).toBe(200)
    expect((await ada.post(disable, { code })).status).toBe(200)
  })

  it('M2 of 20 logins at once with one code has one success', async () => {
    const ada = await newUser(server)
    const { app } = await enrol(ada, server.clock)
    const code = app.nextCode()
    let n = 0
    // From addresses of their own, so that no limit on attempts decides.
    const statuses = await repeat(20, () => login(ada, { mfa_code: code }, from(`198.51.100.${++n}`)))
    expect(statuses).toEqual([200, ...Array(19).fill(401)])
  })

  it('M2 of 20 challenges answered at once with one code one is passed', async () => {
    const ada = await newUser(server)
    const { app } = await enrol(ada, server.clock)
    const tokens: string[] = []
    for (let i = 0; i < 20; i++) tokens.push(await challenge(ada))
    const code = app.nextCode()
    const answers = await Promise.all(
      tokens.map((token, i) => anyone.post(mfaLogin, { code, token }, from(`198.51.100.${i}`))),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(401)])
  })
})

/** As a proxy says where a request comes from. */
const from = (ip: string) => ({ 'X-Forwarded-For': ip })

describe('a challenge', () => {
  it('M3 is passed once, also by 10 at once with codes that hold', async () => {
    const ada = await newUser(server)
    const { app, recoveryCodes } = await enrol(ada, server.clock)
    const token = await challenge(ada)
    const codes = [app.nextCode(), ...recoveryCodes.slice(0, 4)]
    const answers = await Promise.all(codes.map((code) => anyone.post(mfaLogin, { code, token })))
    expect(answers.map(outcome).sort()).toEqual([[200, undefined], ...Array(4).fill(invalidToken)].sort())
  })

  it('M3 ends after five minutes', async () => {
    const ada = await newUser(server)
    const { app } = await enrol(ada, server.clock)
    const token = await challenge(ada)
    const { challenges } = await factorsOf(ada)
    const [{ created_at, expires_at } = { created_at: new Date(0), expires_at: new Date(0) }] = challenges
    expect(expires_at.getTime() - created_at.getTime()).toBe(300_000)
    await asTenant(server.context.database.queries, ada, (trx) =>
      trx
        .withSchema('app')
        .updateTable('mfa_challenges')
        .set({ expires_at: sql<Date>`now() - interval '1 millisecond'` })
        .execute(),
    )
    expect(outcome(await anyone.post(mfaLogin, { code: app.nextCode(), token }))).toEqual(invalidToken)
  })

  it('M3 is killed by five wrong codes: the right one comes too late', async () => {
    const ada = await newUser(server)
    const { app } = await enrol(ada, server.clock)
    const token = await challenge(ada)
    app.nextCode()
    for (let i = 0; i < 5; i++) {
      expect(outcome(await anyone.post(mfaLogin, { code: app.wrongCode(), token }))).toEqual(wrongCode)
    }
    expect(outcome(await anyone.post(mfaLogin, { code: app.code(), token }))).toEqual(invalidToken)
    const next = await challenge(ada)
    expect((await anyone.post(mfaLogin, { code: app.code(), token: next })).status).toBe(200)
  })

  it('M3 of 20 wrong codes at once looks at five', async () => {
    const ada = await newUser(server)
    const { app } = await enrol(ada, server.clock)
    const token = await challenge(ada)
    let n = 0
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        anyone.post(mfaLogin, { code: app.wrongCode(), token }, from(`203.0.113.${++n}`)),
      ),
    )
    expect(answers.map(outcome).filter(([, detail]) => detail === 'Invalid MFA code')).toHaveLength(5)
    expect((await factorsOf(ada)).challenges).toMatchObject([{ failures: 5, used_at: null }])
  })

  it('M3 counts wrong codes per account across challenges, whatever the password forgives', async () => {
    const ada = await newUser(server)
    const { app } = await enrol(ada, server.clock)
    for (let i = 0; i < 10; i++) {
      const token = await challenge(ada)
      expect(outcome(await anyone.post(mfaLogin, { code: app.wrongCode(), token }))).toEqual(wrongCode)
    }
    const refused = await login(ada)
    expect(outcome(refused)).toEqual([429, 'Too many attempts'])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  it('M3 counts them from all addresses: 20 in a quarter of an hour', async () => {
    const ada = await newUser(server)
    const { app } = await enrol(ada, server.clock)
    const statuses: number[] = []
    for (let i = 0; i < 21; i++) {
      const ip = from(`192.0.2.${Math.floor(i / 5)}`)
      const { mfa_token: token } = (await login(ada, {}, ip)).body
      statuses.push((await anyone.post(mfaLogin, { code: app.wrongCode(), token }, ip)).status)
    }
    expect(statuses).toEqual([...Array(20).fill(401), 429])
    expect((await login(ada, { mfa_code: app.nextCode() }, from('192.0.2.99'))).status).toBe(429)
  })

  it('T6 opens nothing else, and nothing else stands for it', async () => {
    const ada = await newUser(server)
    const { app } = await enrol(ada, server.clock)
    const token = await challenge(ada)
    expect(outcome(await ada.with({ accessToken: token }).get('/v1/users/me'))).toEqual(invalidToken)
    expect((await anyone.post('/v1/auth/refresh', { refresh_token: token })).status).toBe(401)
    expect((await anyone.post('/v1/auth/verify-email', { token })).status).toBe(401)
    const code = app.nextCode()
    for (const other of [ada.accessToken, ada.refreshToken, '', 'mfa_', undefined, null]) {
      expect(outcome(await anyone.post(mfaLogin, { code, token: other })), String(other)).toEqual(
        invalidToken,
      )
    }
    expect((await anyone.post(mfaLogin, { code, token })).status).toBe(200)
  })

  it('is void after a change of the password', async () => {
    const ada = await newUser(server)
    const { app } = await enrol(ada, server.clock)
    const token = await challenge(ada)
    const new_password = 'another long password'
    await ada.put('/v1/users/me/password', { current_password: ada.password, new_password })
    expect(outcome(await anyone.post(mfaLogin, { code: app.nextCode(), token }))).toEqual(invalidToken)
  })

  it('is no way into an account that has been suspended since', async () => {
    const ada = await newUser(server)
    const { app } = await enrol(ada, server.clock)
    const token = await challenge(ada)
    await asTask(server.context.database.queries, 'administer-accounts', (trx) =>
      trx
        .withSchema('app')
        .updateTable('users')
        .set({ status: 'suspended' })
        .where('id', '=', ada.userId)
        .execute(),
    )
    expect(outcome(await anyone.post(mfaLogin, { code: app.nextCode(), token }))).toEqual([
      403,
      'Account suspended',
    ])
  })
})

describe('recovery codes', () => {
  it('M4 are ten of 120 bits, stored hashed, shown once', async () => {
    const ada = await newUser(server)
    const { recoveryCodes } = await enrol(ada, server.clock)
    expect(new Set(recoveryCodes).size).toBe(10)
    for (const code of recoveryCodes)
      expect(code).toMatch(/^(?:[0-9a-hjkmnp-tv-z]{6}-){3}[0-9a-hjkmnp-tv-z]{6}$/)
    const { codes } = await factorsOf(ada)
    expect(codes).toHaveLength(10)
    for (const { code_hash } of codes) expect(code_hash).toHaveLength(32)
    const stored =
      JSON.stringify(codes) + codes.map(({ code_hash }) => Buffer.from(code_hash).toString('latin1'))
    for (const code of recoveryCodes) expect(stored).not.toContain(code)
  })

  it('M4 work once each, as written down or typed otherwise, and are audited', async () => {
    const ada = await newUser(server)
    const { recoveryCodes } = await enrol(ada, server.clock)
    const [first = '', second = '', third = ''] = recoveryCodes
    const answer = async (code: string) =>
      outcome(await anyone.post(mfaLogin, { code, token: await challenge(ada) }))
    expect(await answer(first)).toEqual([200, undefined])
    expect(await answer(first)).toEqual(wrongCode)
    expect(await answer(second.toUpperCase().replaceAll('-', ' '))).toEqual([200, undefined])
    expect(await answer(second)).toEqual(wrongCode)
    expect(await answer(third.replaceAll('-', ''))).toEqual([200, undefined])
    const used = (await ada.get('/v1/security/audit-log')).body.entries.filter(
      ({ action }: { action: string }) => action === 'mfa_recovery_used',
    )
    expect(used.map(({ details }: { details: object }) => details)).toEqual([
      { codes_left: 7 },
      { codes_left: 8 },
      { codes_left: 9 },
    ])
    for (const code of recoveryCodes) expect(JSON.stringify(used)).not.toContain(code)
  })

  it('M4 of 20 uses of one at once one succeeds', async () => {
    const ada = await newUser(server)
    const { recoveryCodes } = await enrol(ada, server.clock)
    let n = 0
    const statuses = await repeat(20, () =>
      login(ada, { recovery_code: recoveryCodes[0] }, from(`198.51.100.${++n}`)),
    )
    expect(statuses).toEqual([200, ...Array(19).fill(401)])
  })

  it('M4 are another user’s own', async () => {
    const [ada, ben] = await Promise.all([newUser(server), newUser(server)])
    const { recoveryCodes } = await enrol(ada, server.clock)
    await enrol(ben, server.clock)
    expect(outcome(await login(ben, { recovery_code: recoveryCodes[0] }))).toEqual(wrongCode)
    expect((await login(ada, { recovery_code: recoveryCodes[0] })).status).toBe(200)
  })

  it('M4 of an earlier enrolment are void', async () => {
    const ada = await newUser(server)
    const { app, recoveryCodes } = await enrol(ada, server.clock)
    await ada.post(disable, { code: app.nextCode() })
    const next = await enrol(ada, server.clock)
    expect(next.app.secret).not.toBe(app.secret)
    expect((await factorsOf(ada)).codes).toHaveLength(10)
    expect(outcome(await login(ada, { recovery_code: recoveryCodes[0] }))).toEqual(wrongCode)
    expect((await login(ada, { recovery_code: next.recoveryCodes[0] })).status).toBe(200)
  })

  it('turn MFA off for who has lost the app, each as good as a code of it and no better', async () => {
    const ada = await newUser(server)
    const { recoveryCodes } = await enrol(ada, server.clock)
    const [first, second] = recoveryCodes
    expect((await login(ada, { recovery_code: first })).status).toBe(200)
    expect((await ada.post(disable, { code: second })).status).toBe(422)
    const without = await ada.post(disable, {})
    expect(without.status).toBe(422)
    // As text: in the order that all such entries have.
    expect(JSON.stringify(without.body.detail)).toBe(
      '[{"type":"missing","loc":["body","code"],"msg":"Field required","input":null}]',
    )
    for (const wrong of [first, 'no code at all'])
      expect(outcome(await ada.post(disable, { recovery_code: wrong }))).toEqual(wrongCode)
    expect(await isEnabled(ada)).toBe(true)
    expect((await ada.post(disable, { recovery_code: second })).status).toBe(200)
    expect(await factorsOf(ada)).toEqual({ factors: [], codes: [], challenges: [] })
    expect((await login(ada)).body.mfa_required).toBe(false)
    expect((await queuedMails(server, ada.userId)).map(({ template }) => template)).toContain('mfa-disabled')
  })
})

describe('disabling', () => {
  it('M1 needs a valid code, ends MFA, mails a notice and is in the audit log', async () => {
    const ada = await newUser(server)
    const { app } = await enrol(ada, server.clock)
    await challenge(ada)
    expect(outcome(await ada.post(disable, { code: app.wrongCode() }))).toEqual(wrongCode)
    expect(await isEnabled(ada)).toBe(true)
    const { status, body } = await ada.post(disable, { code: app.nextCode() })
    expect({ status, body }).toEqual({ status: 200, body: { message: 'MFA disabled' } })
    expect(await factorsOf(ada)).toEqual({ factors: [], codes: [], challenges: [] })
    expect(await isEnabled(ada)).toBe(false)
    expect((await login(ada)).body.mfa_required).toBe(false)
    expect((await queuedMails(server, ada.userId)).map(({ template }) => template)).toContain('mfa-disabled')
    expect((await actionsOf(ada)).filter((action) => action.startsWith('mfa_disabled')).sort()).toEqual([
      'mfa_disabled',
      'mfa_disabled failed',
    ])
  })

  it('of 10 at once happens once', async () => {
    const ada = await newUser(server)
    const { app } = await enrol(ada, server.clock)
    const code = app.nextCode()
    expect(await repeat(10, () => ada.post(disable, { code }))).toEqual([200, ...Array(9).fill(409)])
  })

  it('cannot be guessed at by a stolen session: 10 tries, then 429', async () => {
    const ada = await newUser(server)
    const { app } = await enrol(ada, server.clock)
    const statuses = await repeat(15, () => ada.post(disable, { code: app.wrongCode() }))
    expect(statuses).toEqual([...Array(10).fill(401), ...Array(5).fill(429)])
    expect(await isEnabled(ada)).toBe(true)
  })
})

describe('M5 a reset of the password', () => {
  it('never skips MFA', async () => {
    const ada = await newUser(server)
    const { app } = await enrol(ada, server.clock)
    await anyone.post('/v1/auth/forgot-password', { email: ada.email })
    const token = await mailedToken(server, ada.userId, 'reset-password')
    const new_password = 'another long password'
    expect((await anyone.post('/v1/auth/reset-password', { token, new_password })).status).toBe(200)
    const renewed = ada.with({ password: new_password })
    expect((await login(renewed)).body).toMatchObject({ mfa_required: true, access_token: null })
    expect((await login(renewed, { mfa_code: app.nextCode() })).status).toBe(200)
  })
})

describe('signing out everywhere', () => {
  it('ends sign-ins that wait for a code', async () => {
    const ada = await newUser(server)
    const { app, recoveryCodes } = await enrol(ada, server.clock)
    const token = await challenge(ada)
    expect((await ada.post('/v1/auth/logout-all')).status).toBe(200)
    for (const code of [app.nextCode(), recoveryCodes[0]]) {
      expect(outcome(await anyone.post('/v1/auth/mfa/login', { token, code }))).toEqual(invalidToken)
    }
    expect((await login(ada, { mfa_code: app.code() })).status).toBe(200)
  })
})

describe('a new password', () => {
  it('ends an enrolment that somebody who had the old one may have begun, and no factor', async () => {
    const [ada, ben] = [await newUser(server), await newUser(server)]
    const password = 'another long password'
    const known = (await ada.post(setup)).body.secret
    const changed = { current_password: ada.password, new_password: password }
    expect((await ada.put('/v1/users/me/password', changed)).status).toBe(200)
    const secret = (await ada.post(setup)).body.secret
    expect(secret).not.toBe(known)
    expect(outcome(await ada.post(verify, { code: codeOf(known, stepAt(server.clock)) }))).toEqual(wrongCode)

    const seen = (await ben.post(setup)).body.secret
    await anyone.post('/v1/auth/forgot-password', { email: ben.email })
    const token = await mailedToken(server, ben.userId, 'reset-password')
    await anyone.post('/v1/auth/reset-password', { token, new_password: password })
    const renewed = await ben.with({ password }).signInAgain()
    expect((await renewed.post(setup)).body.secret).not.toBe(seen)
  })
})

const stepAt = (clock: { now(): Date }) => Math.floor(clock.now().getTime() / 30_000)
