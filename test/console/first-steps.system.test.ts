import { expect, it } from 'vitest'
import { inBrowser, local, operator, signOperatorIn } from './stage.ts'

inBrowser(
  'the first steps',
  () => {
    it('store a memory without a terminal, which then is found', async () => {
      const visitor = await operator('/start')
      const { page } = visitor
      await page.getByRole('main').getByRole('button', { name: 'Store it' }).click()
      await page.getByRole('log').getByText('Ada moved to Lisbon in May.').waitFor()
      const { body } = await local.get('/v1/memory/patterns')
      expect(body.patterns.map(({ text }: { text: string }) => text)).toEqual(['Ada moved to Lisbon in May.'])
      // What was stored is not stored once more by the next press.
      expect(await visitor.field('Text').inputValue()).toBe('')
      await visitor.press('Ask for it in the playground', 'link')
      await visitor.heading('Playground')
      await page.getByRole('listitem').getByText('Ada moved to Lisbon in May.').first().waitFor()
    })
  },
  { before: signOperatorIn },
)
