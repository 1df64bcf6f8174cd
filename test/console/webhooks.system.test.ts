import { afterAll, beforeAll, expect, it } from 'vitest'
import { until } from '../support/until.ts'
import { Receiver, signaturesOf, verified } from '../webhooks/receiver.ts'
import { inBrowser, local, operator, signOperatorIn } from './stage.ts'
import { patience } from './visitor.ts'

const hostile = '<img src=x onerror="window.harmed = true"><script>window.harmed = true</script> \u202Etxet'

const poll = <T>(read: () => T | Promise<T>) => expect.poll(read, { timeout: patience })

inBrowser(
  'webhooks',
  () => {
    let receiver: Receiver

    beforeAll(async () => {
      receiver = await Receiver.start()
    })

    afterAll(() => receiver.stop())

    const newWebhook = async (body: object = {}): Promise<{ id: string; secret: string }> =>
      (await local.post('/v1/webhooks', { url: receiver.url, ...body })).body

    it('makes one with events that were chosen, whose secret is shown once and verifies what is sent', async () => {
      const visitor = await operator('/webhooks')
      const { page } = visitor
      await visitor.see('There are no webhooks yet')
      await visitor.field('Address').fill(receiver.url)
      await visitor.field('Description').fill('alerts')
      await page.getByLabel(/^All events/).uncheck()
      for (const name of ['A space is full', 'A payment failed']) await page.getByLabel(name).uncheck()
      await visitor.press('Make the webhook')
      const secret = await page.getByRole('region', { name: 'Secret of the webhook' }).innerText()
      const [made] = (await local.get('/v1/webhooks')).body.webhooks
      expect(made.event_types).toHaveLength(6)
      expect(made.event_types).not.toContain('billing.payment_failed')
      // It is not shown again: whoever has not kept it is asked before they leave.
      await visitor.press(receiver.url, 'link')
      await page.getByRole('dialog').getByRole('button', { name: 'Stay' }).click()
      await visitor.press('I have kept it')
      await visitor.press(receiver.url, 'link')
      await visitor.heading('Webhook')
      expect(await page.getByText(secret).count()).toBe(0)
      receiver.answerWith(200)
      await visitor.press('Send a test event')
      await visitor.heading('Delivery')
      // Nobody loads the page again.
      await page.getByRole('status').filter({ hasText: 'Delivered' }).waitFor()
      await visitor.see(/^Answered 200 after/)
      const sent = await until(() => receiver.received.at(-1), 'the test event')
      expect(verified(secret, sent)).toMatchObject({ type: 'webhook.test' })
      await visitor.see(String(sent.headers['webhook-id']))
      expect(await page.getByRole('region', { name: 'Payload' }).innerText()).toBe(sent.body)
      await local.delete(`/v1/webhooks/${made.id}`)
    })

    it('shows hostile answers as text, and sends again', async () => {
      const { id } = await newWebhook()
      receiver.answer = (response) => response.writeHead(500, { 'Content-Type': 'text/html' }).end(hostile)
      const { body } = await local.post(`/v1/webhooks/${id}/test`)
      const visitor = await operator(`/webhooks/${id}/deliveries/${body.id}`)
      const { page } = visitor
      await visitor.see(/^Answered 500 after/)
      await visitor.see('<img src=x onerror="window.harmed = true"><script>')
      await visitor.see('U+202E')
      expect(await page.locator('main img, main script').count()).toBe(0)
      expect(await page.evaluate('window.harmed')).toBeUndefined()
      receiver.answerWith(204)
      await visitor.press('Send it again')
      await visitor.see(/^Answered 204 after/)
      await page.getByRole('status').filter({ hasText: 'Delivered' }).waitFor()
      expect(await page.getByRole('list', { name: 'Attempts' }).getByRole('listitem').count()).toBe(2)
      const [first, second] = receiver.received.slice(-2)
      expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
      await local.delete(`/v1/webhooks/${id}`)
    })

    it('says that a receiver hung, once its time is over', async () => {
      const { id } = await newWebhook()
      receiver.answer = () => {}
      const visitor = await operator(`/webhooks/${id}`)
      await visitor.press('Send a test event')
      await visitor.heading('Delivery')
      await visitor.see('There was no attempt yet')
      await visitor.page.getByRole('status').filter({ hasText: 'Pending' }).waitFor()
      await visitor.see('The receiver did not answer in time.')
      await visitor.page.getByRole('status').filter({ hasText: 'Failed' }).waitFor()
      await local.delete(`/v1/webhooks/${id}`)
    })

    it('lists deliveries by status and page, at an address that can be shared', async () => {
      const { id } = await newWebhook()
      receiver.answerWith(500)
      const sendTest = async () => (await local.post(`/v1/webhooks/${id}/test`)).body.id as string
      for (let i = 0; i < 27; i++) await sendTest()
      const countOf = async (status: string) =>
        (await local.get(`/v1/webhooks/${id}/deliveries?limit=200&status=${status}`)).body.deliveries.length
      await until(async () => (await countOf('failed')) === 27, 'every attempt')
      receiver.answerWith(200)
      await sendTest()
      await until(async () => (await countOf('delivered')) === 1, 'the last attempt')
      const visitor = await operator(`/webhooks/${id}`)
      const { page } = visitor
      const rows = page.getByRole('table', { name: 'Deliveries' }).locator('tbody tr')
      await poll(() => rows.count()).toBe(25)
      // Those that were asked for before stay until those of the filter are here, and lead to no other page.
      const { promise: released, resolve: release } = Promise.withResolvers<void>()
      let held = 0
      await page.route(/deliveries\?.*status=failed/, async (route) => {
        held++
        await released
        await route.continue()
      })
      await visitor.field('Status').selectOption('Failed')
      await poll(() => held).toBe(1)
      const next = page.getByRole('link', { name: 'Next page' })
      expect(await next.isDisabled()).toBe(true)
      await next.press('Enter')
      expect(visitor.path).not.toContain('cursor=')
      release()
      await visitor.press('Next page', 'link')
      await poll(() => rows.count()).toBe(2)
      const { path } = visitor
      expect(path).toContain('cursor=')
      await operator(path)
      await poll(() => rows.count()).toBe(2)
      await visitor.press('First page', 'link')
      await poll(() => rows.count()).toBe(25)
      await visitor.field('Status').selectOption('Delivered')
      await poll(() => rows.count()).toBe(1)
      await visitor.field('Event').selectOption('billing.payment_failed')
      await visitor.see('There are no such deliveries.')
      await local.delete(`/v1/webhooks/${id}`)
    })

    it('changes, disables, enables and deletes one, and replaces its secret', async () => {
      const { id, secret: old } = await newWebhook()
      const visitor = await operator(`/webhooks/${id}`)
      const { page } = visitor
      const get = async () => (await local.get(`/v1/webhooks/${id}`)).body
      const save = page.getByRole('button', { name: 'Save' })
      expect(await save.isDisabled()).toBe(true)
      await visitor.field('Description').fill(hostile)
      // What somebody else changes meanwhile is not undone, and throws nothing away that is being typed.
      await local.patch(`/v1/webhooks/${id}`, { event_types: ['billing.payment_failed'] })
      await page.evaluate(`document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`)
      await until(() => visitor.isQuiet, 'what is asked for anew')
      expect(await visitor.field('Description').inputValue()).toBe(hostile)
      await visitor.press('Save')
      await visitor.see('The webhook is changed.')
      expect(await get()).toMatchObject({ description: hostile, event_types: ['billing.payment_failed'] })
      expect(await page.getByLabel(/^All events/).isChecked()).toBe(false)
      await visitor.field('Description').fill('not saved')
      await page.getByText('The webhook is changed.').waitFor({ state: 'detached' })
      const confirm = async (name: string) => {
        await visitor.press(name)
        await page.getByRole('dialog').getByRole('button', { name }).click()
      }
      await confirm('Replace the secret')
      const secret = await page.getByRole('region', { name: 'Secret of the webhook' }).innerText()
      receiver.answerWith(200)
      const before = receiver.received.length
      await local.post(`/v1/webhooks/${id}/test`)
      const sent = await until(() => receiver.received[before], 'the test event')
      expect([secret, old].map((each) => signaturesOf(each, sent))).toEqual([1, 1])
      await confirm('Disable')
      await visitor.see(/^Nothing is sent/)
      expect(await page.getByRole('button', { name: 'Send a test event' }).isDisabled()).toBe(true)
      expect((await get()).status).toBe('disabled')
      await visitor.press('Enable')
      await page.getByRole('button', { name: 'Disable' }).waitFor()
      expect((await get()).status).toBe('active')
      await confirm('Delete')
      await visitor.heading('Webhooks')
      await visitor.see('There are no webhooks yet')
      expect((await local.get(`/v1/webhooks/${id}`)).status).toBe(404)
    })

    it('says what is wrong with an address', async () => {
      const visitor = await operator('/webhooks')
      await visitor.field('Address').fill('https://169.254.169.254/')
      await visitor.press('Make the webhook')
      await visitor.see('Something that was entered is not valid')
      await visitor.see(/should lead to a server that can be reached from anywhere/)
    })
  },
  { before: signOperatorIn },
)
