import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { errors } from '@memory/shared/catalogue/errors'
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { examples } from '../../apps/api/src/http/examples.ts'
import { type ServiceProcess, startService } from '../process/service-process.ts'
import { until } from '../support/until.ts'
import { browserPath, startBrowser } from './browser.ts'
import { inBackground } from './in-background.ts'
import { patience, ReferencePage } from './reference-page.ts'

const phone = { width: 360, height: 740 }
/** The page takes most of a second of a processor for each of its examples: `npm run test:examples` has the time. */
const executesAll = process.env.EXAMPLES === 'all'
const withinMs = executesAll ? 15 * patience : 3 * patience

let folder: string
let service: ServiceProcess
let browser: Browser
const opened: ReferencePage[] = []

/** A new service, and a browser. */
async function begin(): Promise<void> {
  folder = mkdtempSync(join(tmpdir(), 'memory-reference-'))
  service = await startService(join(folder, 'data'))
  browser = await startBrowser()
}

async function closePages(): Promise<void> {
  for (const reference of opened.splice(0)) await reference.close()
}

async function end(): Promise<void> {
  await browser?.close()
  await service?.stop('SIGTERM')
  rmSync(folder, { recursive: true, force: true })
}

/** Opens the reference by another name than the service's own for itself. */
async function open(viewport = { width: 1_280, height: 800 }): Promise<ReferencePage> {
  const reference = await ReferencePage.open(browser, `http://localhost:${service.port}`, viewport)
  opened.push(reference)
  return reference
}

const key = () => readFileSync(join(folder, 'data', 'local-api-key'), 'utf8').trim()

/**
 * Executes examples one after the other on a phone.
 * @returns for each what its description says of it, or else what came
 */
async function executeAll(ids: readonly string[]): Promise<Record<string, string>> {
  const reference = await open(phone)
  await reference.giveKey(key())
  const answered: Record<string, string> = {}
  for (const id of ids) {
    for (const other of examples[id]?.after ?? []) await reference.tryOut(other)
    // Without the examples before it nothing is made for it.
    const [first, sign] = executesAll ? (inBackground[id] ?? []) : []
    const isThere = async () => {
      await reference.tryOut(first as string)
      return (await reference.answerOf(first as string)).includes(sign as string)
    }
    if (first !== undefined) await until(isThere, `${first} for ${id}`)
    const status = await reference.tryOut(id)
    answered[id] = status < 300 ? 'success' : String(status)
    const width = await reference.width()
    if (width !== phone.width) answered[id] += `, and is ${width} wide`
  }
  return answered
}

/** The operations that begin a tag, in the order of the examples. */
async function firstOfEachTag(): Promise<string[]> {
  const document = await (await fetch(`${service.url}/openapi.json`)).json()
  const operations = Object.values<Record<string, { operationId: string; tags: string[] }>>(document.paths)
  const tagOf = new Map(
    operations.flatMap((methods) =>
      Object.values(methods).map(({ operationId, tags }) => [operationId, tags[0]]),
    ),
  )
  const seen = new Set<string | undefined>()
  return Object.keys(examples).filter((id) => {
    const isFirst = !seen.has(tagOf.get(id))
    seen.add(tagOf.get(id))
    return isFirst
  })
}

describe('the reference page', () => {
  it.runIf(browserPath === undefined)('is tried in a browser', ({ skip }) => {
    console.warn('Not tested here, for want of a browser: apt-get install chromium')
    skip()
  })
})

describe.runIf(browserPath !== undefined)('the reference page in a browser', { timeout: patience }, () => {
  beforeAll(begin, patience)

  afterEach(closePages)

  afterAll(end)

  it('executes the first operation as it stands, and knows the key after a reload', async () => {
    const reference = await open()
    const first = reference.page.locator('.opblock').first()
    await first.waitFor()
    const id = (await first.getAttribute('id'))?.split('-').at(-1) as string
    expect(id).toBe('storeText')
    await first.locator('.opblock-summary-control').first().click()
    expect(await reference.execute(id)).toBe(401)

    await reference.giveKey(key())
    expect(await reference.execute(id)).toBe(200)

    // The address says which operation is open.
    // What the page once kept for good is removed.
    await reference.page.evaluate(`localStorage.setItem('authorized', '{"apiKey":{"value":"of before"}}')`)
    await reference.reload()
    expect(await reference.execute(id)).toBe(200)
    expect(await reference.page.evaluate('Object.values(localStorage)')).toEqual([])
    const { asked, origin } = reference
    expect([...new Set(asked.map((url) => (url.protocol === 'data:' ? origin : url.origin)))]).toEqual([
      origin,
    ])
    expect(asked.some(({ href }) => href.includes('X-API-Key'))).toBe(false)
  })

  it('takes ids and tokens of an answer to the forms of other requests', async () => {
    const reference = await open()
    await reference.giveKey(key())
    expect(await reference.tryOut('getPattern')).toBe(404)
    expect(await reference.tryOut('storeText')).toBe(200)
    expect(await reference.tryOut('getPattern')).toBe(200)
    expect(await reference.tryOut('giveFeedback')).toBe(200)

    expect(await reference.tryOut('register')).toBe(201)
    expect(await reference.tryOut('getProfile')).toBe(200)
    expect(await reference.tryOut('refresh')).toBe(200)

    // They go with the tab.
    const tab = await reference.page.context().newPage()
    await tab.goto(reference.page.url())
    await tab.locator('.authorize.unlocked').first().waitFor()
    expect(await tab.evaluate('[...Object.values(localStorage), ...Object.values(sessionStorage)]')).toEqual(
      [],
    )
  })

  it('finds operations by words of their name, path and description', async () => {
    const { page, search } = await open()
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

  it('fits a phone: nothing is wider than the screen, and buttons are large enough for a finger', async () => {
    const reference = await open(phone)
    await reference.page.locator('.opblock').first().waitFor()
    expect(await reference.width()).toBe(phone.width)
    await reference.openOperation('storeText')
    expect(await reference.width()).toBe(phone.width)
    const button = reference.block('storeText').getByRole('button', { name: 'Execute' })
    expect((await button.boundingBox())?.width).toBeGreaterThan(100)
  })
})

describe.runIf(browserPath !== undefined)('an example of each tag in a browser, or every one', () => {
  beforeAll(begin, patience)

  afterAll(end)

  it(
    'is answered on a phone as its description says, and fits the screen',
    async () => {
      const ids = executesAll ? Object.keys(examples) : await firstOfEachTag()
      const expected = ids.map((id) => {
        const refused = examples[id]?.refused
        return [id, refused === undefined ? 'success' : String(errors[refused.code].status)]
      })
      expect(await executeAll(ids)).toEqual(Object.fromEntries(expected))
    },
    withinMs,
  )
})
