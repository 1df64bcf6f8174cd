import { expect, it } from 'vitest'
import {
  accessTokenOf,
  arrive,
  asUser,
  fillSignIn,
  inBrowser,
  local,
  operator,
  signOperatorIn,
  signUp,
} from './stage.ts'
import { patience } from './visitor.ts'

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

    it('take nothing that is typed while a text is being stored, which would be thrown away', async () => {
      const visitor = await operator('/start')
      const { page } = visitor
      let goOn = () => {}
      const held = new Promise<void>((resolve) => {
        goOn = resolve
      })
      const storing = '**/v1/memory/text/store'
      await page.route(storing, async (route) => {
        await held
        await route.continue()
      })
      await visitor.field('Text').fill('Held for a while.')
      await visitor.press('Store it')
      const isDisabled = () => visitor.field('Text').isDisabled()
      await expect.poll(isDisabled, { timeout: patience }).toBe(true)
      goOn()
      await page.getByRole('log').getByText('Held for a while.').waitFor()
      await expect.poll(isDisabled, { timeout: patience }).toBe(false)
      expect(await visitor.field('Text').inputValue()).toBe('')
      await page.unroute(storing)
    })

    it('have an example in the language of the page, which is nothing that was typed', async () => {
      const visitor = await arrive()
      await signUp(visitor)
      await visitor.page.getByLabel('Language').selectOption('Français')
      const text = () => visitor.field('Texte').inputValue()
      await expect.poll(text, { timeout: patience }).toBe('Ada a déménagé à Lisbonne en mai.')
      await visitor.press('Souvenirs', 'link')
      await visitor.heading('Souvenirs')
    })

    it('keep what was typed while the session was ended elsewhere', async () => {
      const visitor = await arrive()
      const person = await signUp(visitor)
      await visitor.field('Text').fill('Typed for an hour.')
      await asUser(await accessTokenOf(person), 'POST', '/v1/auth/logout-all')
      await visitor.press('Store it')
      await visitor.see('Your session has ended.')
      await fillSignIn(visitor, person)
      await visitor.heading('First steps')
      expect(await visitor.field('Text').inputValue()).toBe('Typed for an hour.')
      await visitor.press('Store it')
      await visitor.page.getByRole('log').getByText('Typed for an hour.').waitFor()
    })
  },
  { before: signOperatorIn },
)
