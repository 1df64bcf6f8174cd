import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { until } from '../support/until.ts'
import { Receiver } from '../webhooks/receiver.ts'
import { hostile } from './hostile.ts'
import { arrive, inBrowser, local, newcomer, operator, service, signOperatorIn } from './stage.ts'
import { patience, sizes, type Visitor } from './visitor.ts'

/** The address of each page, with something to show. */
const pages = {
  outside: [
    '/sign-in',
    '/sign-up',
    '/forgot-password',
    '/reset-password#token=reset_x',
    '/verify-email#token=verify_x',
    '/accept-invitation#token=inv_x',
    '/link#token=console_x',
    '/no-such-page',
  ],
  memory: [
    '/',
    '/start',
    '/memories',
    '/memories?way=meaning&q=script',
    '/subjects',
    '/forget',
    '/data',
    '/subjects/one?of=ada',
    `/subjects/one?of=${encodeURIComponent(hostile.script)}`,
    '/playground?q=script&k=50',
    '/map',
    '/map?by=age&subject=nobody',
    '/map?by=tier',
  ],
  engine: [
    '/conflicts',
    '/conflicts?state=kept',
    '/engine',
    '/engine/runs',
    '/engine/spurious',
    '/acceleration',
  ],
  organization: [
    '/members',
    '/keys',
    '/usage',
    '/usage?by=subject&period=365d',
    '/audit',
    '/organization',
    '/webhooks',
    '/notifications',
    '/notifications?unread=true&page=2',
  ],
  operators: [
    '/operators/organizations',
    '/operators/users',
    '/operators/queues?queue=chores&state=delayed',
    '/operators/health',
    '/operators/backups',
    '/operators/receipts',
    '/operators/users/00000000-0000-4000-8000-000000000002',
  ],
  person: ['/account', '/sessions'],
}

async function storeHostile(): Promise<void> {
  await signOperatorIn()
  await deliverHostile()
  for (const text of Object.values(hostile)) {
    const small = text.slice(0, 90)
    const body = { text, metadata: { note: small, [small]: 1 }, subject: small, external_id: small }
    expect((await local.post('/v1/memory/text/store', body)).status).toBe(200)
    await register(small)
  }
  // What is nearly the same is a conflict, and runs and explorations have something to show.
  for (const text of [`${hostile.script} twice`, `${hostile.image} twice`]) {
    const subject = text.replace(' twice', '').slice(0, 90)
    expect((await local.post('/v1/memory/text/store', { text, subject })).status).toBe(200)
  }
  expect((await local.post('/v1/memory/sleep', {})).body.conflicts).toBeGreaterThan(0)
  expect((await local.post('/v1/memory/explore', {})).body.total_explored).toBeGreaterThan(0)
}

/** Somebody with a name that is shown to operators, and an organization of that name. */
async function register(name: string): Promise<void> {
  const response = await fetch(`${service.url}/v1/auth/register`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ ...newcomer(), full_name: name, organization_name: name }),
  })
  // A name has no controls in it: what hides is refused before it is stored.
  expect([201, 422]).toContain(response.status)
}

/** Where pictures of the pages are kept, where somebody wants to look at them. */
const screenshots = process.env.CONSOLE_SCREENSHOTS

async function keepScreenshot(page: Page, name: string): Promise<void> {
  if (screenshots === undefined) return
  const file = `${name.replaceAll(/[^\w.=-]+/g, '_').slice(0, 100)}.png`
  await page.screenshot({ path: join(screenshots, file), fullPage: true })
}

/** How a page is looked at, one after the other. */
const lookedAt = {
  desk: { size: sizes.desk, scheme: 'light' },
  phone: { size: sizes.phone, scheme: 'light' },
  dark: { size: sizes.desk, scheme: 'dark' },
} as const
const all = Object.keys(lookedAt) as (keyof typeof lookedAt)[]

/** The end of what moves and has an end, for the browser. */
const allTransitions = `Promise.all(document.getAnimations()
  .filter(({ effect }) => Number.isFinite(effect.getComputedTiming().endTime))
  .map(({ finished }) => finished.catch(() => {}))).then(() => undefined)`

