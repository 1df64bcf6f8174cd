import { randomUUID } from 'node:crypto'
import { routes } from '@memory/api/routes'
import { plans } from '@memory/shared/catalogue/plans'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newUser } from '../support/accounts.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { addMember, auditOf, setPlan } from './support.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})

afterAll(() => server.close())

const notFound = { status: 404, body: { detail: 'Organization not found' } }
const adminRequired = { status: 403, body: { detail: 'Organization admin required' } }
const pathOf = ({ organizationId }: { organizationId: string }) => `/v1/organizations/${organizationId}`

describe('an organization', () => {
  it('is made at registration, shown with its plan and limits', async () => {
    const ada = await newUser(server, { organizationName: 'Analytical Engines' })
    const organization = {
      id: ada.organizationId,
      name: 'Analytical Engines',
      plan: 'free',
      role: 'owner',
      limits: { patterns: 5_000, queries_per_day: 1_000, api_keys: 2, members: 1 },
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    }
    expect(await ada.get(pathOf(ada))).toMatchObject({ status: 200, body: organization })
    expect(await ada.get('/v1/organizations')).toMatchObject({
      status: 200,
      body: { organizations: [organization] },
    })
  })

  it.each(Object.entries(plans))('on the %s plan shows its limits, -1 for none', async (plan, limits) => {
    const ada = await newUser(server)
    await setPlan(server, ada, plan as keyof typeof plans)
    expect((await ada.get(pathOf(ada))).body).toMatchObject({
      plan,
      limits: {
        patterns: limits.patterns,
        queries_per_day: limits.queriesPerDay,
        api_keys: limits.apiKeys,
        members: limits.members,
      },
    })
  })

  it('is listed to its members with what each is in it, oldest membership first', async () => {
    const [ada, ben] = [await newUser(server), await newUser(server)]
    await addMember(server, ada, ben, 'admin')
    const { body } = await ben.get('/v1/organizations')
    expect(body.organizations.map(({ id, role }: { id: string; role: string }) => [id, role])).toEqual([
      [ben.organizationId, 'owner'],
      [ada.organizationId, 'admin'],
    ])
    expect((await ben.get(pathOf(ada))).body.role).toBe('admin')
  })

  it('is renamed by administrators, which is audited', async () => {
    const [ada, ben, eve] = [await newUser(server), await newUser(server), await newUser(server)]
    await addMember(server, ada, ben, 'admin')
    await addMember(server, ada, eve, 'member')
    expect((await ben.patch(pathOf(ada), { name: 'Renamed' })).body).toMatchObject({
      name: 'Renamed',
      role: 'admin',
    })
    expect(await eve.patch(pathOf(ada), { name: 'Mine' })).toMatchObject(adminRequired)
    for (const body of [undefined, {}, { name: null }, { name: 'Renamed' }]) {
      expect((await ada.patch(pathOf(ada), body)).body.name).toBe('Renamed')
    }
    for (const name of ['', '   ', 'x'.repeat(201), 7, 'a\u0000b']) {
      expect((await ada.patch(pathOf(ada), { name })).status).toBe(422)
    }
    expect((await ada.get(pathOf(ada))).body.name).toBe('Renamed')
    expect(await auditOf(server, ada, /^organization_updated$/)).toMatchObject([
      { actor_id: ben.userId, target: ada.organizationId, details: { name: 'Renamed' } },
    ])
  })

  it('I5 that is foreign is answered like one that is unknown, on every path', async () => {
    const [ada, ben] = [await newUser(server), await newUser(server)]
    const { body: key } = await ben.post('/v1/api-keys', { name: 'n' })
    const valid: Record<string, unknown> = {
      changeOrganization: { name: 'Mine' },
      changeMember: { role: 'admin' },
      invite: { email: 'ada@example.com' },
      createOrganizationApiKey: { name: 'n' },
      changeOrganizationApiKey: { name: 'n' },
    }
    const paths = routes
      .map(({ operation }) => operation)
      .filter(({ path, access }) => path.startsWith('/v1/organizations/{org_id}') && access === 'user')
    expect(paths.length).toBeGreaterThanOrEqual(12)
    for (const { id, method, path } of paths) {
      for (const organization of [ben.organizationId, randomUUID()]) {
        const target = path
          .replace('{org_id}', organization)
          .replace('{user_id}', ben.userId)
          .replace('{key_id}', key.id)
          .replace('{invitation_id}', randomUUID())
        const answer = await ada.request(method.toUpperCase(), target, valid[id])
        expect(answer, `${method} ${target}`).toMatchObject(notFound)
      }
      const malformed = path.replace('{org_id}', '42').replaceAll(/\{\w+\}/g, randomUUID())
      const answer = await ada.request(method.toUpperCase(), malformed, valid[id])
      expect(answer.status, `${method} ${malformed}`).toBe(422)
      expect(answer.body.detail).toMatchObject([{ type: 'uuid_parsing', loc: ['path', 'org_id'] }])
    }
    expect((await ben.get('/v1/api-keys')).body).toHaveLength(1)
    expect((await ben.get(`${pathOf(ben)}/members`)).body.members).toHaveLength(1)
    expect((await ben.get(`${pathOf(ben)}/invitations`)).body.invitations).toEqual([])
  })
})
