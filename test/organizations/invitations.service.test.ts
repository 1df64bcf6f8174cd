import { randomUUID } from 'node:crypto'
import { purgeInvitations } from '@memory/identity/organizations/invitations'
import type { PlanName } from '@memory/shared/catalogue/plans'
import { asTenant } from '@memory/shared/platform/database/database'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { auditOf as auditOfUser, newEmail, newUser, type User } from '../support/accounts.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { addMember, auditOf, invitationToken, mailsTo, outboxOf, setPlan } from './support.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer({ PUBLIC_BASE_URL: 'http://memory.example' })
})

afterAll(() => server.close())

const accept = '/v1/invitations/accept'
const invitationsOf = ({ organizationId }: User) => `/v1/organizations/${organizationId}/invitations`
const membersOf = ({ organizationId }: User) => `/v1/organizations/${organizationId}/members`
const invite = (owner: User, email: string, role?: string) =>
  owner.post(invitationsOf(owner), { email, role })
const invitationNotFound = { status: 404, body: { detail: 'Invitation not found' } }
const adminRequired = { status: 403, body: { detail: 'Organization admin required' } }
const aDay = 86_400_000

/** Members of the starter plan: 3. */
async function newOwner(plan: PlanName = 'starter', organizationName = 'Engines'): Promise<User> {
  const owner = await newUser(server, { organizationName })
  await setPlan(server, owner, plan)
  return owner
}

/** Invites a user who has an account. @returns the token that was mailed. */
async function invited(owner: User, user: User, role?: string): Promise<string> {
  const { status } = await invite(owner, user.email, role)
  expect(status).toBe(201)
  return invitationToken(server, user.email)
}

const expireInvitations = ({ organizationId }: User) =>
  asTenant(server.context.database.queries, { organizationId }, (trx) =>
    trx
      .withSchema('app')
      .updateTable('invitations')
      .set({ expires_at: sql<Date>`now() - interval '1 second'` })
      .execute(),
  )

