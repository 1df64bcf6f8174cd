import { expect, it } from 'vitest'
import { accessTokenOf, arrive, asUser, inBrowser, mailed, signUp } from './stage.ts'
import { patience, type Visitor } from './visitor.ts'

/** The organization of somebody else, of which the person becomes a member. */
async function join(email: string, password: string): Promise<string> {
  const host = await signUp(await arrive())
  const token = await accessTokenOf(host)
  const { organizations } = (await (await asUser(token, 'GET', '/v1/organizations')).json()) as {
    organizations: { id: string }[]
  }
  const path = `/v1/organizations/${organizations[0]?.id}`
  expect((await asUser(token, 'PATCH', path, { name: 'Université <i>Lovelace</i>' })).status).toBe(200)
  expect((await asUser(token, 'POST', `${path}/invitations`, { email, role: 'member' })).status).toBe(201)
  const { link } = await mailed(email, 'accept-invitation')
  const body = { token: new URL(link).hash.slice('#token='.length) }
  const accepted = await asUser(
    await accessTokenOf({ email, password }),
    'POST',
    '/v1/invitations/accept',
    body,
  )
  expect(accepted.status).toBe(200)
  return organizations[0]?.id as string
}

inBrowser('the command palette', () => {
  const focused = ({ page }: Visitor) =>
    page.evaluate<string>('document.activeElement.getAttribute("role") ?? document.activeElement.tagName')

  it('is opened, searched and closed by the keyboard alone, and leads everywhere', async () => {
    const visitor = await arrive()
    const { email, password } = await signUp(visitor)
    const org = await join(email, password)
    await visitor.go('/')
    await visitor.heading('Overview')
    const { page } = visitor
    const { keyboard } = page
    const dialog = page.getByRole('dialog', { name: 'Search or go to' })
    const chosen = dialog.getByRole('option', { selected: true })
    const open = async (typed: string) => {
      await keyboard.press('Control+K')
      await dialog.waitFor()
      await expect.poll(() => focused(visitor), { timeout: patience }).toBe('combobox')
      await keyboard.type(typed)
    }
    const chosenIs = (name: string | RegExp) => chosen.filter({ hasText: name }).waitFor()
    const closed = () => dialog.waitFor({ state: 'detached' })

    await open('MÉMB')
    await chosenIs('Members')
    await keyboard.press('Enter')
    await visitor.heading('Members')
    await closed()

    // Also from within a field, and the letters of it go into the palette.
    await visitor.field('Email address').focus()
    await open('organ sett')
    await chosenIs('Organization settings')
    await keyboard.press('Escape')
    await closed()
    expect(await visitor.field('Email address').inputValue()).toBe('')

    await open('Ada in Lisbon')
    await chosenIs('Search memories for the words: Ada in Lisbon')
    await keyboard.press('ArrowDown')
    await chosenIs('Search memories by meaning: Ada in Lisbon')
    await keyboard.press('ArrowDown')
    await chosenIs('for the words')
    await keyboard.press('ArrowUp')
    await chosenIs('by meaning')
    await keyboard.press('Enter')
    await visitor.heading('Memories')
    expect(visitor.path).toBe('/memories?way=meaning&q=Ada%20in%20Lisbon'.replaceAll('%20', '+'))
    await visitor.see('Nothing was found.')
    await closed()
    const again = page.waitForRequest(/\/text\/retrieve$/)
    await open('Ada in Lisbon')
    await keyboard.press('ArrowDown')
    await chosenIs('by meaning')
    await keyboard.press('Enter')
    await again

    await open('universite')
    await chosenIs('Université <i>Lovelace</i>')
    await keyboard.press('Enter')
    await expect.poll(() => visitor.path, { timeout: patience }).toContain(`org=${org}`)
    await open('space test')
    await keyboard.press('Enter')
    await expect.poll(() => visitor.path, { timeout: patience }).toContain('space=test')

    await open('dark')
    await keyboard.press('Enter')
    const scheme = () => page.evaluate('document.documentElement.dataset.mantineColorScheme')
    await expect.poll(scheme, { timeout: patience }).toBe('dark')
    await open('fran')
    await keyboard.press('Enter')
    await visitor.heading('Souvenirs')
    await page.keyboard.press('Control+K')
    await page.getByRole('combobox', { name: 'Chercher ou aller à' }).waitFor()
    await keyboard.type('deconnecter')
    await keyboard.press('Enter')
    await visitor.heading('Connexion')
  })

  it('is opened by its button, and used by everybody', async () => {
    const visitor = await arrive()
    await signUp(visitor)
    const { page } = visitor
    const dialog = page.getByRole('dialog', { name: 'Search or go to' })
    const button = page.getByRole('button', { name: 'Search or go to' })
    await button.focus()
    await page.keyboard.press('Enter')
    await dialog.waitFor()
    expect(await visitor.violations()).toEqual([])
    const field = dialog.getByRole('combobox')
    const active = await field.getAttribute('aria-activedescendant')
    const [first] = await dialog.getByRole('option').all()
    expect(await first?.getAttribute('id')).toBe(active)
    expect(await first?.getAttribute('aria-selected')).toBe('true')
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await visitor.violations()).toEqual([])
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    const isBack = () => page.evaluate('document.activeElement.hasAttribute("aria-keyshortcuts")')
    await expect.poll(isBack, { timeout: patience }).toBe(true)
    // On a phone, by a finger.
    await page.setViewportSize({ width: 390, height: 844 })
    await button.click()
    await dialog.getByRole('option', { name: 'API keys' }).click()
    await visitor.heading('API keys')
    expect(await visitor.width()).toBe(390)
  })
})