/** What is wrong with the page that a visitor is at. `isRefused`: it says that what its address asks for can't be had. */
async function problemsOf(
  visitor: Visitor,
  look: keyof typeof lookedAt,
  isRefused: boolean,
): Promise<string[]> {
  const { page } = visitor
  const { size, scheme } = lookedAt[look]
  await page.setViewportSize(size)
  await page.emulateMedia({ colorScheme: scheme })
  await page.getByRole('heading', { level: 1 }).waitFor()
  await expect
    .poll(() => page.getByRole('status', { name: 'Loading' }).count(), { timeout: patience })
    .toBe(0)
  // Colours that are on their way from one scheme to the other, once the page has heard of it.
  await page.locator(`html[data-mantine-color-scheme="${scheme}"]`).waitFor({ state: 'attached' })
  await page.evaluate(allTransitions)
  const problems = await visitor.violations(look === 'dark' ? ['color-contrast'] : undefined)
  if (!isRefused) problems.push(...(await page.getByRole('main').getByRole('alert').allInnerTexts()))
  const width = await visitor.width()
  if (width > size.width) problems.push(`is ${width} wide`)
  if (await page.evaluate('window.harmed === true')) problems.push('ran what was stored')
  return problems
}

/** A webhook whose receiver answers what does harm where it is shown as markup. */
async function deliverHostile(): Promise<void> {
  const receiver = await Receiver.start()
  receiver.answer = (response) => response.end(Object.values(hostile).join('\n').slice(0, 1_000))
  const made = await local.post('/v1/webhooks', { url: receiver.url, description: hostile.script })
  const path = `/v1/webhooks/${made.body.id}`
  const sent = await local.post(`${path}/test`)
  await until(
    async () => (await local.get(`${path}/deliveries/${sent.body.id}`)).body.status === 'delivered',
    'the delivery',
  )
  await receiver.stop()
}

/** The pages of each webhook and of its deliveries. */
async function webhookPages(): Promise<string[]> {
  const { webhooks } = (await local.get('/v1/webhooks')).body as { webhooks: { id: string }[] }
  const pages = webhooks.map(async ({ id }) => {
    const { deliveries } = (await local.get(`/v1/webhooks/${id}/deliveries`)).body
    const each = (deliveries as { id: string }[]).map((sent) => `/webhooks/${id}/deliveries/${sent.id}`)
    return [`/webhooks/${id}`, `/webhooks/${id}?status=failed`, ...each]
  })
  return (await Promise.all(pages)).flat()
}