describe('an invitation', () => {
  it('is mailed as a link and makes who follows it a member', async () => {
    const ada = await newOwner()
    const ben = await newUser(server)
    const answer = await invite(ada, ben.email.toUpperCase(), 'admin')
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({
      id: expect.any(String),
      email: ben.email,
      role: 'admin',
      created_at: expect.any(String),
      expires_at: expect.any(String),
    })
    const { created_at, expires_at } = answer.body
    expect(Date.parse(expires_at) - Date.parse(created_at)).toBe(7 * aDay)
    expect((await ada.get(invitationsOf(ada))).body).toEqual({ invitations: [answer.body] })
    const mails = (await mailsTo(server, ben.email)).filter(({ template }) => template === 'invitation')
    expect(mails.map(({ parameters }) => parameters)).toEqual([
      {
        organization: 'Engines',
        inviter: ada.email,
        role: 'admin',
        link: expect.stringMatching(/^http:\/\/memory\.example\/accept-invitation#token=inv_[\w-]{43}$/),
        until: expires_at,
      },
    ])

    const token = await invitationToken(server, ben.email)
    expect(await ben.post(accept, { token })).toMatchObject({
      status: 200,
      body: { organization_id: ada.organizationId, role: 'admin', message: expect.any(String) },
    })
    expect((await ada.get(invitationsOf(ada))).body).toEqual({ invitations: [] })
    expect((await ada.get(membersOf(ada))).body.members).toMatchObject([
      { user_id: ada.userId },
      { user_id: ben.userId, email: ben.email, role: 'admin' },
    ])
    const there = { 'X-Organization-Id': ada.organizationId }
    expect((await ben.get('/v1/memory/text/stats', there)).status).toBe(200)
    expect((await ben.get('/v1/api-keys', there)).status).toBe(200)
  })

  it('is in the audit log and, once accepted, in the outbox', async () => {
    const ada = await newOwner()
    const ben = await newUser(server)
    const token = await invited(ada, ben)
    expect(await outboxOf(server, ada, 'organization.member_joined')).toEqual([])
    await ben.post(accept, { token })
    expect(await outboxOf(server, ada, 'organization.member_joined')).toEqual([
      { type: 'organization.member_joined', payload: { userId: ben.userId, role: 'member' } },
    ])
    expect(await auditOf(server, ada, /^member_/)).toMatchObject([
      {
        action: 'member_invited',
        actor_id: ada.userId,
        details: { email: ben.email, role: 'member' },
      },
      { action: 'member_joined', actor_id: ben.userId, user_id: ben.userId, target: ben.userId },
    ])
    expect(JSON.stringify(await auditOf(server, ada, /./))).not.toContain(token)
    expect(server.logLines.join('\n')).not.toContain(token)
  })

  it('works once, also of 10 at a time', async () => {
    const ada = await newOwner()
    const ben = await newUser(server)
    const token = await invited(ada, ben)
    const answers = await Promise.all(Array.from({ length: 10 }, () => ben.post(accept, { token })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(404)])
    expect(await outboxOf(server, ada, 'organization.member_joined')).toHaveLength(1)
    expect(await ben.post(accept, { token })).toMatchObject(invitationNotFound)
  })

  it('is for the address that it was sent to', async () => {
    const ada = await newOwner()
    const [ben, eve] = [await newUser(server), await newUser(server)]
    const token = await invited(ada, ben)
    expect(await eve.post(accept, { token })).toMatchObject({
      status: 403,
      body: { detail: 'The invitation is for another email address' },
    })
    expect((await ada.get(membersOf(ada))).body.members).toHaveLength(1)
    expect((await ben.post(accept, { token })).status).toBe(200)
  })

  it('may be for an address without an account, and waits for it', async () => {
    const ada = await newOwner()
    const email = newEmail()
    expect((await invite(ada, email)).status).toBe(201)
    const ben = await newUser(server, { email })
    const token = await invitationToken(server, email)
    expect((await ben.post(accept, { token })).status).toBe(200)
  })

  it('that is unknown, expired, withdrawn or replaced is no more', async () => {
    const ada = await newOwner()
    const ben = await newUser(server)
    for (const token of ['', 'inv_unknown', ben.refreshToken, ben.accessToken]) {
      expect(await ben.post(accept, { token })).toMatchObject(invitationNotFound)
    }
    const expired = await invited(ada, ben)
    await expireInvitations(ada)
    expect(await ben.post(accept, { token: expired })).toMatchObject(invitationNotFound)
    expect((await ada.get(invitationsOf(ada))).body.invitations).toEqual([])

    const replaced = await invited(ada, ben)
    const newer = await invited(ada, ben, 'admin')
    expect(newer).not.toBe(replaced)
    expect(await ben.post(accept, { token: replaced })).toMatchObject(invitationNotFound)
    const { body: list } = await ada.get(invitationsOf(ada))
    expect(list.invitations).toMatchObject([{ email: ben.email, role: 'admin' }])

    const [{ id }] = list.invitations
    expect((await ada.delete(`${invitationsOf(ada)}/${id}`)).status).toBe(200)
    expect(await auditOf(server, ada, /^invitation_withdrawn$/)).toMatchObject([
      { actor_id: ada.userId, target: id, details: { email: ben.email, role: 'admin' } },
    ])
    expect(await ada.delete(`${invitationsOf(ada)}/${id}`)).toMatchObject(invitationNotFound)
    expect(await ben.post(accept, { token: newer })).toMatchObject(invitationNotFound)
    expect((await ada.get(membersOf(ada))).body.members).toHaveLength(1)
  })

  it('is made, seen and withdrawn by administrators alone; owners are invited by owners', async () => {
    const ada = await newOwner('pro')
    const [admin, member] = [await newUser(server), await newUser(server)]
    await addMember(server, ada, admin, 'admin')
    await addMember(server, ada, member, 'member')
    const { body: made } = await invite(ada, newEmail())
    const as = (user: User) => ({
      list: () => user.get(invitationsOf(ada)),
      invite: (role: string) => user.post(invitationsOf(ada), { email: newEmail(), role }),
      withdraw: () => user.delete(`${invitationsOf(ada)}/${made.id}`),
    })
    expect(await as(member).list()).toMatchObject(adminRequired)
    expect(await as(member).invite('member')).toMatchObject(adminRequired)
    expect(await as(member).withdraw()).toMatchObject(adminRequired)
    expect(await as(admin).invite('owner')).toMatchObject({
      status: 403,
      body: { detail: 'Organization owner required' },
    })
    expect((await as(admin).invite('admin')).status).toBe(201)
    expect((await as(ada).invite('owner')).status).toBe(201)
    expect((await as(admin).list()).body.invitations).toHaveLength(3)
    expect((await as(admin).withdraw()).status).toBe(200)
  })

  it('I5 is not withdrawn by another organization', async () => {
    const [ada, eve] = [await newOwner(), await newOwner()]
    const { body: made } = await invite(ada, newEmail())
    for (const id of [made.id, randomUUID(), 'none', '%00']) {
      expect(await eve.delete(`${invitationsOf(eve)}/${id}`)).toMatchObject(invitationNotFound)
    }
    expect((await ada.get(invitationsOf(ada))).body.invitations).toHaveLength(1)
  })

  it('of somebody who may invite no more makes nobody a member, and is withdrawn with their account', async () => {
    const admin = await newUser(server, { platformAdmin: true })
    const [owner, sender, guest] = [await newOwner('scale'), await newUser(server), await newUser(server)]
    await addMember(server, owner, sender, 'owner')
    const inOrganization = { 'X-Organization-Id': owner.organizationId }
    const send = async (role: string) => {
      const body = { email: guest.email, role }
      expect((await sender.post(invitationsOf(owner), body, inOrganization)).status).toBe(201)
      return invitationToken(server, guest.email)
    }
    const token = await send('owner')
    const status = (change: string) => admin.post(`/v1/admin/users/${sender.userId}/${change}`)
    await status('suspend')
    expect(await guest.post(accept, { token })).toMatchObject(invitationNotFound)
    await status('activate')
    await sender.signInAgain()
    expect((await sender.delete('/v1/users/me')).status).toBe(200)
    expect((await owner.get(invitationsOf(owner))).body.invitations).toEqual([])
    expect(await guest.post(accept, { token })).toMatchObject(invitationNotFound)
    expect((await owner.get(membersOf(owner))).body.members).toHaveLength(1)
    expect(await auditOf(server, owner, /^invitation_withdrawn$/)).toMatchObject([
      { actor_email: sender.email, details: { email: guest.email, role: 'owner' } },
    ])
  })

  it('is not made for a member', async () => {
    const ada = await newOwner()
    const ben = await newUser(server)
    await addMember(server, ada, ben, 'member')
    for (const { email } of [ada, ben]) {
      expect(await invite(ada, email)).toMatchObject({
        status: 409,
        body: { detail: 'Already a member of this organization' },
      })
    }
  })

  it.each([[{}], [{ email: 'nobody' }], [{ email: 'a@example.com', role: 'king' }], [{ email: null }]])(
    'is not made of %j',
    async (body) => {
      const ada = await newOwner()
      expect((await ada.post(invitationsOf(ada), body)).status).toBe(422)
    },
  )

  it('of somebody who is a member by now is gone once they follow it, and so is its place', async () => {
    const ada = await newOwner()
    const ben = await newUser(server)
    const token = await invited(ada, ben)
    await addMember(server, ada, ben, 'member')
    const already = { status: 409, body: { detail: 'Already a member of this organization' } }
    expect(await ben.post(accept, { token })).toMatchObject(already)
    expect(await ben.post(accept, { token })).toMatchObject(invitationNotFound)
    expect((await ada.get(invitationsOf(ada))).body.invitations).toEqual([])
    expect((await ada.get(membersOf(ada))).body.members).toHaveLength(2)
  })

  it.each([[{}], [{ token: null }], [{ token: 5 }], [undefined]])('is not accepted by %j', async (body) => {
    const ben = await newUser(server)
    const { status, body: answer } = await ben.post(accept, body)
    expect(status).toBe(422)
    expect(JSON.stringify(answer)).not.toContain(ben.accessToken)
  })

  it('is accepted without its token in any answer, however the request is spoilt', async () => {
    const ada = await newOwner()
    const ben = await newUser(server)
    const token = await invited(ada, ben)
    for (const body of [JSON.stringify(token), [token], { Token_: token }, { token: [token] }]) {
      const answer = await ben.post(accept, body)
      expect(answer.status).toBe(422)
      expect(JSON.stringify(answer.body)).not.toContain(token)
    }
    expect((await ben.post(accept, {})).body.detail).toEqual([
      { type: 'missing', loc: ['body', 'token'], msg: 'Field required', input: null },
    ])
  })
})

describe('invitations whose time is over', () => {
  it('are forgotten with their addresses; those that can be accepted stay', async () => {
    const [ada, ben] = [await newOwner(), await newOwner()]
    const [late, early] = [newEmail(), newEmail()]
    await invite(ada, late)
    await expireInvitations(ada)
    await invite(ben, early)
    await purgeInvitations(server.context.database.queries)
    const addresses = ({ organizationId }: User) =>
      asTenant(server.context.database.queries, { organizationId }, async (trx) => {
        const rows = await trx.withSchema('app').selectFrom('invitations').select('email').execute()
        return rows.map(({ email }) => email)
      })
    expect(await addresses(ada)).toEqual([])
    expect(await addresses(ben)).toEqual([early])
  })
})

describe('the number of members', () => {
  const tooMany = { status: 403, body: { detail: 'The starter plan allows 3 members' } }

  it('Q1 counts members and pending invitations, not expired and withdrawn ones', async () => {
    const ada = await newOwner()
    const [first, second] = [newEmail(), newEmail()]
    expect((await invite(ada, first)).status).toBe(201)
    const { body: made } = await invite(ada, second)
    expect(await invite(ada, newEmail())).toMatchObject(tooMany)
    // One that takes the place of another needs no room.
    expect((await invite(ada, first, 'admin')).status).toBe(201)
    await ada.delete(`${invitationsOf(ada)}/${made.id}`)
    expect((await invite(ada, second)).status).toBe(201)
    await expireInvitations(ada)
    expect((await invite(ada, newEmail())).status).toBe(201)
    expect((await invite(ada, newEmail())).status).toBe(201)
    expect(await invite(ada, newEmail())).toMatchObject(tooMany)
  })

  it('of the free plan leaves no room for an invitation', async () => {
    const ada = await newOwner('free')
    expect(await invite(ada, newEmail())).toMatchObject({
      status: 403,
      body: { detail: 'The free plan allows 1 member' },
    })
  })

  it('Q1 with one slot left lets one of 50 parallel invitations in, and mails one', async () => {
    const ada = await newOwner()
    await invite(ada, newEmail())
    const emails = Array.from({ length: 50 }, newEmail)
    const answers = await Promise.all(emails.map((email) => invite(ada, email)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    for (const answer of answers) if (answer.status !== 201) expect(answer).toMatchObject(tooMany)
    expect((await ada.get(invitationsOf(ada))).body.invitations).toHaveLength(2)
    const mailed = await Promise.all(emails.map((email) => mailsTo(server, email)))
    expect(mailed.flat()).toHaveLength(1)
  })

  it('Q1 is checked again when invitations are accepted, also at once', async () => {
    const ada = await newOwner('pro')
    const users = await Promise.all(Array.from({ length: 6 }, () => newUser(server)))
    const tokens: string[] = []
    for (const user of users) tokens.push(await invited(ada, user))
    await setPlan(server, ada, 'starter')
    const answers = await Promise.all(users.map((user, i) => user.post(accept, { token: tokens[i] })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2)
    for (const answer of answers) if (answer.status !== 200) expect(answer).toMatchObject(tooMany)
    expect((await ada.get(membersOf(ada))).body.members).toHaveLength(3)
    expect(await outboxOf(server, ada, 'organization.member_joined')).toHaveLength(2)

    // A refused invitation stays, for when there is room.
    const refused = users[answers.findIndex(({ status }) => status !== 200)] as User
    await setPlan(server, ada, 'pro')
    const token = tokens[users.indexOf(refused)]
    expect((await refused.post(accept, { token })).status).toBe(200)
  })

  it('E4 invitations by one user are throttled', async () => {
    const ada = await newOwner('enterprise')
    // What is refused does not count.
    for (let i = 0; i < 3; i++) expect((await invite(ada, ada.email)).status).toBe(409)
    const answers = []
    for (let i = 0; i < 101; i++) answers.push(await invite(ada, newEmail()))
    expect(answers.slice(0, 100).map(({ status }) => status)).toEqual(Array(100).fill(201))
    const last = answers.at(-1)
    expect(last).toMatchObject({ status: 429, body: { detail: 'Too many attempts' } })
    expect(Number(last?.headers.get('Retry-After'))).toBeGreaterThanOrEqual(1)
    const ben = await newOwner()
    expect((await invite(ben, newEmail())).status).toBe(201)
  })

  it('E4 five invitations an hour are mailed to one address, whoever invites; later ones hold without a mail', async () => {
    const [ada, ben] = [await newOwner(), await newOwner()]
    const user = await newUser(server)
    const isInvitation = ({ template }: { template: string }) => template === 'invitation'
    const mailed = async () => (await mailsTo(server, user.email)).filter(isInvitation).length
    // What is refused is not mailed, and does not count.
    const cleo = await newOwner('free')
    for (let i = 0; i < 6; i++) expect((await invite(cleo, user.email)).status).toBe(403)
    for (let i = 0; i < 4; i++) await invite(ada, user.email)
    await invite(ben, user.email.toUpperCase())
    expect(await mailed()).toBe(5)
    const token = await invitationToken(server, user.email)
    const later = await invite(ben, user.email, 'admin')
    expect(later).toMatchObject({ status: 201, body: { email: user.email, role: 'admin' } })
    const dan = await newOwner()
    expect((await invite(dan, user.email)).status).toBe(201)
    expect((await dan.get(invitationsOf(dan))).body.invitations).toHaveLength(1)
    expect(await mailed()).toBe(5)
    // The link that was mailed last opens the invitation as it is now.
    expect(await user.post(accept, { token })).toMatchObject({ status: 200, body: { role: 'admin' } })
  })

  it('shows that the mailbox is its user’s, once', async () => {
    const [ada, ben] = [await newOwner(), await newOwner()]
    const user = await newUser(server)
    const verified = async () => (await user.get('/v1/users/me')).body.email_verified
    const wrong = await invited(ada, user)
    expect((await user.post(accept, { token: `${wrong}x` })).status).toBe(404)
    expect(await verified()).toBe(false)
    for (const owner of [ada, ben]) {
      expect((await user.post(accept, { token: await invited(owner, user) })).status).toBe(200)
      expect(await verified()).toBe(true)
    }
    const entries = (await auditOfUser(server, user.userId)).filter(
      ({ action }) => action === 'email_verified',
    )
    expect(entries).toMatchObject([{ details: { by: 'invitation' } }])
  })
})
