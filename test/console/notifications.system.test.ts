import { randomUUID } from 'node:crypto'
import { notificationTypes, wordNotification } from '@memory/shared/catalogue/notifications'
import { Webhook } from 'standardwebhooks'
import { expect, it } from 'vitest'
import { until } from '../support/until.ts'
import {
  accessTokenOf,
  arrive,
  asUser,
  billingSecret,
  inBrowser,
  local,
  newcomer,
  operator,
  service,
  signOperatorIn,
  signUp,
} from './stage.ts'
import { patience, type Visitor } from './visitor.ts'

const poll = <T>(read: () => T | Promise<T>) => expect.poll(read, { timeout: patience })

let localOrganization: string

/** Signs the operator in, and finds out whose the service is. */
async function begin(): Promise<void> {
  const { page } = await signOperatorIn()
  localOrganization = await page.getByRole('banner').getByLabel('Organization').inputValue()
  await forgetAll()
}

async function forgetAll(): Promise<void> {
  await local.post('/v1/notifications/read-all')
  await local.delete('/v1/notifications/read')
}

/** Has an organization be told of something: a payment failed. */
async function happen(organizationId = localOrganization): Promise<void> {
  const body = JSON.stringify({
    type: 'invoice.payment_failed',
    timestamp: new Date().toISOString(),
    data: { organization_id: organizationId },
  })
  const id = `msg_${randomUUID()}`
  const at = new Date()
  const answer = await fetch(`${service.url}/v1/billing/webhook`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': new Webhook(billingSecret).sign(id, at, body),
    },
    body,
  })
  expect(answer.status).toBe(200)
}

const bell = ({ page }: Visitor) => page.getByRole('banner').getByRole('link', { name: /^Notifications/ })
const cards = ({ page }: Visitor) => page.getByRole('list', { name: 'List of notifications' }).locator('> li')

/** Waits until it is this page, of all that are open in its browser, that has the stream. */
const leads = ({ page }: Visitor) =>
  poll(() =>
    page.evaluate(async () => {
      const { held = [] } = await navigator.locks.query()
      return held.filter(({ name }) => name?.startsWith('memory-notifications')).length
    }),
  ).toBe(1)

