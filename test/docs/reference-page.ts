import type { Browser, Locator, Page } from 'playwright-core'

/** A browser at work on a machine that is busy with something else takes its time. */
export const patience = 120_000

/** The reference page as somebody uses it who reads, writes and presses. */
export class ReferencePage {
  readonly page: Page
  readonly origin: string
  /** Everything that the page asked for. */
  readonly asked: URL[] = []
  readonly #answered = new Set<string>()

  private constructor(page: Page, origin: string) {
    this.page = page
    this.origin = origin
    page.setDefaultTimeout(patience)
    page.on('request', (request) => this.asked.push(new URL(request.url())))
  }

  /** @param origin that it is opened at */
  static async open(
    browser: Browser,
    origin: string,
    viewport: { width: number; height: number },
  ): Promise<ReferencePage> {
    const context = await browser.newContext({ viewport })
    const reference = new ReferencePage(await context.newPage(), origin)
    await reference.page.goto(`${origin}/docs`)
    return reference
  }

  close(): Promise<void> {
    return this.page.context().close()
  }

  get search(): Locator {
    return this.page.getByRole('searchbox', { name: 'Search operations' })
  }

  block(id: string): Locator {
    return this.page.locator(`.opblock[id$="-${id}"]`)
  }

  /** Finds an operation by the search field, and opens its form. */
  async openOperation(id: string): Promise<void> {
    await this.search.fill(id)
    const isOpen = (await this.block(id).getAttribute('class'))?.includes('is-open')
    if (!isOpen) await this.block(id).locator('.opblock-summary-control').first().click()
  }

  /** Presses Execute, and Clear before it where an answer is shown. @returns the status that the page shows */
  async execute(id: string): Promise<number> {
    if (this.#answered.has(id)) await this.block(id).getByRole('button', { name: 'Clear' }).click()
    await this.block(id).getByRole('button', { name: 'Execute' }).click()
    const status = this.#answer(id).locator('.response-col_status').last()
    const shown = Number.parseInt(await status.innerText(), 10)
    this.#answered.add(id)
    return shown
  }

  /** Opens an operation and executes it as it stands. */
  async tryOut(id: string): Promise<number> {
    await this.openOperation(id)
    return this.execute(id)
  }

  /** What the page shows of an answer. */
  answerOf(id: string): Promise<string> {
    return this.#answer(id).innerText()
  }

  /** No answer is shown after it. */
  async reload(): Promise<void> {
    this.#answered.clear()
    await this.page.reload()
  }

  async giveKey(key: string): Promise<void> {
    await this.page.getByRole('button', { name: 'Authorize' }).first().click()
    await this.page.locator('.auth-container').first().getByRole('textbox').fill(key)
    await this.page.getByRole('button', { name: 'Apply credentials' }).first().click()
    await this.page.getByRole('button', { name: 'Close' }).first().click()
  }

  /** How wide the page is; more than its window where something does not fit. */
  width(): Promise<number> {
    return this.page.evaluate(() => document.documentElement.scrollWidth)
  }

  #answer(id: string): Locator {
    return this.block(id).locator('.live-responses-table')
  }
}
