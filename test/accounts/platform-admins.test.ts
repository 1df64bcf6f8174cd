import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Anonymous, mailedToken, newUser } from '../support/accounts.ts'
import { startServer, type TestServer } from '../support/server.ts'

const listed = 'root@example.com'

describe('a platform admin of a public service', () => {
  let server: TestServer

  beforeAll(async () => {
    server = await startServer({
      MEMORY_PLATFORM_ADMINS: listed,
      PUBLIC_BASE_URL: 'https://memory.example.com',
    })
  })
  afterAll(() => server.close())

  it('is who has shown that a mail to the listed address reaches them, not who registers it first', async () => {
    const admin = await newUser(server, { email: listed })
    const changePlan = () =>
      admin.put(`/v1/admin/organizations/${admin.organizationId}/plan`, { plan: 'pro' })
    const refused = await changePlan()
    expect(refused.status).toBe(403)
    expect(refused.body).toEqual({ detail: 'Platform admins must verify their email address first' })
    const token = await mailedToken(server, admin.userId, 'verify-email')
    expect((await new Anonymous(server.url).post('/v1/auth/verify-email', { token })).status).toBe(200)
    expect((await changePlan()).status).toBe(200)
  })

  it('is nobody else, verified or not', async () => {
    const ada = await newUser(server)
    const token = await mailedToken(server, ada.userId, 'verify-email')
    await new Anonymous(server.url).post('/v1/auth/verify-email', { token })
    const { status, body } = await ada.put(`/v1/admin/organizations/${ada.organizationId}/plan`, {
      plan: 'pro',
    })
    expect([status, body]).toEqual([403, { detail: 'Platform admin required' }])
  })
})
