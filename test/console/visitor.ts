import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Browser, BrowserContext, Page, Request } from 'playwright-core'
import { until } from '../support/until.ts'

/** A browser at work on a machine that is busy with something else takes its time. */
export const patience = 60_000

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

export const sizes = { desk: { width: 1_440, height: 900 }, phone: { width: 390, height: 844 } } as const
export type Size = keyof typeof sizes

interface VisitorOptions {
  size?: Size
  scheme?: 'light' | 'dark'
  language?: string
  /** What the browser calls itself. */
  userAgent?: string
}

/** Somebody with a browser of their own, in which what pages do that they must not is written down. */
export class Visitor {
  readonly context: BrowserContext
  readonly page: Page
  readonly url: string
  /** Whatever is wrong: requests to others, scripts that ran, policies that were broken, errors that nothing caught. */
  readonly wrongs: string[] = []
  /** How often the browser has asked whether a page may be left, which then was. */
  asked = 0
  /** Requests that are under way. */
  private readonly pending = new Set<Request>()

  private constructor(context: BrowserContext, page: Page, url: string) {
    this.context = context
    this.page = page
    this.url = url
  }

  static async arrive(
    browser: Browser,
    url: string,
    { size = 'desk', scheme = 'light', language = 'en-GB', userAgent }: VisitorOptions = {},
  ): Promise<Visitor> {
    const context = await browser.newContext({
      viewport: sizes[size],
      colorScheme: scheme,
      locale: language,
      ...(userAgent === undefined ? {} : { userAgent }),
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    context.setDefaultTimeout(patience)
    const visitor = new Visitor(context, await context.newPage(), url)
    visitor.watch(visitor.page)
    return visitor
  }

  /** Another tab. */
  async tab(): Promise<Page> {
    const page = await this.context.newPage()
    this.watch(page)
    return page
  }

  private watch(page: Page): void {
    const origin = new URL(this.url).origin
    page.on('request', (request) => {
      const asked = new URL(request.url())
      if (asked.origin !== origin && asked.protocol !== 'data:') this.wrongs.push(`asked ${asked.href}`)
      // It has no end.
      if (!asked.pathname.endsWith('/notifications/stream')) this.pending.add(request)
    })
    for (const event of ['requestfinished', 'requestfailed'] as const) {
      page.on(event as 'requestfinished', (request) => void this.pending.delete(request))
    }
    page.on('dialog', (dialog) => {
      if (dialog.type() === 'beforeunload') {
        this.asked++
        void dialog.accept()
        return
      }
      this.wrongs.push(`a dialogue said ${dialog.message()}`)
      void dialog.dismiss()
    })
    page.on('pageerror', (error) => this.wrongs.push(`threw ${error.message}`))
    page.on('console', (message) => {
      // What the service refuses is told by the pages, and by the browser too.
      if (message.type() === 'error' && !/Failed to load resource/.test(message.text())) {
        this.wrongs.push(`logged ${message.text()}`)
      }
    })
  }

  go(path: string): Promise<unknown> {
    return this.page.goto(`${this.url}/console${path}`)
  }

  /** Waits for the page with a heading of this name. */
  heading(name: string | RegExp): Promise<void> {
    return this.page.getByRole('heading', { name, level: 1 }).waitFor()
  }

  /** A field of the content by its label, after which a star may say that it is required. */
  field(name: string) {
    return this.page.getByRole('main').getByLabel(new RegExp(`^${name}( \\*)?$`))
  }

  /** Presses a button, or a link, of the content. */
  async press(name: string | RegExp, role: 'button' | 'link' = 'button'): Promise<void> {
    await this.page
      .getByRole(role, { name, exact: typeof name === 'string' })
      .first()
      .click()
  }

  see(text: string | RegExp): Promise<void> {
    return this.page.getByText(text).first().waitFor()
  }

  /** Waits until the files of all pages are here, which come while nobody waits. */
  async allPages(): Promise<void> {
    // They are asked for together.
    const askedFor = `performance.getEntriesByType('resource').some(({ name }) => /assets.playground-/.test(name))`
    await until(() => this.page.evaluate<boolean>(askedFor), 'the files of a page that was not opened')
    await until(() => this.isQuiet, 'the other files')
  }

  /** Whether no request is under way. */
  get isQuiet(): boolean {
    return this.pending.size === 0
  }

  /** Where the page is, below the console. */
  get path(): string {
    const { pathname, search } = new URL(this.page.url())
    // What has lost the console's path leads nowhere once it is loaded again.
    if (!/^\/console(\/|$)/.test(pathname)) throw new Error(`${pathname} is not in the console.`)
    return pathname.slice('/console'.length) + search
  }

  /** Serious and critical violations of accessibility, or of some rules of it, one line each. */
  async violations(rules?: string[]): Promise<string[]> {
    // Evaluated by the browser itself, whatever the page's policy.
    if (await this.page.evaluate<boolean>('window.axe === undefined')) await this.page.evaluate(axe)
    const options = { resultTypes: ['violations'], ...(rules === undefined ? {} : { runOnly: rules }) }
    const { violations } = await this.page.evaluate<AxeResults>(
      `axe.run(document, ${JSON.stringify(options)})`,
    )
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
      )
  }

  /** Pixels that the page is wide, which should be the window's. */
  width(): Promise<number> {
    return this.page.evaluate<number>('document.documentElement.scrollWidth')
  }

  leave(): Promise<void> {
    return this.context.close()
  }
}
