import { randomUUID } from 'node:crypto'
import { operateUsers } from '@memory/identity/accounts/operator'
import { appointPlatformAdmins } from '@memory/identity/accounts/user-store'
import { mailboxOf, spellingsOf } from '@memory/shared/catalogue/mailbox'
import { readConfig } from '@memory/shared/platform/config'
import { asTask, asTenant } from '@memory/shared/platform/database/database'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { invitationToken, setPlan } from '../organizations/support.ts'
import { Anonymous, mailedToken, newUser, queuedMails, type User } from '../support/accounts.ts'
import { startServer, type TestServer } from '../support/server.ts'

let server: TestServer
let anyone: Anonymous

beforeAll(async () => {
  server = await startServer({ MEMORY_LOGIN_FAILURES: '3,50,100' })
  anyone = new Anonymous(server.url)
})
afterAll(() => server.close())

const password = 'an analytical engine'
const login = (email: string, given = password) => anyone.post('/v1/auth/login', { email, password: given })

/** Writings of one address: the domain as people write it, and as it is in the DNS. */
const domains = [
  ['münchen.example', 'xn--mnchen-3ya.example', 'MÜNCHEN.example', 'mu\u0308nchen.example'],
  ['straße.example', 'xn--strae-oqa.example', 'XN--STRAE-OQA.example'],
  ['例え.テスト', 'xn--r8jz45g.xn--zckzah', '例え.ﾃｽﾄ'],
  ['παράδειγμα.δοκιμή', 'xn--hxajbheg2az3al.xn--jxalpdlp', 'ΠΑΡΆΔΕΙΓΜΑ.ΔΟΚΙΜΉ'],
  ['مثال.إختبار', 'xn--mgbh0fb.xn--kgbechtv'],
]

/** Puts an account's address into the database as it was kept before domains were brought to ASCII. */
const rename = (user: User, email: string) =>
  asTenant(server.context.database.queries, { userId: user.userId }, (trx) =>
    trx.withSchema('app').updateTable('users').set({ email }).where('id', '=', user.userId).execute(),
  )

describe('one mailbox has one account', () => {
  it.each(domains)('however its domain %s is written', async (...writings) => {
    const local = randomUUID()
    const [first = '', ascii = ''] = writings
    const registered = await anyone.post('/v1/auth/register', { email: `${local}@${first}`, password })
    expect(registered.status).toBe(201)
    expect(registered.body.email).toBe(`${local}@${ascii}`)
    for (const domain of writings) {
      const email = `${local.toUpperCase()}@${domain}`
      expect((await anyone.post('/v1/auth/register', { email, password })).status).toBe(409)
      expect((await login(email)).status).toBe(200)
    }
  })

  it('however the part before the @-sign is composed', async () => {
    const id = randomUUID()
    expect(
      (await anyone.post('/v1/auth/register', { email: `ﬁnn.é.${id}@example.com`, password })).status,
    ).toBe(201)
    for (const local of [`finn.é.${id}`, `FINN.e\u0301.${id}`, `ｆinn.É.${id}`]) {
      expect((await login(`${local}@example.com`)).status).toBe(200)
    }
  })

  it('and mail to it has one address and one limit', async () => {
    const local = randomUUID()
    const user = await newUser(server, { email: `${local}@münchen.example`, password })
    for (const domain of ['münchen.example', 'xn--mnchen-3ya.example', 'MÜNCHEN.example']) {
      for (let time = 0; time < 3; time++) {
        await anyone.post('/v1/auth/forgot-password', { email: `${local}@${domain}` })
      }
    }
    const mails = (await queuedMails(server, user.userId)).filter(
      (mail) => mail.template === 'reset-password',
    )
    expect(mails.map(({ recipient }) => recipient)).toEqual(Array(5).fill(`${local}@xn--mnchen-3ya.example`))
  })

  it('and one count of failed logins', async () => {
    const local = randomUUID()
    const writings = ['münchen.example', 'xn--mnchen-3ya.example', 'MÜNCHEN.example', 'münchen.example']
    const statuses = []
    for (const domain of writings) statuses.push((await login(`${local}@${domain}`, 'wrong')).status)
    expect(statuses).toEqual([401, 401, 401, 429])
  })
})

describe('an account whose address is kept in Unicode', () => {
  const local = randomUUID()
  let old: User

  beforeAll(async () => {
    old = await newUser(server, { email: `${local}@münchen.example`, password })
    await rename(old, `${local}@münchen.example`)
  })

  it.each(['münchen.example', 'xn--mnchen-3ya.example'])('is found under %s', async (domain) => {
    const email = `${local}@${domain}`
    expect((await login(email)).status).toBe(200)
    expect((await anyone.post('/v1/auth/register', { email, password })).status).toBe(409)
    const { queries } = server.context.database
    expect(await operateUsers(queries, { command: 'find', email })).toMatchObject({
      user: { id: old.userId },
    })
    await anyone.post('/v1/auth/forgot-password', { email })
    await mailedToken(server, old.userId, 'reset-password')
  })

  it('is invited and joins under either', async () => {
    const owner = await newUser(server)
    await setPlan(server, owner, 'starter')
    const email = `${local}@xn--mnchen-3ya.example`
    const invitations = `/v1/organizations/${owner.organizationId}/invitations`
    expect((await owner.post(invitations, { email })).status).toBe(201)
    const token = await invitationToken(server, email)
    expect((await old.post('/v1/invitations/accept', { token })).status).toBe(200)
    expect((await owner.post(invitations, { email: `${local}@münchen.example` })).status).toBe(409)
  })

  it('gives way to a second one of its mailbox that is verified, or in ASCII', async () => {
    const mailbox = randomUUID()
    const [unicode, ascii] = [`${mailbox}@münchen.example`, `${mailbox}@xn--mnchen-3ya.example`]
    const first = await newUser(server, { email: ascii })
    await rename(first, unicode)
    await asTask(server.context.database.queries, 'administer-accounts', (trx) =>
      sql`insert into app.users (email, password_hash)
        select ${ascii}, password_hash from app.users where id = ${first.userId}`.execute(trx),
    )
    const found = async () => {
      const answer = await operateUsers(server.context.database.queries, { command: 'find', email: unicode })
      return answer.command === 'find' && answer.user.id === first.userId
    }
    expect(await found()).toBe(false)
    await asTenant(server.context.database.queries, { userId: first.userId }, (trx) =>
      sql`update app.users set email_verified_at = now() where id = ${first.userId}`.execute(trx),
    )
    expect(await found()).toBe(true)
  })
})

describe('platform admins', () => {
  it('are named in either spelling', async () => {
    const { platformAdmins } = readConfig({ MEMORY_PLATFORM_ADMINS: 'Root@MÜNCHEN.example, root@localhost' })
    expect(platformAdmins).toEqual(['root@xn--mnchen-3ya.example', 'root@localhost'])
    const local = randomUUID()
    const user = await newUser(server, { email: `${local}@münchen.example` })
    await rename(user, `${local}@münchen.example`)
    const { queries } = server.context.database
    await appointPlatformAdmins(queries, [mailboxOf(user.email)])
    const answer = await operateUsers(queries, { command: 'find', email: user.email })
    expect(answer).toMatchObject({ user: { isPlatformAdmin: true } })
  })

  it('have at most two spellings', () => {
    expect(spellingsOf('Ada@example.com')).toEqual(['ada@example.com'])
    expect(spellingsOf('ada@münchen.example')).toEqual(['ada@xn--mnchen-3ya.example', 'ada@münchen.example'])
  })
})