inBrowser(
  'every page',
  () => {
    const memoryPages = async () => {
      const { body } = await local.get('/v1/memory/patterns?limit=50')
      return (body.patterns as { pattern_id: string }[]).map(({ pattern_id: id }) => `/memories/${id}`)
    }
    const listed = Object.entries(pages).map(([name, paths]) => [name, async () => paths] as const)

    it.each([...listed, ['each memory', memoryPages] as const, ['each webhook', webhookPages] as const])(
      'is read and used by everybody, fits a phone, and is read in the dark: %s',
      async (name, paths) => {
        const found: Record<string, string[]> = {}
        for (const [n, path] of (await paths()).entries()) {
          // Those that differ in a text alone fit, and have contrast, where one of them does.
          const looks = name.startsWith('each') && n % 3 > 0 ? ['desk' as const] : all
          const visitor = await operator(path)
          for (const look of looks) {
            const problems = await problemsOf(visitor, look, path.includes('#token='))
            if (problems.length > 0) found[`${path} ${look}`] = problems
            await keepScreenshot(visitor.page, `${look} ${path}`)
          }
        }
        expect(found).toEqual({})
      },
    )

    it('shows what was stored as text, by the names of what it hides', async () => {
      const visitor = await operator('/memories')
      await visitor.see(hostile.script)
      await visitor.see(hostile.image)
      await visitor.see('U+202E')
      await visitor.see(hostile.arabic)
      const { page } = visitor
      expect(await page.locator('main script, main img, main svg[onload]').count()).toBe(0)
      const direction = `getComputedStyle([...document.querySelectorAll('.stored')].find(
      ({ innerText }) => innerText === ${JSON.stringify(hostile.arabic)})).direction`
      expect(await page.evaluate(direction)).toBe('rtl')
    })

    it('comes compressed, in files that browsers keep', async () => {
      const index = await (await fetch(`${service.url}/console`)).text()
      const scripts = [...index.matchAll(/(?:src|href)="(\.\/assets\/[^"]+\.js)"/g)].map(
        ([, path]) => path as string,
      )
      let bytes = 0
      for (const path of scripts) {
        const answer = await fetch(new URL(path, `${service.url}/console/`), {
          headers: { 'Accept-Encoding': 'gzip' },
        })
        expect(answer.headers.get('content-encoding')).toBe('gzip')
        expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
        bytes += Number(answer.headers.get('content-length'))
      }
      expect(bytes).toBeGreaterThan(50_000)
      expect(bytes).toBeLessThan(250_000)
    })

    it('says within the frame, and in words, that a page did not come, and shows it once it does', async () => {
      const visitor = await operator('/account')
      const { page } = visitor
      const file = /assets\/keys-/
      await page.route(file, (route) => route.abort())
      await visitor.go('/keys')
      await visitor.heading('This page can’t be shown')
      await visitor.see('The service does not answer')
      expect(await page.getByText('dynamically').count()).toBe(0)
      expect(await page.title()).toContain('This page can’t be shown')
      expect(await page.locator('main').count()).toBe(1)
      await page.unroute(file)
      await visitor.heading('API keys')
    })

    it('speaks French to who reads French, and keeps what was chosen', async () => {
      const visitor = await arrive({ language: 'fr-FR' })
      await visitor.go('/sign-in')
      await visitor.heading('Connexion')
      expect(await visitor.page.evaluate('document.documentElement.lang')).toBe('fr')
      await visitor.page.getByLabel('Langue').selectOption('English')
      await visitor.heading('Sign in')
      await visitor.page.reload()
      await visitor.heading('Sign in')
    })

    it('lays the menu over the page of a phone, closes it by Escape, and leaves it out on paper', async () => {
      const visitor = await operator('/organization')
      const { page } = visitor
      await page.setViewportSize({ width: 320, height: 640 })
      // A name has the width of the page, and not a third of it.
      const name = page.getByRole('rowheader', { name: 'Members and pending invitations' })
      const widthOf = async () => (await name.boundingBox())?.width ?? 0
      await expect.poll(widthOf, { timeout: patience }).toBeGreaterThan(200)
      const space = page.getByRole('combobox', { name: 'Space' })
      expect((await space.boundingBox())?.width).toBeGreaterThan(60)
      expect(await visitor.width()).toBe(320)
      const menu = page.getByRole('button', { name: 'Pages' })
      const covered = page.locator('main[inert]')
      const away = page.locator('nav[inert]')
      const focused = () => page.evaluate<string>('document.activeElement.textContent')
      await away.waitFor({ state: 'attached' })
      await covered.waitFor({ state: 'detached' })
      await menu.click()
      await covered.waitFor()
      await away.waitFor({ state: 'detached' })
      // Who closes it is back at what opened it; who chose a page is at its heading.
      await page.keyboard.press('Tab')
      await page.keyboard.press('Escape')
      await covered.waitFor({ state: 'detached' })
      await away.waitFor({ state: 'attached' })
      expect(await menu.getAttribute('aria-expanded')).toBe('false')
      const label = () => page.evaluate('document.activeElement.ariaLabel')
      await expect.poll(label, { timeout: patience }).toBe('Pages')
      await menu.click()
      await page.getByRole('link', { name: 'Members' }).press('Enter')
      await expect.poll(focused, { timeout: patience }).toBe('Members')
      await page.setViewportSize(sizes.desk)
      await away.waitFor({ state: 'detached' })
      await page.emulateMedia({ media: 'print' })
      await page.getByRole('banner').waitFor({ state: 'hidden' })
      await page.getByRole('navigation').waitFor({ state: 'hidden' })
      await page.emulateMedia({ media: 'screen' })
    })

    it('is used by the keyboard alone', async () => {
      const visitor = await arrive()
      await visitor.go('/sign-in')
      await visitor.heading('Sign in')
      const { page } = visitor
      const focused = () => page.evaluate<string>('document.activeElement.getAttribute("autocomplete") ?? ""')
      for (let presses = 0; (await focused()) !== 'username' && presses < 20; presses++)
        await page.keyboard.press('Tab')
      await page.keyboard.type('nobody@example.com')
      await page.keyboard.press('Tab')
      expect(await focused()).toBe('current-password')
      await page.keyboard.type('a password')
      await page.keyboard.press('Enter')
      await visitor.see('Invalid email or password')
    })
  },
  { before: storeHostile, timeoutMs: 5 * patience },
)
