import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type ServiceProcess, startService } from '../process/service-process.ts'
import { browserPath, startBrowser } from './browser.ts'

const patience = 120_000
const phone = { width: 360, height: 740 }

let folder: string
let service: ServiceProcess
let browser: Browser
let page: Page
/** Everything that pages asked for. */
let asked: URL[] = []

/** Opens the reference by another name than the service's own for itself. */
async function open(viewport = { width: 1_280, height: 800 }): Promise<string> {
  const origin = `http://localhost:${service.port}`
  const context = await browser.newContext({ viewport })
  page = await context.newPage()
  page.setDefaultTimeout(patience)
  asked = []
  page.on('request', (request) => asked.push(new URL(request.url())))
  await page.goto(`${origin}/docs`)
  return origin
}

const block = (id: string) => page.locator(`.opblock[id$="-${id}"]`)

/** Finds an operation by the search field, and opens its form. */
async function openOperation(id: string): Promise<void> {
  await page.getByRole('searchbox', { name: 'Search operations' }).fill(id)
  await block(id).waitFor()
  const isOpen = (await block(id).getAttribute('class'))?.includes('is-open')
  if (!isOpen) await block(id).locator('.opblock-summary-control').first().click()
  await block(id).getByRole('button', { name: 'Execute' }).waitFor()
}

/** Presses Execute. @returns the status that the page shows */
async function execute(id: string): Promise<number> {
  await block(id).getByRole('button', { name: 'Execute' }).click()
  const status = block(id).locator('.live-responses-table .response-col_status').last()
  return Number.parseInt(await status.innerText(), 10)
}

async function giveKey(): Promise<void> {
  const key = readFileSync(join(folder, 'data', 'local-api-key'), 'utf8').trim()
  await page.getByRole('button', { name: 'Authorize' }).first().click()
  await page.locator('.auth-container').first().getByRole('textbox').fill(key)
  await page.getByRole('button', { name: 'Apply credentials' }).first().click()
  await page.getByRole('button', { name: 'Close' }).first().click()
}

describe('the reference page', () => {
  it.runIf(browserPath === undefined)('is tried in a browser', ({ skip }) => {
    console.warn('Not tested here, for want of a browser: apt-get install chromium')
    skip()
  })
})

describe.runIf(browserPath !== undefined)('the reference page in a browser', { timeout: patience }, () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'memory-reference-'))
    service = await startService(join(folder, 'data'))
    browser = await startBrowser()
  }, patience)

  afterEach(async () => {
    await page.context().close()
  })

  afterAll(async () => {
    await browser?.close()
    await service?.stop('SIGTERM')
    rmSync(folder, { recursive: true, force: true })
  })

  it('executes the first operation as it stands, and knows the key after a reload', async () => {
    const origin = await open()
    const first = page.locator('.opblock').first()
    await first.waitFor()
    const id = (await first.getAttribute('id'))?.split('-').at(-1) as string
    expect(id).toBe('storeText')
    await first.locator('.opblock-summary-control').first().click()
    expect(await execute(id)).toBe(401)

    await giveKey()
    expect(await executeAnew(id)).toBe(200)

    // The address says which operation is open.
    await page.reload()
    expect(await execute(id)).toBe(200)
    expect([...new Set(asked.map((url) => (url.protocol === 'data:' ? origin : url.origin)))]).toEqual([
      origin,
    ])
    expect(asked.some(({ href }) => href.includes('X-API-Key'))).toBe(false)
  })

  it('takes ids and tokens of an answer to the forms of other requests', async () => {
    await open()
    await giveKey()
    await openOperation('getPattern')
    expect(await execute('getPattern')).toBe(404)
    await openOperation('storeText')
    expect(await execute('storeText')).toBe(200)
    await openOperation('getPattern')
    expect(await executeAnew('getPattern')).toBe(200)
    await openOperation('giveFeedback')
    expect(await execute('giveFeedback')).toBe(200)

    await openOperation('register')
    expect(await execute('register')).toBe(201)
    await openOperation('getProfile')
    expect(await execute('getProfile')).toBe(200)
    await openOperation('refresh')
    expect(await execute('refresh')).toBe(200)
  })

  it('finds operations by words of their name, path and description', async () => {
    await open()
    const search = page.getByRole('searchbox', { name: 'Search operations' })
    const shown = () =>
      page.locator('.opblock').evaluateAll((all) => all.map(({ id }) => id.split('-').at(-1)))
    await search.fill('rotate SECRET')
    await expect.poll(shown, { timeout: patience }).toEqual(['rotateWebhookSecret'])
    await search.fill('/neuromodulation')
    await expect
      .poll(shown, { timeout: patience })
      .toEqual(['modulationState', 'modulationHistory', 'calibrateModulation'])
    await search.fill('no such words')
    await expect.poll(shown, { timeout: patience }).toEqual([])
    await search.fill('')
    await expect.poll(async () => (await shown()).includes('storeText'), { timeout: patience }).toBe(true)
  })

  it('fits a phone: nothing is wider than the screen, with a form and an answer open', async () => {
    await open(phone)
    const widest = () => page.evaluate(() => document.documentElement.scrollWidth)
    await page.locator('.opblock').first().waitFor()
    expect(await widest()).toBe(phone.width)
    await giveKey()
    for (const id of ['storeText', 'readUsageHistory', 'batchStoreVectors']) {
      await openOperation(id)
      expect(await execute(id), id).toBe(200)
      expect(await widest(), id).toBe(phone.width)
      const button = await block(id).getByRole('button', { name: 'Execute' }).boundingBox()
      expect(button?.width, id).toBeGreaterThan(100)
    }
  })
})

/** Presses Execute where an answer is shown already. @returns the status of the new one */
async function executeAnew(id: string): Promise<number> {
  await block(id).getByRole('button', { name: 'Clear' }).click()
  return execute(id)
}
