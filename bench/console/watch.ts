import type { Browser, BrowserContext, Page } from 'playwright-core'

// What happens in a page, by its own clock: texts that the browser evaluates, whatever the page's policy.

/** Begins before any script of the page: notes each task of over 50 ms, which is when a page does not answer. */
const watching = `
  window.longTasks = []
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) window.longTasks.push({ startTime, duration })
  }).observe({ type: 'longtask', buffered: true })
`

export interface LongTask {
  /** Since the page's navigation began, in ms. */
  startTime: number
  duration: number
}

/** A browser of somebody who was never here, on a desk. */
export async function newVisitor(browser: Browser): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext({ viewport: { width: 1_440, height: 900 }, locale: 'en-GB' })
  await context.addInitScript(watching)
  return { context, page: await context.newPage() }
}

/** Tasks over 50 ms that began after a time of the page. */
export async function longTasksSince(page: Page, since: number): Promise<LongTask[]> {
  // Those of the last moment are told a little later.
  await page.evaluate('new Promise((resolve) => requestIdleCallback(resolve, { timeout: 1_000 }))')
  const tasks = await page.evaluate<LongTask[]>('window.longTasks')
  return tasks.filter(({ startTime, duration }) => startTime + duration > since)
}

/** The longest of them; 0 where there is none over 50 ms. */
export const longest = (tasks: readonly LongTask[]): number =>
  Math.max(0, ...tasks.map(({ duration }) => duration))

export const timeOf = (page: Page): Promise<number> => page.evaluate<number>('performance.now()')

/**
 * Clicks on an element, and waits until the page shows, painted, what an expression looks for.
 * @returns ms from the click to the first frame after the expression was true
 */
export function clickUntil(page: Page, clicked: string, isThere: string): Promise<number> {
  return page.evaluate<number>(`new Promise((resolve, reject) => {
    const clicked = document.querySelector(${JSON.stringify(clicked)})
    if (clicked === null) return reject(new Error('There is nothing to click on'))
    const began = performance.now()
    const look = () => {
      if (!(${isThere})) return requestAnimationFrame(look)
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - began)))
    }
    clicked.click()
    look()
  })`)
}

/** Frames a second, and the longest time between two, while `act` does something that makes the page draw. */
export async function framesWhile(
  page: Page,
  act: () => Promise<void>,
): Promise<{ perSecond: number; longestMs: number }> {
  await page.evaluate(`{
    window.frames = []
    const note = (at) => {
      window.frames.push(at)
      window.noting = requestAnimationFrame(note)
    }
    window.noting = requestAnimationFrame(note)
  }`)
  await act()
  const times = await page.evaluate<number[]>('(cancelAnimationFrame(window.noting), [...window.frames])')
  const between = times.slice(1).map((at, i) => at - (times[i] as number))
  const total = between.reduce((sum, ms) => sum + ms, 0)
  return { perSecond: (1_000 * between.length) / total, longestMs: Math.max(...between) }
}
