import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'

/** The one that never has a window starts sooner and takes a sixth less. */
const names = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
]

/** The browser that is installed here; undefined where there is none. */
export const browserPath: string | undefined = (process.env.PATH ?? '')
  .split(delimiter)
  .flatMap((folder) => names.map((name) => join(folder, name)))
  .find((path) => existsSync(path))

/** Starts it without a window. Its own sandbox is for pages that nobody knows, and root can't have it. */
export function startBrowser(): Promise<Browser> {
  if (browserPath === undefined) throw new Error('There is no browser here: apt-get install chromium')
  return chromium.launch({ executablePath: browserPath, args: ['--no-sandbox'] })
}
