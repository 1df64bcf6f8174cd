import { randomUUID } from 'node:crypto'
import { operateUsers, UserRequest } from '@memory/identity/accounts/operator'
import { hasOrganization, ListRequest, operateLists } from '@memory/identity/accounts/operator-lists'
import { localOrganizationId } from '@memory/identity/keys/bootstrap'
import { ensureOrganization } from '@memory/identity/organizations/service'
import { asTask } from '@memory/shared/platform/database/database'
import { type KyselyPlugin, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Anonymous, auditOf, newEmail, newUser, type User } from '../support/accounts.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { enrol } from './authenticator.ts'

let server: TestServer
let anybody: Anonymous

beforeAll(async () => {
  server = await startServer()
  anybody = new Anonymous(server.url)
  await ensureOrganization(queries(), { id: localOrganizationId, name: 'Local', plan: 'enterprise' })
})

afterAll(() => server.close())

const queries = () => server.context.database.queries
const operate = (request: object) => operateUsers(queries(), UserRequest.parse(request))
const login = ({ email, password }: User) => anybody.post('/v1/auth/login', { email, password })
const addOwner = ({ email }: User, organization?: string) =>
  operate({ command: 'add-owner', email, organization })
const actionsOf = async (user: User) => (await auditOf(server, user.userId)).map(({ action }) => action)

const commands = ['find', 'suspend', 'activate', 'disable-mfa', 'add-owner'] as const

describe('every command', () => {
  it('refuses an email that nobody has', async () => {
    const email = newEmail()
    for (const command of commands) {
      await expect(operate({ command, email })).rejects.toThrow(`There is no user ${email}.`)
    }
  })

  it('takes an email as registration does, and nothing else', async () => {
    const ada = await newUser(server)
    expect(await operate({ command: 'find', email: ada.email.toUpperCase() })).toMatchObject({
      user: { id: ada.userId, email: ada.email },
    })
    for (const command of commands) {
      expect(UserRequest.safeParse({ command, email: 'ada' }).success).toBe(false)
      expect(UserRequest.safeParse({ command }).success).toBe(false)
    }
  })

  it('but find refuses a deleted account, and changes nothing of it', async () => {
    const ada = await newUser(server)
    expect((await ada.delete('/v1/users/me')).status).toBe(200)
    for (const command of ['suspend', 'activate', 'add-owner']) {
      await expect(operate({ command, email: ada.email })).rejects.toThrow(
        `The account of ${ada.email} is deleted. Until it is erased, a platform admin restores it with POST /v1/admin/users/${ada.userId}/restore.`,
      )
    }
    expect(await operate({ command: 'find', email: ada.email })).toMatchObject({
      user: { status: 'deleted', organizations: [] },
    })
  })
})

describe('find', () => {
  it('shows a user and each organization, with no secret', async () => {
    const ada = await newUser(server, { organizationName: 'Engines' })
    const answer = await operate({ command: 'find', email: ada.email })
    expect(answer).toEqual({
      command: 'find',
      user: {
        id: ada.userId,
        email: ada.email,
        status: 'active',
        verifiedAt: null,
        hasMfa: false,
        isPlatformAdmin: false,
        createdAt: expect.stringMatching(/^\d{4}-.+Z$/),
        lastLoginAt: expect.stringMatching(/^\d{4}-.+Z$/),
        organizations: [{ id: ada.organizationId, name: 'Engines', plan: 'free', role: 'owner' }],
      },
    })
  })

  it('shows verification, a second factor and who runs the service', async () => {
    const ada = await newUser(server, { platformAdmin: true })
    await asTask(queries(), 'administer-accounts', (trx) =>
      trx
        .withSchema('app')
        .updateTable('users')
        .set({ email_verified_at: new Date('2026-01-02T03:04:05Z') })
        .where('id', '=', ada.userId)
        .execute(),
    )
    await enrol(ada, server.clock)
    expect(await operate({ command: 'find', email: ada.email })).toMatchObject({
      user: { verifiedAt: '2026-01-02T03:04:05.000Z', hasMfa: true, isPlatformAdmin: true },
    })
  })
})

