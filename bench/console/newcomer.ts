import { readFileSync } from 'node:fs'
import type { Browser } from 'playwright-core'
import { until } from '../../test/support/until.ts'
import { newFolder, removeFolder, startServer } from '../support/server.ts'
import { newVisitor } from './watch.ts'

export interface Newcomer {
  /** The service's start, on a new folder. */
  readyMs: number
  /** From the start of the process to a stored memory on the page. */
  storedMs: number
  /** And to the answer that recalls it. */
  recalledMs: number
  clicks: number
}

/** The link to the console that a service prints at its start. */
export function readLink(dataDir: string): Promise<string> {
  return until(
    () => /http\S+\/console\/link#token=\S+/.exec(readFileSync(`${dataDir}.log`, 'utf8'))?.[0],
    'a link to the console',
  )
}

/** From the first start to the first memory that was stored and recalled, with a browser and nothing else. */
export async function arrive(browser: Browser): Promise<Newcomer> {
  const dataDir = newFolder()
  try {
    const started = performance.now()
    const server = await startServer({ dataDir })
    const { context, page } = await newVisitor(browser)
    let clicks = 0
    const click = (role: 'button' | 'link', name: string) => {
      clicks++
      return page.getByRole(role, { name, exact: true }).click()
    }
    try {
      const text = 'Ada moved to Lisbon in May.'
      // Opening the link is a click in the terminal.
      clicks++
      await page.goto(await readLink(dataDir))
      await page.getByRole('textbox', { name: 'Text' }).fill(text)
      await click('button', 'Store it')
      await page.getByRole('log').getByText(text).waitFor()
      const storedMs = performance.now() - started
      await click('link', 'Ask for it in the playground')
      await page.getByRole('main').getByRole('listitem').getByText(text).first().waitFor()
      return { readyMs: server.readyMs, storedMs, recalledMs: performance.now() - started, clicks }
    } finally {
      await context.close()
      await server.stop()
    }
  } finally {
    removeFolder(dataDir)
  }
}