inBrowser(
  'notifications',
  () => {
    it('come by themselves, on the page and in the header', async () => {
      const visitor = await operator('/notifications')
      const { page } = visitor
      await visitor.see('Nothing has happened yet')
      await leads(visitor)
      const requests: string[] = []
      page.on('request', (request) => requests.push(new URL(request.url()).pathname))
      const before = requests.length
      await happen()
      const unread = (await local.get('/v1/notifications')).body.unread_count as number
      await page
        .getByRole('banner')
        .getByRole('link', { name: `Notifications: ${unread} unread` })
        .waitFor()
      await poll(() => cards(visitor).count()).toBe(unread)
      await visitor.see('Payment failed')
      // The severity is said in words.
      await cards(visitor).first().getByText('Critical').waitFor()
      // The one that there is: on a busy machine it may have begun only now.
      expect(requests.slice(before).filter((path) => path.endsWith('/stream')).length).toBeLessThanOrEqual(1)
      // What is read elsewhere is read here.
      await local.post('/v1/notifications/read-all')
      await page.getByRole('banner').getByRole('link', { name: 'Notifications: 0 unread' }).waitFor()
      await poll(() => cards(visitor).getByText('Unread', { exact: true }).count()).toBe(0)
    })

    it('reach every tab over one stream, also when the tab that has it is closed', async () => {
      const visitor = await operator('/notifications')
      await leads(visitor)
      const streams = new Set<string>()
      const watch = (page: typeof visitor.page, name: string) =>
        page.on('request', (request) => {
          if (request.url().endsWith('/v1/notifications/stream')) streams.add(name)
        })
      const [first, second] = [await visitor.tab(), await visitor.tab()]
      watch(first, 'first')
      watch(second, 'second')
      for (const tab of [first, second]) await tab.goto(`${visitor.url}/console/notifications`)
      const counts = () =>
        Promise.all(
          [visitor.page, first, second].map((page) =>
            page
              .getByRole('banner')
              .getByRole('link', { name: /^Notifications: / })
              .innerText(),
          ),
        )
      await happen()
      const unread = (await local.get('/v1/notifications')).body.unread_count as number
      await poll(counts).toEqual(Array(3).fill(String(unread)))
      expect([...streams]).toEqual([])
      // Whoever has the stream goes: another takes over.
      await visitor.page.goto('about:blank')
      await poll(() => streams.size).toBe(1)
      await local.post('/v1/notifications/read-all')
      for (const tab of [first, second]) {
        await tab.getByRole('banner').getByRole('link', { name: 'Notifications: 0 unread' }).waitFor()
        await tab.close()
      }
    })

    it('are marked as read, filtered, and deleted', async () => {
      await forgetAll()
      for (let i = 0; i < 3; i++) await happen()
      const all = (await local.get('/v1/notifications')).body.data as { id: string }[]
      const visitor = await operator('/notifications')
      const { page } = visitor
      await poll(() => cards(visitor).count()).toBe(all.length)
      await cards(visitor).first().getByRole('button', { name: 'Mark as read' }).click()
      await poll(() => cards(visitor).first().getByText('Unread', { exact: true }).count()).toBe(0)
      await page.getByText('Unread', { exact: true }).first().click()
      await poll(() => visitor.path).toContain('unread=true')
      await poll(() => cards(visitor).count()).toBe(all.length - 1)
      await visitor.press('Mark all as read')
      await visitor.see('Everything was read.')
      await visitor.press('Show all', 'link')
      await poll(() => cards(visitor).count()).toBe(all.length)
      await cards(visitor).first().getByRole('button', { name: 'Delete' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
      await poll(() => cards(visitor).count()).toBe(all.length - 1)
      await visitor.press('Delete those read')
      await page.getByRole('dialog').getByRole('button', { name: 'Delete those read' }).click()
      await visitor.see('Nothing has happened yet')
      expect((await local.get('/v1/notifications')).body.pagination.total).toBe(0)
    })

    it('are paged, at addresses that can be shared', async () => {
      for (let i = 0; i < 25; i++) await happen()
      const total = (await local.get('/v1/notifications')).body.pagination.total as number
      const visitor = await operator('/notifications?page=2')
      await poll(() => cards(visitor).count()).toBe(total - 20)
      await visitor.see('Page 2 of 2')
      await visitor.press('Newer', 'link')
      await poll(() => cards(visitor).count()).toBe(20)
      await visitor.press('Older', 'link')
      await poll(() => visitor.path).toContain('page=2')
      // Beyond the last page there is the last one.
      await visitor.go('/notifications?page=4')
      await visitor.see('Page 2 of 2')
      expect(visitor.path).toBe('/notifications?page=2')
    })

    it('lead to pages that there are, whatever they are about', async () => {
      const data = {
        ...{ expiresAt: '2026-01-01T00:00:00Z', used: 1, limit: 1, consolidated: 1 },
        exportId: randomUUID(),
      }
      const urls = notificationTypes.map(
        (type) => wordNotification(type, data, { environment: 'test', name: null }).actionUrl,
      )
      const leading = [...new Set(urls)].filter((url) => url !== null)
      expect(leading.length).toBeGreaterThan(2)
      await local.post('/v1/memory/regime/inject-anomaly', { magnitude: 100 })
      for (const url of leading) {
        const visitor = await operator(url)
        await visitor.page.getByRole('heading', { level: 1 }).waitFor()
        expect(await visitor.page.getByRole('heading', { level: 1 }).innerText(), url).not.toBe(
          'There is no such page',
        )
      }
      const visitor = await operator('/notifications?space=test&unread=true')
      await cards(visitor).getByRole('link', { name: 'Go there: Regime changed' }).first().click()
      await visitor.heading('Engine')
      // It was in the live space.
      await poll(() => visitor.path).toBe('/engine')
      const unread = (await local.get('/v1/notifications')).body.data as { type: string; read: boolean }[]
      expect(unread.some(({ type }) => type === 'regime_changed')).toBe(true)
      await until(async () => {
        const { body } = await local.get('/v1/notifications')
        return (body.data as typeof unread).some(({ type, read }) => type === 'regime_changed' && read)
      }, 'that it is read')
    })

    it('are those of the organization that one looks at, and end with the session', async () => {
      const visitor = await arrive()
      const person = await signUp(visitor, newcomer())
      const token = await accessTokenOf(person)
      await poll(() => bell(visitor).getAttribute('aria-label')).toBe('Notifications: 0 unread')
      const mine = await (await asUser(token, 'GET', '/v1/organizations')).json()
      await happen((mine as { organizations: { id: string }[] }).organizations[0]?.id)
      await poll(() => bell(visitor).getAttribute('aria-label')).toBe('Notifications: 1 unread')
      // Ended elsewhere: the page leaves without being touched.
      await asUser(token, 'POST', '/v1/auth/logout-all')
      await visitor.heading('Sign in')
    })
  },
  { before: begin },
)
