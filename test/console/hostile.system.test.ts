import { expect, it } from 'vitest'
import { hostile } from './hostile.ts'
import { arrive, inBrowser, local, newcomer, operator, signOperatorIn } from './stage.ts'
import type { Visitor } from './visitor.ts'

/** What a page shows of a text: hidden characters are shown by their names, so that markup is told by its beginning. */
async function expectShown(visitor: Visitor, path: string, ...texts: string[]): Promise<void> {
  await visitor.go(path)
  await visitor.page.getByRole('heading', { level: 1 }).waitFor()
  const main = visitor.page.getByRole('main')
  for (const text of texts) await main.getByText(text).first().waitFor()
  expect(await visitor.page.evaluate('window.harmed === true'), path).toBe(false)
  expect(await visitor.page.locator('main script, main img, main svg[onload]').count(), path).toBe(0)
}

inBrowser(
  'what people call themselves, and what their browsers do',
  () => {
    it('is shown as text, to themselves and to operators', async () => {
      const visitor = await arrive({ userAgent: `Mozilla/5.0 ${hostile.script}` })
      const { email, password } = newcomer()
      await visitor.go('/sign-up')
      await visitor.field('Email address').fill(email)
      await visitor.field('Password').fill(password)
      await visitor.field('Your name').fill(hostile.image)
      await visitor.field('Organization').fill(hostile.script)
      await visitor.press('Create the account')
      await visitor.heading('First steps')

      await expectShown(visitor, '/account', hostile.image)
      await expectShown(visitor, '/sessions')
      await expectShown(visitor, '/members', hostile.image)
      await expectShown(visitor, '/audit', hostile.script)
      await visitor.go('/keys')
      await visitor.field('Name').fill(hostile.template)
      await visitor.press('Make the key')
      await visitor.page.getByRole('region', { name: 'New key' }).waitFor()
      await expectShown(visitor, '/keys', hostile.template)
      await visitor.go('/organization')
      expect(await visitor.field('Name').inputValue()).toBe(hostile.script)

      const runner = await operator('/')
      await expectShown(runner, '/operators/organizations', hostile.script)
      await expectShown(runner, `/operators/users?search=${encodeURIComponent(email)}`, hostile.image)
    })

    it('is named where it hides something, which the ends of lines of Windows do not', async () => {
      await local.post('/v1/memory/text/store', { text: 'First line.\r\nSecond\rand last.' })
      const visitor = await operator('/memories')
      const text = visitor.page.getByRole('main').locator('.stored', { hasText: 'First line.' })
      expect(await text.innerText()).toBe('First line.\nSecondU+000Dand last.')

      const verse = 'Verse \u06dd\u0661, year \u0601\u0661\u0664\u0660\u0660, of \u{110bd}\u{11067}'
      await local.post('/v1/memory/text/store', { text: `${verse}\u202e.` })
      await visitor.go('/memories')
      const signs = visitor.page.getByRole('main').locator('.stored', { hasText: 'Verse' })
      expect(await signs.innerText()).toBe(`${verse}U+202E.`)
    })
  },
  { before: signOperatorIn },
)
