import { randomUUID } from 'node:crypto'
import { changeRole } from '@memory/identity/organizations/membership-store'
import { lockPlan } from '@memory/identity/organizations/service'
import type { Role } from '@memory/shared/catalogue/roles'
import { asTenant } from '@memory/shared/platform/database/database'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newEmail, newUser, type User } from '../support/accounts.ts'
import { onPostgres } from '../support/database.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { until } from '../support/until.ts'
import { addMember, auditOf, invitationToken, setPlan } from './support.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})

afterAll(() => server.close())

const membersOf = ({ organizationId }: User) => `/v1/organizations/${organizationId}/members`
const memberOf = (owner: User, { userId }: User) => `${membersOf(owner)}/${userId}`
const refusal = (detail: string) => ({ status: 403, body: { detail } })
const adminRequired = refusal('Organization admin required')
const ownerRequired = refusal('Organization owner required')
const lastOwner = { status: 409, body: { detail: 'The last owner can neither leave nor be demoted' } }
const memberNotFound = { status: 404, body: { detail: 'Member not found' } }
const organizationNotFound = { status: 404, body: { detail: 'Organization not found' } }

/** An owner whose organization has one member of each of these roles. */
async function newOrganization(...roles: Role[]): Promise<[User, ...User[]]> {
  const owner = await newUser(server, { fullName: 'Ada Lovelace' })
  const members = []
  for (const role of roles) {
    const member = await newUser(server)
    await addMember(server, owner, member, role)
    members.push(member)
  }
  return [owner, ...members]
}

const rolesOf = async (owner: User): Promise<Role[]> =>
  (await owner.get(membersOf(owner))).body.members.map(({ role }: { role: Role }) => role)

