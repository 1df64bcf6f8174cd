import { randomUUID } from 'node:crypto'
import { asTenant } from '@memory/shared/platform/database/database'
import { insertReceipt } from '@memory/shared/receipts/store'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Anonymous, newUser, type User } from '../support/accounts.ts'
import type { Client } from '../support/client.ts'
import { startServer, type TestServer } from '../support/server.ts'

let server: TestServer
let admin: User

beforeAll(async () => {
  server = await startServer()
  admin = await newUser(server, { platformAdmin: true })
})
afterAll(() => server.close())

/** An organization of which so much was forgotten. @returns its client, and its receipts with the newest first */
async function forgetful(texts: string[]): Promise<{ client: Client; receipts: string[] }> {
  const client = await server.newClient()
  const receipts: string[] = []
  for (const text of texts) {
    await client.post('/v1/memory/text/store', { text, metadata: { of: text } })
    const { body } = await client.post('/v1/memory/text/forget', { filter: { of: text } })
    receipts.unshift(body.receipt)
  }
  return { client, receipts }
}

const list = async (query = '') => (await admin.get(`/v1/admin/receipts${query}`)).body
const of = (answer: { receipts: { receipt: string }[] }) => answer.receipts.map(({ receipt }) => receipt)

describe('the receipts of all organizations', () => {
  it('are for platform admins to see, alone', async () => {
    const ada = await newUser(server)
    expect(await ada.get('/v1/admin/receipts')).toMatchObject({
      status: 403,
      body: { detail: 'Platform admin required' },
    })
    expect((await new Anonymous(server.url).get('/v1/admin/receipts')).status).toBe(401)
    const client = await server.newClient()
    expect((await client.get('/v1/admin/receipts')).status).toBe(403)
  })

  it('come newest first, page by page, or of one organization, and hold no texts', async () => {
    const one = await forgetful(['Ada has asthma.', 'Ada lives in Lisbon.'])
    const other = await forgetful(['Ben is diabetic.'])
    const all = await list()
    expect(of(all).slice(0, 3)).toEqual([...other.receipts, ...one.receipts])
    expect(all.receipts[0]).toMatchObject({
      organization_name: 'Test',
      claims: { org: other.client.organizationId, counts: { patterns: 1 } },
    })
    expect(JSON.stringify(all)).not.toMatch(/asthma|Lisbon|diabetic/)
    for (const { receipt } of all.receipts) {
      expect(Buffer.from(receipt.split('.')[1], 'base64url').toString()).not.toMatch(/asthma|Lisbon|diabetic/)
    }
    const mine = `organization_id=${one.client.organizationId}`
    const first = await list(`?${mine}&limit=1`)
    expect(of(first)).toEqual(one.receipts.slice(0, 1))
    const second = await list(`?${mine}&limit=1&cursor=${first.next_cursor}`)
    expect(of(second)).toEqual(one.receipts.slice(1))
    expect(second.next_cursor).toBeNull()
    expect((await admin.get('/v1/admin/receipts?cursor=x')).status).toBe(422)
  })

  it('are hidden from every tenant but their own', async () => {
    await forgetful(['Ada moved.'])
    const { organizationId } = await server.newClient()
    const seen = await asTenant(server.context.database.queries, { organizationId }, (trx) =>
      trx.withSchema('app').selectFrom('receipts').select('organization_id').execute(),
    )
    expect(seen).toEqual([])
  })

  it('stay when their organization is gone', async () => {
    const { receipts } = await forgetful(['Ada has moved again.'])
    const [receipt] = receipts as [string]
    const gone = randomUUID()
    await asTenant(server.context.database.queries, { organizationId: gone }, (trx) =>
      insertReceipt(trx, { id: randomUUID(), organizationId: gone, spaceId: null, receipt }),
    )
    const left = await list(`?organization_id=${gone}`)
    expect(left.receipts).toMatchObject([{ receipt, organization_name: null }])
  })
})