describe('lists', () => {
  const list = (request: object) => operateLists(queries(), ListRequest.parse(request))

  /** All ids of a list, page after page. */
  async function idsOf(request: { command: string; organization?: string }): Promise<string[]> {
    const ids: string[] = []
    for (let after: string | null | undefined; after !== null; ) {
      const page = await list({ ...request, after })
      if (page.command === 'list-receipts') throw new Error('they have no ids')
      const rows = page.command === 'list-users' ? page.users : page.organizations
      ids.push(...rows.map(({ id }) => id))
      after = page.next
    }
    return ids
  }

  it('have users and organizations, deleted ones too, and of an organization its members alone', async () => {
    const [ada, bob] = [await newUser(server, { organizationName: 'Engines' }), await newUser(server)]
    const members = await list({ command: 'list-users', organization: ada.organizationId })
    expect(members).toMatchObject({ next: null, users: expect.any(Array) })
    expect('users' in members && members.users.map(({ id, role }) => [id, role])).toEqual([
      [ada.userId, 'owner'],
    ])
    expect((await bob.delete('/v1/users/me')).status).toBe(200)
    const users = await list({ command: 'list-users' })
    expect('users' in users && users.users.find(({ id }) => id === bob.userId)).toMatchObject({
      email: bob.email,
      status: 'deleted',
      verifiedAt: null,
    })
    const organizations = await list({ command: 'list-organizations' })
    const found = (id: string) =>
      'organizations' in organizations && organizations.organizations.find((each) => each.id === id)
    expect(found(ada.organizationId)).toMatchObject({ name: 'Engines', plan: 'free', deletedAt: null })
    expect(found(bob.organizationId)).toMatchObject({ deletedAt: expect.stringMatching(/Z$/) })
  })

  it('go on from page to page until all are told, each once', async () => {
    await asTask(queries(), 'administer-accounts', (trx) =>
      sql`insert into app.organizations (id, name, plan)
        select gen_random_uuid(), 'Many ' || n, 'free' from generate_series(1, 2100) n`.execute(trx),
    )
    const ids = await idsOf({ command: 'list-organizations' })
    expect(ids.length).toBeGreaterThan(2_100)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).toContain(localOrganizationId)
  })

  it('refuse the receipts of an organization that there is not and never was', async () => {
    const organization = randomUUID()
    await expect(operateLists(queries(), { command: 'list-receipts', organization })).rejects.toThrow(
      `There is no organization ${organization}.`,
    )
    const { organizationId } = await newUser(server)
    const empty = { command: 'list-receipts', organization: organizationId } as const
    expect(await operateLists(queries(), empty)).toMatchObject({ receipts: [] })
  })

  it('refuse the members of an organization that there is not', async () => {
    const organization = randomUUID()
    await expect(list({ command: 'list-users', organization })).rejects.toThrow(
      `There is no organization ${organization}.`,
    )
  })

  it('tell whether there is any organization', async () => {
    expect(await hasOrganization(queries())).toBe(true)
  })
})

describe('suspend and activate', () => {
  it('refuse tokens and login at once, leave API keys and others alone, and give sessions back', async () => {
    const [ada, bob] = [await newUser(server), await newUser(server)]
    const key = await server.newClient({ organizationId: ada.organizationId })
    const suspended = {
      command: 'suspend',
      organizations: [expect.objectContaining({ id: ada.organizationId })],
    }
    expect(await operate({ command: 'suspend', email: ada.email })).toEqual({ ...suspended, changed: true })
    expect(await operate({ command: 'suspend', email: ada.email })).toEqual({ ...suspended, changed: false })

    expect(await ada.get('/v1/users/me')).toMatchObject({ status: 401, body: { detail: 'Token revoked' } })
    expect(await login(ada)).toMatchObject({ status: 403, body: { detail: 'Account suspended' } })
    expect((await key.get('/v1/memory/text/stats')).status).toBe(200)
    expect((await bob.get('/v1/users/me')).status).toBe(200)

    expect(await operate({ command: 'activate', email: ada.email })).toEqual({
      command: 'activate',
      changed: true,
    })
    expect(await operate({ command: 'activate', email: ada.email })).toMatchObject({ changed: false })
    expect((await ada.get('/v1/users/me')).status).toBe(200)
    expect((await login(ada)).status).toBe(200)
  })
})

