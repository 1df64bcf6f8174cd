import type { QueueWorkers } from '@memory/shared/platform/queue/workers'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { browserPath, startBrowser } from '../docs/browser.ts'
import { newUser } from '../support/accounts.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { until } from '../support/until.ts'
import { patience, Visitor } from './visitor.ts'

// In the process of the tests, which can then have a job fail.

let server: TestServer
let browser: Browser
let workers: QueueWorkers
let visitor: Visitor
const harm = '<img src=x onerror="window.harmed = true">\u202E'

const failed = async () => (await server.context.queue.counts()).chores.failed

describe.runIf(browserPath !== undefined)('failed jobs', { timeout: 3 * patience }, () => {
  let isBroken = true

  beforeAll(async () => {
    server = await startServer()
    browser = await startBrowser()
    workers = await server.context.queue.work({
      types: [],
      handle: async () => {
        if (isBroken) throw new Error(`broken ${harm}`)
      },
    })
    visitor = await Visitor.arrive(browser, server.url)
  }, 5 * patience)
  afterAll(async () => {
    expect(visitor.wrongs).toEqual([])
    await browser?.close()
    await workers?.stop()
    await server?.close()
  })

  it('are shown with what went wrong, done again one by one, and removed', async () => {
    const { queue } = server.context
    await queue.add('purge-traces', {})
    await queue.add('purge-keys', {})
    await until(async () => (await failed()) === 2, 'both have failed')
    const { email, password } = await newUser(server, { platformAdmin: true })
    await visitor.go('/operators/queues')
    await visitor.heading('Sign in')
    await visitor.field('Email address').fill(email)
    await visitor.field('Password').fill(password)
    await visitor.press('Sign in')
    await visitor.heading('Queues and jobs')
    const { page } = visitor
    const row = (name: string) =>
      page.getByRole('table', { name: 'Chores: Failed' }).getByRole('row', { name })
    await row('purge-traces').getByText('broken <img').waitFor()
    await row('purge-traces').getByText('U+202E').waitFor()
    expect(await page.evaluate('window.harmed')).toBeUndefined()

    isBroken = false
    await row('purge-traces').getByRole('button', { name: 'Do it again' }).click()
    await row('purge-traces').waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Chores, Completed: 1' }).waitFor()
    expect(await failed()).toBe(1)

    await row('purge-keys').getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await visitor.see('There are no such jobs.')
    expect(await failed()).toBe(0)
  })
})