describe('members', () => {
  it('are listed to every member, oldest membership first', async () => {
    const [ada, ben] = (await newOrganization('member')) as [User, User]
    const { status, body } = await ben.get(membersOf(ada))
    expect(status).toBe(200)
    const joined_at = expect.stringMatching(/Z$/)
    expect(body.members).toEqual([
      { user_id: ada.userId, email: ada.email, full_name: 'Ada Lovelace', role: 'owner', joined_at },
      { user_id: ben.userId, email: ben.email, full_name: null, role: 'member', joined_at },
    ])
  })

  it('get their roles from administrators, effective at once and audited', async () => {
    const [ada, ben, eve] = (await newOrganization('admin', 'member')) as [User, User, User]
    expect(await eve.patch(memberOf(ada, ben), { role: 'member' })).toMatchObject(adminRequired)
    expect((await ben.patch(memberOf(ada, eve), { role: 'admin' })).body).toMatchObject({
      user_id: eve.userId,
      email: eve.email,
      role: 'admin',
    })
    expect((await eve.patch(memberOf(ada, ben), { role: 'member' })).status).toBe(200)
    expect(await ben.patch(memberOf(ada, eve), { role: 'member' })).toMatchObject(adminRequired)
    expect((await ada.patch(memberOf(ada, eve), { role: 'admin' })).body.role).toBe('admin')
    expect(await auditOf(server, ada, /^role_changed$/)).toMatchObject([
      {
        actor_id: ben.userId,
        target: eve.userId,
        user_id: eve.userId,
        details: { email: eve.email, from: 'member', to: 'admin' },
      },
      {
        actor_id: eve.userId,
        target: ben.userId,
        user_id: ben.userId,
        details: { email: ben.email, from: 'admin', to: 'member' },
      },
    ])
  })

  it('become owners, and cease to be, by owners alone', async () => {
    const [ada, ben, eve] = (await newOrganization('admin', 'member')) as [User, User, User]
    expect(await ben.patch(memberOf(ada, eve), { role: 'owner' })).toMatchObject(ownerRequired)
    expect(await ben.patch(memberOf(ada, ben), { role: 'owner' })).toMatchObject(ownerRequired)
    expect(await ben.patch(memberOf(ada, ada), { role: 'member' })).toMatchObject(ownerRequired)
    expect(await ben.delete(memberOf(ada, ada))).toMatchObject(ownerRequired)
    expect((await ada.patch(memberOf(ada, eve), { role: 'owner' })).body.role).toBe('owner')
    expect((await eve.patch(memberOf(ada, ada), { role: 'admin' })).body.role).toBe('admin')
    expect(await rolesOf(ada)).toEqual(['admin', 'admin', 'owner'])
  })

  it('keep their last owner', async () => {
    const [ada, ben] = (await newOrganization('admin')) as [User, User]
    expect(await ada.patch(memberOf(ada, ada), { role: 'admin' })).toMatchObject(lastOwner)
    expect(await ada.delete(memberOf(ada, ada))).toMatchObject(lastOwner)
    expect((await ada.patch(memberOf(ada, ada), { role: 'owner' })).status).toBe(200)
    await ada.patch(memberOf(ada, ben), { role: 'owner' })
    expect((await ada.delete(memberOf(ada, ada))).status).toBe(200)
    expect(await ben.delete(memberOf(ada, ben))).toMatchObject(lastOwner)
  })

  it('keep one owner when several demote each other at once', async () => {
    const [ada, ...others] = (await newOrganization('owner', 'owner', 'owner')) as User[] as [User, ...User[]]
    const owners = [ada, ...others]
    const answers = await Promise.all(
      owners.map((owner, i) => {
        const next = owners[(i + 1) % owners.length] as User
        return owner.patch(memberOf(ada, next), { role: 'member' })
      }),
    )
    const statuses = answers.map(({ status }) => status)
    expect(statuses.every((status) => [200, 403, 409].includes(status))).toBe(true)
    const left = await Promise.all(
      owners.map(async (owner) => (await owner.get(membersOf(ada))).body.members),
    )
    const roles = left[0].map(({ role }: { role: Role }) => role)
    expect(roles.filter((role: Role) => role === 'owner')).toHaveLength(
      owners.length - statuses.filter((status) => status === 200).length,
    )
    expect(roles).toContain('owner')
  })

  // The embedded database has one connection: there one waits before it has read anything.
  it.runIf(onPostgres)('who are demoted do nothing more, not even what waited for that', async () => {
    const [ada, ben, eve] = (await newOrganization('admin', 'member')) as [User, User, User]
    await setPlan(server, ada, 'enterprise')
    const { queries } = server.context.database
    const { organizationId } = ada
    const organization = `/v1/organizations/${organizationId}`
    const answers = await asTenant(queries, { organizationId }, async (trx) => {
      await lockPlan(trx, organizationId)
      await changeRole(trx, organizationId, ben.userId, 'member')
      const requests = [
        ben.post(`${organization}/api-keys`, { name: 'last' }),
        ben.post(`${organization}/invitations`, { email: newEmail(), role: 'admin' }),
        ben.patch(memberOf(ada, eve), { role: 'admin' }),
        ben.delete(memberOf(ada, eve)),
        ben.patch(organization, { name: 'Mine' }),
      ]
      await until(async () => {
        const { rows } = await sql<{ n: number }>`
          select count(*)::int as n from pg_locks where not granted`.execute(trx)
        return rows[0]?.n === requests.length
      }, 'requests to wait for the organization')
      return requests
    })
    for (const answer of await Promise.all(answers)) expect(answer).toMatchObject(adminRequired)
    expect(await rolesOf(ada)).toEqual(['owner', 'member', 'member'])
  })

  it('who are unknown or of another organization are the same 404', async () => {
    const [ada] = await newOrganization()
    const ben = await newUser(server)
    for (const id of [ben.userId, randomUUID()]) {
      expect(await ada.patch(`${membersOf(ada)}/${id}`, { role: 'admin' })).toMatchObject(memberNotFound)
      expect(await ada.delete(`${membersOf(ada)}/${id}`)).toMatchObject(memberNotFound)
    }
    expect((await ada.delete(`${membersOf(ada)}/me`)).body.detail).toMatchObject([
      { type: 'uuid_parsing', loc: ['path', 'user_id'] },
    ])
  })

  it.each([[{}], [{ role: 'king' }], [{ role: null }], [{ role: 1 }], [undefined]])(
    'do not get the role %j',
    async (body) => {
      const [ada, ben] = (await newOrganization('member')) as [User, User]
      expect((await ada.patch(memberOf(ada, ben), body)).status).toBe(422)
      expect(await rolesOf(ada)).toEqual(['owner', 'member'])
    },
  )
})

