import { expect, it } from 'vitest'
import { inBrowser, operator, service, signOperatorIn } from './stage.ts'
import { patience } from './visitor.ts'

inBrowser(
  'API keys',
  () => {
    it('makes a key that is shown once, and revokes it', async () => {
      const visitor = await operator('/keys')
      const { page } = visitor
      await visitor.field('Name').fill('of a robot')
      await visitor.press('Make the key')
      const key = await page.getByRole('region', { name: 'New key' }).innerText()
      const stats = () => fetch(`${service.url}/v1/memory/text/stats`, { headers: { 'X-API-Key': key } })
      expect((await stats()).status).toBe(200)
      const row = page.getByRole('row', { name: /of a robot/ })
      await row.getByRole('button', { name: 'Revoke' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
      await row.waitFor({ state: 'detached' })
      // Who uses the keyboard goes on in the content, not at the head of the page.
      const focused = () => page.evaluate<string>('document.activeElement.id')
      await expect.poll(focused, { timeout: patience }).toBe('content')
      expect((await stats()).status).toBe(401)
    })
  },
  { before: signOperatorIn },
)