describe('disable-mfa', () => {
  it('lets who has lost the app and the recovery codes in by the password, once, and is in their audit log', async () => {
    const ada = await newUser(server)
    const disable = () => operate({ command: 'disable-mfa', email: ada.email })
    expect(await disable()).toEqual({ command: 'disable-mfa', changed: false })
    await enrol(ada, server.clock)
    expect((await login(ada)).body.mfa_required).toBe(true)
    expect(await disable()).toEqual({ command: 'disable-mfa', changed: true })
    expect(await disable()).toMatchObject({ changed: false })
    expect((await login(ada)).body.mfa_required).toBe(false)
    const { entries } = (await ada.get('/v1/security/audit-log?action=mfa_disabled')).body
    expect(entries).toMatchObject([{ success: true, actor_email: '' }])
  })
})

describe('add-owner', () => {
  it('locks the organization before the user, as all else does', async () => {
    const ada = await newUser(server)
    const locked: string[] = []
    const noting: KyselyPlugin = {
      transformQuery: ({ node }) => {
        const text = JSON.stringify(node)
        if (text.includes('"ForNoKeyUpdate"'))
          locked.push(text.includes('"organizations"') ? 'organization' : 'user')
        return node
      },
      transformResult: async ({ result }) => result,
    }
    const request = UserRequest.parse({ command: 'add-owner', email: ada.email })
    await operateUsers(queries().withPlugin(noting), request)
    expect(locked.slice(0, 2)).toEqual(['organization', 'user'])
  })

  it('lets an account take over the local organization, once', async () => {
    const ada = await newUser(server)
    const key = await server.newClient({ organizationId: localOrganizationId })
    await key.store(['Ada lives in London'])
    const joined = { command: 'add-owner', organization: localOrganizationId }
    expect(await addOwner(ada)).toEqual({ ...joined, changed: true })
    expect(await addOwner(ada)).toEqual({ ...joined, changed: false })
    const answer = await ada.post(
      '/v1/memory/text/retrieve',
      { query: 'Where does Ada live?' },
      { 'X-Organization-Id': localOrganizationId },
    )
    expect(answer.status).toBe(200)
    expect(JSON.stringify(answer.body)).toContain('Ada lives in London')
    const entries = (await auditOf(server, ada.userId)).filter(({ action }) => action === 'member_joined')
    expect(entries).toMatchObject([
      {
        actor: 'system',
        organization_id: localOrganizationId,
        target: ada.userId,
        details: { role: 'owner' },
      },
    ])
    // Without naming one, requests still go to the user's own.
    expect(await operate({ command: 'find', email: ada.email })).toMatchObject({
      user: { organizations: [{ id: ada.organizationId }, { id: localOrganizationId, role: 'owner' }] },
    })
  })

  it('raises a member, which is a change of role', async () => {
    const [ada, bob] = [await newUser(server), await newUser(server)]
    await asTask(queries(), 'administer-accounts', (trx) =>
      trx
        .withSchema('app')
        .insertInto('memberships')
        .values({ organization_id: ada.organizationId, user_id: bob.userId, role: 'member' })
        .execute(),
    )
    expect(await addOwner(bob, ada.organizationId)).toMatchObject({ changed: true })
    const { body } = await ada.get(`/v1/organizations/${ada.organizationId}/members`)
    expect(body.members.map((member: { role: string }) => member.role)).toEqual(['owner', 'owner'])
    expect(await actionsOf(bob)).toEqual(['register', 'role_changed'])
  })

  it('refuses an unknown and a deleted organization, a full plan and a suspended user, and adds nothing', async () => {
    const [ada, bob] = [await newUser(server), await newUser(server)]
    const unknown = randomUUID()
    await expect(addOwner(bob, unknown)).rejects.toThrow(`There is no organization ${unknown}.`)
    await operate({ command: 'suspend', email: bob.email })
    await expect(addOwner(bob, ada.organizationId)).rejects.toThrow('is suspended: activate it first.')
    await operate({ command: 'activate', email: bob.email })
    // The free plan is for one.
    await expect(addOwner(bob, ada.organizationId)).rejects.toThrow('The free plan allows 1 member.')
    await ada.delete('/v1/users/me')
    await expect(addOwner(bob, ada.organizationId)).rejects.toThrow('There is no organization')
    expect(await actionsOf(bob)).toEqual(['register', 'account_suspended', 'account_activated'])
    expect(await operate({ command: 'find', email: bob.email })).toMatchObject({
      user: { organizations: [{ id: bob.organizationId }] },
    })
  })
})
