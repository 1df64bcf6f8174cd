import { get } from 'node:http'
import type { Browser, Page } from 'playwright-core'
import { clickUntil, framesWhile, longest, longTasksSince, newVisitor, timeOf } from './watch.ts'

export interface FirstPage {
  /** From the navigation to the page being there with nothing that keeps it from answering. */
  interactiveMs: number
  /** Addresses of all that it loaded. */
  loaded: string[]
  /** The script that the page names. */
  mainScript: string
}

/** Somebody opens the console for the first time, and has the form to sign in. */
export async function openFirst(browser: Browser, url: string): Promise<FirstPage> {
  const { context, page } = await newVisitor(browser)
  const loaded: string[] = []
  page.on('response', (response) => {
    if (response.url().startsWith(url)) loaded.push(response.url())
  })
  await page.goto(`${url}/console`, { waitUntil: 'commit' })
  const field = 'input[autocomplete="username"]'
  const there = await page.evaluate<number>(`new Promise((resolve) => {
    const look = () => {
      if (document.querySelector('${field}') === null) return requestAnimationFrame(look)
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now())))
    }
    look()
  })`)
  await filesCame(page)
  const ends = (await longTasksSince(page, 0)).map(({ startTime, duration }) => startTime + duration)
  const mainScript = await page.evaluate<string>(`document.querySelector('script[type="module"][src]').src`)
  await context.close()
  return { interactiveMs: Math.max(there, ...ends), loaded: [...new Set(loaded)], mainScript }
}

/** Bytes of an answer's body when it is asked for with gzip. */
export function gzipBytes(address: string): Promise<number> {
  return new Promise((resolve, reject) => {
    get(address, { headers: { 'accept-encoding': 'gzip' } }, (answer) => {
      let bytes = 0
      answer.on('data', (chunk: Buffer) => {
        bytes += chunk.length
      })
      answer.on('end', () => resolve(bytes))
    }).on('error', reject)
  })
}

export interface ListFigures {
  /** From the click on the menu to the first rows, of each visit. */
  openMs: number[]
  /** From the click on "Next page" to its rows. */
  nextMs: number[]
  /** The longest task over 50 ms while it was opened, paged and scrolled; 0 without one. */
  longestTaskMs: { opening: number; paging: number; scrolling: number }
}

const rows = `document.querySelectorAll('main li').length > 0`

/** Opens a page that asks for little, and waits until the files of the others have come too. */
async function openSubjects(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/console/subjects`, { waitUntil: 'load' })
  await filesCame(page)
}

/** Until no file has come for half a second: that the network is idle never comes, since notifications are listened to. */
async function filesCame(page: Page): Promise<void> {
  await page.evaluate(`new Promise((done) => {
    const count = () => performance.getEntriesByType('resource').length
    let [before, at] = [count(), performance.now()]
    const look = () => {
      if (count() !== before) [before, at] = [count(), performance.now()]
      if (performance.now() - at > 500) done()
      else setTimeout(look, 100)
    }
    look()
  })`)
}

/** The list of memories, by the menu, from a page that has just been loaded; then page after page, each scrolled through. */
export async function visitMemories(page: Page, url: string, visits: number): Promise<ListFigures> {
  const figures: ListFigures = {
    openMs: [],
    nextMs: [],
    longestTaskMs: { opening: 0, paging: 0, scrolling: 0 },
  }
  const note = async (what: keyof ListFigures['longestTaskMs'], since: number) => {
    const { longestTaskMs } = figures
    longestTaskMs[what] = Math.max(longestTaskMs[what], longest(await longTasksSince(page, since)))
  }
  for (let visit = 0; visit < visits; visit++) {
    await openSubjects(page, url)
    const before = await timeOf(page)
    figures.openMs.push(await clickUntil(page, 'nav a[href*="/memories"]', rows))
    await note('opening', before)
    const scrolled = await timeOf(page)
    await scrollThrough(page)
    await note('scrolling', scrolled)
    const paged = await timeOf(page)
    const next = 'main a[href*="cursor="]'
    figures.nextMs.push(
      await clickUntil(
        page,
        next,
        `(window.first ??= document.querySelector('main li').innerText) !== document.querySelector('main li').innerText`,
      ),
    )
    await note('paging', paged)
    await page.evaluate('delete window.first')
  }
  return figures
}

async function scrollThrough(page: Page): Promise<void> {
  await page.mouse.move(700, 500)
  for (let step = 0; step < 40; step++) {
    await page.mouse.wheel(0, 120)
    await page.evaluate('new Promise(requestAnimationFrame)')
  }
}

export interface MapFigures {
  /** Until it was drawn: the first time, when the service computes it, and again. */
  firstMs: number
  againMs: number
  panning: { perSecond: number; longestMs: number }
  zooming: { perSecond: number; longestMs: number }
  longestTaskMs: { opening: number; moving: number }
}

/** The map of the space, by the menu; then dragged and zoomed for three seconds each. */
export async function visitMap(page: Page, url: string): Promise<MapFigures> {
  const drawn = `document.querySelector('canvas[data-points]') !== null`
  const open = async () => {
    await openSubjects(page, url)
    return clickUntil(page, 'nav a[href*="/map"]', drawn)
  }
  const firstMs = await open()
  const opening = longest(await longTasksSince(page, 0))
  const againMs = await open()
  const box = await page.locator('canvas[data-points]').boundingBox()
  if (box === null) throw new Error('The map is not shown')
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  const before = await timeOf(page)
  const panning = await framesWhile(page, async () => {
    await page.mouse.move(x, y)
    await page.mouse.down()
    await forSeconds(3, async (step) => {
      await page.mouse.move(x + 150 * Math.sin(step / 10), y + 100 * Math.cos(step / 13))
    })
    await page.mouse.up()
  })
  const zooming = await framesWhile(page, () =>
    forSeconds(3, (step) => page.mouse.wheel(0, step % 60 < 30 ? -40 : 40)),
  )
  return {
    firstMs,
    againMs,
    panning,
    zooming,
    longestTaskMs: { opening, moving: longest(await longTasksSince(page, before)) },
  }
}

async function forSeconds(seconds: number, act: (step: number) => Promise<void>): Promise<void> {
  const end = performance.now() + 1_000 * seconds
  for (let step = 0; performance.now() < end; step++) await act(step)
}
