import { expect, it } from 'vitest'
import { until } from '../support/until.ts'
import {
  accessTokenOf,
  arrive,
  asUser,
  inBrowser,
  operator,
  service,
  signOperatorIn,
  signUp,
} from './stage.ts'
import { patience } from './visitor.ts'

inBrowser(
  'API keys',
  () => {
    it('makes a key that is shown once, and revokes it', async () => {
      const visitor = await operator('/keys')
      const { page } = visitor
      await visitor.field('Name').fill('of a robot')
      await page.getByRole('button', { name: 'Make the key' }).dblclick()
      const key = await page.getByRole('region', { name: 'New key of a robot' }).innerText()
      const stats = () => fetch(`${service.url}/v1/memory/text/stats`, { headers: { 'X-API-Key': key } })
      expect((await stats()).status).toBe(200)
      const row = page.getByRole('row', { name: /of a robot/ })
      // A double click makes one: two rows would be refused here.
      await row.getByRole('cell', { name: 'Read and write memories' }).waitFor()
      // The next one leaves it on the page.
      await visitor.field('Name').fill('of another')
      await visitor.press('Make the key')
      const other = await page.getByRole('region', { name: 'New key of another' }).innerText()
      expect(other).not.toBe(key)
      expect(await page.getByRole('region', { name: 'New key of a robot' }).innerText()).toBe(key)
      await visitor.press('I have kept it')
      await page.getByText('The key of another is shown this once').waitFor({ state: 'detached' })
      await visitor.see('The key of a robot is shown this once: keep it now.')
      // It is not shown again: whoever has not copied it is asked before they leave.
      await visitor.press('Subjects', 'link')
      await page.getByRole('dialog').getByRole('button', { name: 'Stay' }).click()
      await visitor.press('Copy: New key of a robot')
      await visitor.see('Copied')
      await visitor.press('Subjects', 'link')
      await visitor.heading('Subjects')
      await visitor.press('API keys', 'link')
      await visitor.heading('API keys')
      // The second click of a double click does not close the dialogue: later clicks beside it do.
      const dialogue = page.getByRole('dialog')
      await row.getByRole('button', { name: 'Revoke' }).dblclick()
      await dialogue.waitFor()
      await until(async () => {
        await page.mouse.click(5, 5)
        return (await dialogue.count()) === 0
      }, 'the dialogue to be closed')
      await row.getByRole('button', { name: 'Revoke' }).click()
      const revocations: string[] = []
      page.on('request', (request) => {
        if (request.method() === 'DELETE') revocations.push(request.url())
      })
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).dblclick()
      await row.waitFor({ state: 'detached' })
      // Who uses the keyboard goes on in the content, not at the head of the page.
      const focused = () => page.evaluate<string>('document.activeElement.id')
      await expect.poll(focused, { timeout: patience }).toBe('content')
      expect((await stats()).status).toBe(401)
      expect(revocations).toHaveLength(1)
    })

    it('copies a key where the page has no clipboard, and selects it where nothing copies', async () => {
      const visitor = await arrive()
      const { page } = visitor
      await signUp(visitor)
      const pasted = () => page.evaluate<string>('clipboard.readText()')
      // As over plain http from another host; what was copied is read by what the page no longer finds.
      await page.addInitScript('window.clipboard = navigator.clipboard; delete Navigator.prototype.clipboard')
      await visitor.go('/keys')
      await visitor.field('Name').fill('to be copied')
      await visitor.press('Make the key')
      const key = await page.getByRole('region', { name: 'New key' }).innerText()
      await visitor.press('Copy: New key to be copied')
      await visitor.see('Copied')
      expect(await pasted()).toBe(key)

      await page.evaluate('getSelection().removeAllRanges(); document.execCommand = () => false')
      await visitor.press('Copy: New key to be copied')
      await visitor.see(/^The browser did not let the page copy it\. .* press Ctrl\+C/)
      expect(await page.evaluate('getSelection().toString()')).toBe(key)
    })

    it('makes a key of the space that one looks at, unless told otherwise', async () => {
      const visitor = await operator('/keys')
      expect(await visitor.field('For the test space').isChecked()).toBe(false)
      await visitor.page.getByLabel('Space', { exact: true }).selectOption('Test')
      await expect
        .poll(() => visitor.field('For the test space').isChecked(), { timeout: patience })
        .toBe(true)
    })

    it('says of a key whose it is, and that it has expired', async () => {
      const visitor = await arrive()
      const token = await accessTokenOf(await signUp(visitor))
      const made = await asUser(token, 'POST', '/v1/api-keys', {
        ...{ name: 'of a guest', subject: 'eve', scopes: ['memory:read'] },
        expires_at: new Date(Date.now() + 86_400_000).toISOString(),
      })
      expect(await made.json()).toMatchObject({ subject: 'eve' })
      // Two days later.
      await visitor.page.clock.setFixedTime(Date.now() + 2 * 86_400_000)
      await visitor.go('/keys')
      const row = visitor.page.getByRole('row', { name: /of a guest/ })
      await row.getByText('Only for the end user eve').waitFor()
      await row.getByText('Expired').waitFor()
    })
  },
  { before: signOperatorIn },
)
