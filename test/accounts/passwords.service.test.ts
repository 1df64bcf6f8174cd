import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Passwords, standardCost } from '@memory/identity/accounts/passwords'
import { ApiError } from '@memory/shared/catalogue/errors'
import { mailboxOf } from '@memory/shared/catalogue/mailbox'
import { normalizePassword } from '@memory/shared/catalogue/normalize-password'
import { asTenant } from '@memory/shared/platform/database/database'
import argon2 from 'argon2'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Anonymous, mailedToken, newEmail, newUser, type User } from '../support/accounts.ts'
import { startServer, type TestServer } from '../support/server.ts'

/** Passwords in NFKC, and the same as another keyboard sends them. */
const spellings = [
  ['crème brûlée à Zürich', 'crème brûlée à Zürich'.normalize('NFD')],
  ['비밀번호는 비밀입니다', '비밀번호는 비밀입니다'.normalize('NFD')],
  ['pass phrase 1234', 'ｐａｓｓ　ｐｈｒａｓｅ　１２３４'],
  ['finest office files', 'ﬁnest oﬃce ﬁles'],
  ['10 square metres', '10 square metreſ'],
  ['Ω resistor of 5 kΩ', '\u2126 resistor of 5 k\u2126'],
] as const

const cheap = { memoryKiB: 64, passes: 1, lanes: 1 }

const list = readFileSync(
  new URL('../../packages/identity/src/accounts/common-passwords/list.txt', import.meta.url),
  'utf8',
)

describe('hashing', () => {
  it('P1 is argon2id with 19 MiB, two passes and a salt of its own', async () => {
    const passwords = new Passwords({ concurrency: 2 })
    expect(standardCost).toEqual({ memoryKiB: 19_456, passes: 2, lanes: 1 })
    const hashes = await Promise.all([passwords.hash('the same one'), passwords.hash('the same one')])
    for (const hash of hashes)
      expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
    expect(new Set(hashes).size).toBe(2)
    expect(await argon2.verify(hashes[0] as string, 'the same one')).toBe(true)
    expect(await passwords.verify(hashes[0], 'the same one')).toEqual({ valid: true, outdated: false })
    expect(await passwords.verify(hashes[0], 'another one')).toEqual({ valid: false, outdated: false })
  })

  it('P1 knows hashes that cost less than hashes do now', async () => {
    const passwords = new Passwords({ concurrency: 2, cost: { memoryKiB: 128, passes: 2, lanes: 2 } })
    const outdated = async (options: Parameters<typeof argon2.hash>[1]) =>
      (await passwords.verify(await argon2.hash('x', options), 'x')).outdated
    const options = { type: argon2.argon2id, memoryCost: 128, timeCost: 2, parallelism: 2 } as const
    expect(await outdated(options)).toBe(false)
    expect(await outdated({ ...options, memoryCost: 256, timeCost: 3 })).toBe(false)
    expect(await outdated({ ...options, memoryCost: 127 })).toBe(true)
    expect(await outdated({ ...options, timeCost: 1 })).toBe(true)
    expect(await outdated({ ...options, parallelism: 1 })).toBe(true)
  })

  it('finds nobody’s password valid, after the work of a real one', async () => {
    const passwords = new Passwords({ concurrency: 1 })
    const hash = await passwords.hash('x')
    const cpuMs = async (hash: string | undefined) => {
      const before = process.cpuUsage()
      for (let time = 0; time < 5; time++) {
        expect(await passwords.verify(hash, 'y')).toEqual({ valid: false, outdated: false })
      }
      return process.cpuUsage(before).user / 5_000
    }
    await cpuMs(undefined)
    const ratio = (await cpuMs(undefined)) / (await cpuMs(hash))
    expect(ratio).toBeGreaterThan(0.5)
    expect(ratio).toBeLessThan(2)
  })

  it('compares in NFKC, and knows the hash of what was sent before passwords were normalised', async () => {
    const passwords = new Passwords({ concurrency: 2, cost: cheap })
    const options = { type: argon2.argon2id, memoryCost: 64, timeCost: 1, parallelism: 1 } as const
    for (const [composed, decomposed] of spellings) {
      const hash = await passwords.hash(decomposed)
      expect(await argon2.verify(hash, composed)).toBe(true)
      for (const form of [composed, decomposed]) {
        expect(await passwords.verify(hash, form)).toEqual({ valid: true, outdated: false })
      }
      const old = await argon2.hash(decomposed, options)
      expect(await passwords.verify(old, decomposed)).toEqual({ valid: true, outdated: true })
      expect((await passwords.verify(old, `${decomposed}!`)).valid).toBe(false)
    }
  })

  it('tries the second form of a password for nobody, too, and only where it differs', async () => {
    let derived = 0
    const derive = async () => Buffer.alloc(32, ++derived)
    const passwords = new Passwords({ concurrency: 1, cost: cheap, derive })
    const hash = await new Passwords({ concurrency: 1, cost: cheap }).hash('another one')
    const times = async (hash: string | undefined, password: string) => {
      const before = derived
      expect((await passwords.verify(hash, password)).valid).toBe(false)
      return derived - before
    }
    for (const [composed, decomposed] of spellings) {
      expect([await times(hash, composed), await times(undefined, composed)]).toEqual([1, 1])
      expect([await times(hash, decomposed), await times(undefined, decomposed)]).toEqual([2, 2])
    }
  })

  it('normalises nothing that is longer than any password', async () => {
    // A second of work, which grows with the square of the length.
    const accents = '\u0315\u0300'.repeat(15_000)
    expect(normalizePassword(accents)).toBe(accents)
    const jamo = '각'.normalize('NFD').repeat(341)
    expect(normalizePassword(jamo)).toBe('각'.repeat(341))
  })

  it('P5 runs a few at once, lets so many wait, and refuses the others with Retry-After', async () => {
    const passwords = new Passwords({ concurrency: 2, cost: cheap })
    const results = Promise.allSettled(Array.from({ length: 200 }, () => passwords.hash('x')))
    expect(passwords.running).toBe(2)
    expect(passwords.waiting).toBe(128)
    const refused = (await results).filter((result) => result.status === 'rejected')
    expect(refused).toHaveLength(200 - 2 - 128)
    for (const { reason } of refused) {
      expect(reason).toBeInstanceOf(ApiError)
      expect(reason).toMatchObject({ code: 'unavailable', retryAfterS: 2 })
    }
    expect([passwords.running, passwords.waiting]).toEqual([0, 0])
  })

  it('P5 keeps its places when hashes fail', async () => {
    const passwords = new Passwords({ concurrency: 2, cost: cheap })
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, () => passwords.verify('no hash at all', 'x')),
    )
    expect(results.every(({ status }) => status === 'rejected')).toBe(true)
    expect([passwords.running, passwords.waiting]).toEqual([0, 0])
    expect((await passwords.verify(await passwords.hash('x'), 'x')).valid).toBe(true)
  })
})

