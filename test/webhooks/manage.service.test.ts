import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addMember, auditOf } from '../organizations/support.ts'
import { newUser } from '../support/accounts.ts'
import { type ConformingClient, newConformingClient } from '../support/conforms.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { dumpTables } from '../support/tables.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})

afterAll(() => server.close())

const url = 'https://1.1.1.1/hooks/memory'

const create = (client: Pick<ConformingClient, 'post'>, body: object = {}) =>
  client.post('/v1/webhooks', { url, ...body })

describe('a webhook', () => {
  it('is made with a secret that is shown once and stored sealed', async () => {
    const ada = await newConformingClient(server)
    const { status, body } = await create(ada, { event_types: ['memory.regime_changed'], description: 'ops' })
    expect(status).toBe(201)
    const { secret, ...shown } = body
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(shown).toEqual({
      id: expect.any(String),
      url,
      event_types: ['memory.regime_changed'],
      description: 'ops',
      status: 'active',
      created_at: expect.any(String),
    })
    expect((await ada.get('/v1/webhooks')).body).toEqual({ webhooks: [shown] })
    expect((await ada.get(`/v1/webhooks/${body.id}`)).body).toEqual(shown)
    const bytes = Buffer.from(secret.slice(6), 'base64')
    const stored = JSON.stringify(await dumpTables(server.context.database.queries))
    for (const spelled of [secret.slice(6), bytes.toString('hex'), Buffer.from(secret).toString('hex')]) {
      expect(stored).not.toContain(spelled)
    }
    expect(server.logLines.join('')).not.toContain(secret.slice(6))
  })

  it('is changed, and disabled and enabled', async () => {
    const ada = await newConformingClient(server)
    const { secret: _, ...made } = (await create(ada)).body
    const at = `/v1/webhooks/${made.id}`
    expect((await ada.patch(at, {})).body).toEqual(made)
    const changed = {
      ...made,
      url: 'https://1.0.0.1/',
      event_types: ['account.export_ready'],
      description: 'd',
    }
    const { url: to, event_types, description } = changed
    expect((await ada.patch(at, { url: to, event_types, description })).body).toEqual(changed)
    expect((await ada.patch(at, { event_types: null, description: ' ' })).body).toEqual({ ...made, url: to })
    expect((await ada.patch(at, { status: 'disabled' })).body.status).toBe('disabled')
    expect((await ada.post(`${at}/test`)).body).toEqual({ detail: 'The webhook is disabled' })
    expect((await ada.get(`${at}/deliveries`)).body.deliveries).toEqual([])
    expect((await ada.patch(at, { status: 'active' })).body.status).toBe('active')
    expect((await ada.delete(at)).body).toEqual({ message: 'Webhook deleted' })
    for (const [method, path] of [
      ['GET', at],
      ['PATCH', at],
      ['DELETE', at],
      ['GET', `${at}/deliveries`],
      ['POST', `${at}/test`],
      ['POST', `${at}/rotate-secret`],
      ['GET', '/v1/webhooks/none'],
    ] as const) {
      const answer = await ada.request(method, path, method === 'PATCH' ? {} : undefined)
      expect(answer, `${method} ${path}`).toMatchObject({
        status: 404,
        body: { detail: 'Webhook not found' },
      })
    }
  })

  it('leaves each change in the audit log, without the path of its URL', async () => {
    const ada = await newUser(server)
    const { id } = (await create(ada)).body
    await ada.patch(`/v1/webhooks/${id}`, { description: 'd' })
    // What is so already is no change.
    await ada.patch(`/v1/webhooks/${id}`, { status: 'active', description: 'd', event_types: null })
    await ada.post(`/v1/webhooks/${id}/rotate-secret`)
    await ada.delete(`/v1/webhooks/${id}`)
    const entries = await auditOf(server, ada, /^webhook_|^secret_/)
    expect(entries).toMatchObject(
      ['webhook_created', 'webhook_updated', 'secret_rotated', 'webhook_deleted'].map((action) => ({
        action,
        actor: 'user',
        actor_id: ada.userId,
        target: id,
        details: { host: '1.1.1.1' },
      })),
    )
    expect(JSON.stringify(entries)).not.toContain('hooks/memory')
  })

  it('is one of 20 at most, also when many are made at once', async () => {
    const ada = await newConformingClient(server)
    const answers = await Promise.all(Array.from({ length: 23 }, () => create(ada)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20)
    const refused = answers.find(({ status }) => status !== 201)
    expect(refused).toMatchObject({ status: 409, body: { detail: expect.stringContaining('20 webhooks') } })
    expect((await ada.get('/v1/webhooks')).body.webhooks).toHaveLength(20)
  })

  it('W4 is refused where it leads nowhere public, and no credentials are repeated', async () => {
    const ada = await newConformingClient(server)
    const { id } = (await create(ada)).body
    for (const target of [
      'http://1.1.1.1/',
      'https://ada:s3cr3t@1.1.1.1/',
      'https://127.0.0.1/',
      'https://[::1]/',
      'https://[::ffff:1.1.1.1]/',
      'https://2130706433/',
      'https://169.254.169.254/',
      'https://localhost/',
      'https://localhost.:8443/',
    ]) {
      for (const answer of [
        await create(ada, { url: target }),
        await ada.patch(`/v1/webhooks/${id}`, { url: target }),
      ]) {
        expect(answer.status, target).toBe(422)
        const input = '[redacted]'
        expect(answer.body.detail).toMatchObject([{ loc: ['body', 'url'], type: 'value_error', input }])
        expect(JSON.stringify(answer.body)).not.toContain('s3cr3t')
      }
    }
    for (const [target, said] of [
      ['https://1.1.1.1:0/', 'must not name port 0'],
      ['https://a..b/', 'must have a host name whose parts'],
      [`https://${'a'.repeat(64)}.example/`, 'must have a host name whose parts'],
      ['https://example/', 'must have a full host name, with a dot'],
    ] as const) {
      expect((await create(ada, { url: target })).body.detail[0].msg, target).toContain(`the URL ${said}`)
    }
    for (const body of [
      { url: 'ftp://1.1.1.1/' },
      { url: 5 },
      { event_types: [] },
      { event_types: ['memory.unknown'] },
      { description: 'x'.repeat(201) },
    ]) {
      expect((await create(ada, body)).status, JSON.stringify(body)).toBe(422)
    }
    expect((await ada.get('/v1/webhooks')).body.webhooks).toHaveLength(1)
  })
})

describe('who may', () => {
  it('is said by a key’s scopes', async () => {
    const organization = await newConformingClient(server)
    const { id } = (await create(organization)).body
    const reader = await newConformingClient(server, { ...organization, scopes: ['webhooks:read'] })
    const writer = await newConformingClient(server, { ...organization, scopes: ['webhooks:write'] })
    const at = `/v1/webhooks/${id}`
    expect((await reader.get(at)).status).toBe(200)
    expect((await reader.get(`${at}/deliveries`)).status).toBe(200)
    expect((await writer.get(at)).body.detail).toBe('Insufficient scope: webhooks:read required')
    for (const [method, path, body] of [
      ['POST', '/v1/webhooks', { url }],
      ['PATCH', at, {}],
      ['POST', `${at}/test`, undefined],
      ['POST', `${at}/rotate-secret`, undefined],
      ['POST', `${at}/deliveries/${randomUUID()}/redeliver`, undefined],
      ['DELETE', at, undefined],
    ] as const) {
      const refused = await reader.request(method, path, body)
      expect(refused.body.detail, path).toBe('Insufficient scope: webhooks:write required')
      expect([200, 201, 404]).toContain((await writer.request(method, path, body)).status)
    }
  })

  it('of users is an administrator; members read', async () => {
    const [ada, ben] = [await newUser(server), await newUser(server)]
    const { id } = (await create(ada)).body
    await addMember(server, ada, ben, 'member')
    const headers = { 'X-Organization-Id': ada.organizationId }
    const at = `/v1/webhooks/${id}`
    expect((await ben.get('/v1/webhooks', headers)).body.webhooks).toHaveLength(1)
    expect((await ben.get(`${at}/deliveries`, headers)).status).toBe(200)
    for (const [method, path, body] of [
      ['POST', '/v1/webhooks', { url }],
      ['PATCH', at, { status: 'disabled' }],
      ['POST', `${at}/test`, undefined],
      ['POST', `${at}/rotate-secret`, undefined],
      ['POST', `${at}/deliveries/${randomUUID()}/redeliver`, undefined],
      ['DELETE', at, undefined],
    ] as const) {
      expect(await ben.request(method, path, body, headers), path).toMatchObject({
        status: 403,
        body: { detail: 'Organization admin required' },
      })
    }
    expect((await ada.get(at)).body.status).toBe('active')
  })
})