describe('the end of a membership', () => {
  it('is brought about by administrators, or by the member', async () => {
    const [ada, ben, eve, joe] = (await newOrganization('admin', 'member', 'member')) as [
      User,
      User,
      User,
      User,
    ]
    expect(await eve.delete(memberOf(ada, joe))).toMatchObject(adminRequired)
    expect((await eve.delete(memberOf(ada, eve))).status).toBe(200)
    expect((await ben.delete(memberOf(ada, joe))).status).toBe(200)
    expect((await ben.delete(memberOf(ada, ben))).status).toBe(200)
    expect(await rolesOf(ada)).toEqual(['owner'])
    expect(await ada.delete(memberOf(ada, eve))).toMatchObject(memberNotFound)
    expect(await auditOf(server, ada, /^member_removed$/)).toMatchObject([
      {
        actor_id: eve.userId,
        target: eve.userId,
        user_id: eve.userId,
        details: { email: eve.email, role: 'member' },
      },
      {
        actor_id: ben.userId,
        target: joe.userId,
        user_id: joe.userId,
        details: { email: joe.email, role: 'member' },
      },
      {
        actor_id: ben.userId,
        target: ben.userId,
        user_id: ben.userId,
        details: { email: ben.email, role: 'admin' },
      },
    ])
  })

  it('holds from the answer on: 404 for that organization, while the token keeps working for others', async () => {
    const [ada, ben] = (await newOrganization('admin')) as [User, User]
    const there = { 'X-Organization-Id': ada.organizationId }
    const stats = '/v1/memory/text/stats'
    const store = () => ben.post('/v1/memory/text/store', { text: 'a fact of ben' }, there)
    expect((await store()).status).toBe(200)
    let removed = false
    const ask = async () => {
      const after: number[] = []
      while (after.length < 5) {
        const beganAfter = removed
        const { status } = await store()
        if (beganAfter) after.push(status)
      }
      return after
    }
    const asked = [ask(), ask(), ask()]
    expect((await ada.delete(memberOf(ada, ben))).status).toBe(200)
    removed = true
    expect((await Promise.all(asked)).flat()).toEqual(Array(15).fill(404))
    for (const answer of [
      await ben.get(stats, there),
      await ben.get('/v1/api-keys', there),
      await ben.get(`/v1/organizations/${ada.organizationId}`),
      await ben.get(membersOf(ada)),
      await ben.post(`/v1/organizations/${ada.organizationId}/api-keys`, { name: 'n' }),
    ]) {
      expect(answer).toMatchObject(organizationNotFound)
    }
    expect((await ben.get(stats)).body.total_patterns).toBe(0)
    expect((await ben.get('/v1/organizations')).body.organizations).toHaveLength(1)
  })

  it.each<[string, (ada: User, ben: User) => Promise<{ status: number }>, string[]]>([
    ['is removed', (ada, ben) => ada.delete(memberOf(ada, ben)), []],
    ['leaves', (ada, ben) => ben.delete(memberOf(ada, ben)), []],
    ['becomes a member', (ada, ben) => ada.patch(memberOf(ada, ben), { role: 'member' }), []],
    ['becomes an admin', (ada, ben) => ada.patch(memberOf(ada, ben), { role: 'admin' }), ['admin', 'member']],
  ])('withdraws what an owner who %s has invited and could not invite any more', async (_, end, stay) => {
    const [ada, ben] = (await newOrganization('owner')) as [User, User]
    await setPlan(server, ada, 'pro')
    const invitations = `/v1/organizations/${ada.organizationId}/invitations`
    const tokens: [role: string, user: User, token: string][] = []
    for (const role of ['owner', 'admin', 'member']) {
      const user = await newUser(server)
      expect((await ben.post(invitations, { email: user.email, role })).status).toBe(201)
      tokens.push([role, user, await invitationToken(server, user.email)])
    }
    const own = newEmail()
    expect((await ada.post(invitations, { email: own, role: 'owner' })).status).toBe(201)
    expect((await end(ada, ben)).status).toBe(200)
    for (const [role, user, token] of tokens) {
      const { status } = await user.post('/v1/invitations/accept', { token })
      expect(status, role).toBe(stay.includes(role) ? 200 : 404)
    }
    const left = (await ada.get(invitations)).body.invitations
    expect(left.map(({ email }: { email: string }) => email)).toEqual([own])
    const withdrawn = await auditOf(server, ada, /^invitation_withdrawn$/)
    expect(withdrawn.map(({ details }) => (details as { role: string }).role).sort()).toEqual(
      ['admin', 'member', 'owner'].filter((role) => !stay.includes(role)),
    )
  })

  it.each([
    ['removed', (ada: User, ben: User) => ada.delete(memberOf(ada, ben))],
    ['demoted', (ada: User, ben: User) => ada.patch(memberOf(ada, ben), { role: 'member' })],
    ['gone by themselves', (ada: User, ben: User) => ben.delete(memberOf(ada, ben))],
  ])('takes the archives of an owner who is %s, and nobody else’s', async (_, end) => {
    const [ada, ben] = (await newOrganization('owner')) as [User, User]
    const paths: string[] = []
    for (const user of [ada, ben]) {
      const { status, body } = await user.post('/v1/users/me/export')
      expect(status).toBe(202)
      paths.push(`/v1/users/me/exports/${body.export_id}`)
    }
    // By these all that waited has been done.
    await server.mails()
    const [ofAda = '', ofBen = ''] = paths
    expect((await ben.get(ofBen)).body.status).toBe('ready')
    expect((await end(ada, ben)).status).toBe(200)
    expect((await ada.get(ofAda)).body.status).toBe('ready')
    expect((await ben.get(ofBen)).status).toBe(404)
  })

  it('reaches those whose account is scheduled for deletion, which would come back with them', async () => {
    const [ada, ben] = (await newOrganization('admin')) as [User, User]
    expect((await ben.delete('/v1/users/me')).status).toBe(200)
    expect(await ada.patch(memberOf(ada, ben), { role: 'member' })).toMatchObject(memberNotFound)
    expect((await ada.delete(memberOf(ada, ben))).status).toBe(200)
    expect(await ada.delete(memberOf(ada, ben))).toMatchObject(memberNotFound)
  })

  it('leaves the keys that the member made: they are the organization’s', async () => {
    const [ada, ben] = (await newOrganization('admin')) as [User, User]
    await ben.post(`/v1/organizations/${ada.organizationId}/api-keys`, { name: 'by ben' })
    await ada.delete(memberOf(ada, ben))
    expect((await ada.get('/v1/api-keys')).body).toMatchObject([{ name: 'by ben' }])
  })

  it('may leave a user without any organization, who still has an account', async () => {
    const [ada, ben] = (await newOrganization('owner')) as [User, User]
    await addMember(server, ben, ada, 'owner')
    expect((await ben.delete(memberOf(ben, ben))).status).toBe(200)
    expect((await ben.delete(memberOf(ada, ben))).status).toBe(200)
    expect((await ben.get('/v1/organizations')).body).toEqual({ organizations: [] })
    for (const path of ['/v1/api-keys', '/v1/memory/text/stats']) {
      expect(await ben.get(path)).toMatchObject(organizationNotFound)
    }
  })
})