describe('the list of common passwords', () => {
  it('P2 has at least 3,000 that are long enough to be chosen, each once and in lower case', () => {
    const entries = list.trimEnd().split('\n')
    expect(entries.length).toBeGreaterThanOrEqual(3_000)
    expect(new Set(entries).size).toBe(entries.length)
    expect(entries.filter((entry) => entry.length < 12 || entry !== entry.toLowerCase())).toEqual([])
    expect(entries).toContain('qwertyuiop123')
  })
})

describe('passwords of accounts', () => {
  let server: TestServer
  let anyone: Anonymous

  beforeAll(async () => {
    server = await startServer({ PASSWORD_BLOCKLIST: 'on' })
    anyone = new Anonymous(server.url)
  })
  afterAll(() => server.close())

  const register = (password: unknown, email = newEmail()) =>
    anyone.post('/v1/auth/register', { email, password })
  const login = ({ email }: { email: string }, password: string) =>
    anyone.post('/v1/auth/login', { email, password })
  const hashOf = ({ userId }: User) =>
    asTenant(server.context.database.queries, { userId }, (trx) =>
      trx.withSchema('app').selectFrom('users').select('password_hash').executeTakeFirstOrThrow(),
    ).then((row) => row.password_hash)

  it.each([
    ['under 12 characters', 'elevenchars', 'string_too_short'],
    ['11 characters in 44 bytes', '🐘'.repeat(11), 'string_too_short'],
    ['over 1,024 bytes', 'é'.repeat(513), 'value_error'],
    ['a common one', 'qwertyuiop123', 'value_error'],
    ['a common one in capitals', 'QWERTYUIOP123', 'value_error'],
    ['no string', 123_456_789_012, 'string_type'],
    ['11 letters, with an accent each', 'é'.normalize('NFD').repeat(11), 'string_too_short'],
    ['over 1,024 bytes in NFKC', `${'ﷺ'.repeat(32)}twelve more`, 'value_error'],
    ['a common one in fullwidth letters', 'ｑｗｅｒｔｙｕｉｏｐ１２３', 'value_error'],
    ['longer than is normalised', '\u0300'.repeat(20_000), 'value_error'],
    ['with a lone surrogate', `${'x'.repeat(12)}\ud800`, 'value_error'],
  ])('P2 refuses one that is %s, and repeats it nowhere', async (_what, password, type) => {
    const { status, body } = await register(password)
    expect(status).toBe(422)
    expect(body.detail).toMatchObject([{ type, loc: ['body', 'password'], input: '[redacted]' }])
    expect(JSON.stringify(body)).not.toContain(String(password))
  })

  it('P2 refuses the email address, in any letter case', async () => {
    const email = newEmail()
    expect((await register(email, email)).status).toBe(422)
    expect((await register(email.toUpperCase(), email)).status).toBe(422)
    const idn = `${randomUUID()}@münchen.example`
    for (const password of [idn, mailboxOf(idn), idn.normalize('NFD'), idn.replace('@', '＠')]) {
      expect((await register(password, idn)).status).toBe(422)
    }
  })

  it('P2 holds for a reset, too', async () => {
    const user = await newUser(server)
    await anyone.post('/v1/auth/forgot-password', { email: user.email })
    const token = await mailedToken(server, user.userId, 'reset-password')
    for (const new_password of ['elevenchars', 'qwertyuiop123', user.email, 'é'.repeat(513)]) {
      const { status } = await anyone.post('/v1/auth/reset-password', { token, new_password })
      expect(status).toBe(422)
    }
  })

  it('P2 hashes nothing that is refused', async () => {
    const { passwords } = server.context.accounts
    const original = passwords.hash
    let hashes = 0
    passwords.hash = (password) => {
      hashes++
      return original.call(passwords, password)
    }
    try {
      expect((await register('qwertyuiop123')).status).toBe(422)
      expect(hashes).toBe(0)
      expect((await register('not common at all')).status).toBe(201)
      expect(hashes).toBe(1)
    } finally {
      passwords.hash = original
    }
  })

  it.each([
    ['64 and more characters', 'a long pass phrase '.repeat(10)],
    ['1,024 bytes', 'é'.repeat(512)],
    ['spaces at both ends', '   spaces here   '],
    ['emoji', '🐘🐘🐘🐘🐘🐘🐘🐘🐘🐘🐘🐘'],
    ['one character only', 'zzzzzzzzzzzzz'],
    ['composed letters', 'é'.normalize('NFC').repeat(12)],
    ['decomposed letters', 'é'.normalize('NFD').repeat(12)],
    ['12 characters in NFKC, fewer before', 'ﬃﬃﬃﬃ'],
  ])('P3 keeps one with %s as it is but for its normal form', async (_what, password) => {
    const user = await newUser(server, { password })
    expect((await login(user, password)).status).toBe(200)
    const changed = [
      password.toUpperCase(),
      password.trim(),
      [...password].slice(0, -1).join(''),
      `${password}\n`,
    ]
    const forms = ['NFC', 'NFD', 'NFKC', 'NFKD'].map((form) => password.normalize(form))
    for (const form of new Set(forms)) expect((await login(user, form)).status).toBe(200)
    for (const other of new Set(changed)) {
      if (!forms.includes(other)) expect((await login(user, other)).status).toBe(401)
    }
  })

  const setHash = ({ userId }: User, password_hash: string) =>
    asTenant(server.context.database.queries, { userId }, (trx) =>
      trx.withSchema('app').updateTable('users').set({ password_hash }).execute(),
    )
  const oldHash = (password: string) =>
    argon2.hash(password, { type: argon2.argon2id, memoryCost: 256, timeCost: 1, parallelism: 1 })

  it('a hash of a password that was not normalised opens the account once more, and is then replaced', async () => {
    for (const [composed, decomposed] of spellings) {
      const user = await newUser(server)
      await setHash(user, await oldHash(decomposed))
      expect((await login(user, `${decomposed}!`)).status).toBe(401)
      expect((await login(user, decomposed)).status).toBe(200)
      expect(await argon2.verify(await hashOf(user), composed)).toBe(true)
      for (const form of [composed, decomposed]) expect((await login(user, form)).status).toBe(200)
    }
  })

  it('a password is the same in either form where it is changed and where it is reset', async () => {
    const [composed, decomposed] = spellings[0]
    const user = await newUser(server, { password: composed })
    const change = (current_password: string, new_password: string) =>
      user.put('/v1/users/me/password', { current_password, new_password })
    expect((await change(decomposed, 'ａ ｄｉｆｆｅｒｅｎｃｅ ｅｎｇｉｎｅ')).status).toBe(200)
    expect((await login(user, 'a difference engine')).status).toBe(200)
    // One from before passwords were normalised confirms a change, too.
    await setHash(user, await oldHash(decomposed))
    expect((await change(decomposed, composed)).status).toBe(200)
    await anyone.post('/v1/auth/forgot-password', { email: user.email })
    const token = await mailedToken(server, user.userId, 'reset-password')
    const [plain, wide] = spellings[2]
    const reset = await anyone.post('/v1/auth/reset-password', { token, new_password: wide })
    expect(reset.status).toBe(200)
    expect((await login(user, plain)).status).toBe(200)
  })

  it('P1 hashes a password anew at login when its hash is outdated', async () => {
    const user = await newUser(server)
    const weak = await argon2.hash(user.password, {
      type: argon2.argon2id,
      memoryCost: 64,
      timeCost: 1,
      parallelism: 1,
    })
    await asTenant(server.context.database.queries, { userId: user.userId }, (trx) =>
      trx.withSchema('app').updateTable('users').set({ password_hash: weak }).execute(),
    )
    expect((await login(user, 'something else')).status).toBe(401)
    expect(await hashOf(user)).toBe(weak)
    expect((await login(user, user.password)).status).toBe(200)
    const hash = await hashOf(user)
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=256,t=1,p=1\$/)
    expect((await login(user, user.password)).status).toBe(200)
    expect(await hashOf(user)).toBe(hash)
  })
})
