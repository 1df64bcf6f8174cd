import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest'
import { freePort } from '../../scripts/free-port.ts'
import { browserPath, startBrowser } from '../docs/browser.ts'
import { type ServiceProcess, startService } from '../process/service-process.ts'
import type { Client } from '../support/client.ts'
import { type ReceivedMail, readMails } from '../support/mails.ts'
import { until } from '../support/until.ts'
import { patience, Visitor } from './visitor.ts'

// A service of its own for a file of tests, a browser, and who visits it.

export let folder: string
let port: number
export let service: ServiceProcess
let browser: Browser
/** With the key of the local organization. */
export let local: Client
const visitors: Visitor[] = []

/** What the payment provider of the stage signs with. */
export const billingSecret = `whsec_${randomBytes(32).toString('base64')}`

const start = () =>
  startService(join(folder, 'data'), {
    PORT: String(port),
    MEMORY_DEFAULT_PLAN: 'enterprise',
    // Receivers of tests are on this machine.
    WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
    MEMORY_BILLING_SECRET: billingSecret,
    MEMORY_BACKUP_DIR: join(folder, 'backups'),
  })

async function begin(): Promise<void> {
  folder = mkdtempSync(join(tmpdir(), 'memory-console-'))
  port = await freePort()
  service = await start()
  browser = await startBrowser()
  local = service.client()
}

async function end(): Promise<void> {
  visitors.splice(0)
  operating = undefined
  await browser?.close()
  await service?.stop('SIGTERM')
  rmSync(folder, { recursive: true, force: true })
}

export async function arrive(options?: Parameters<typeof Visitor.arrive>[2]): Promise<Visitor> {
  const visitor = await Visitor.arrive(browser, service.url, options)
  visitors.push(visitor)
  return visitor
}

/** What no page may do is looked at after each test. */
async function leave(): Promise<void> {
  const wrongs = visitors.flatMap((each) => each.wrongs)
  for (const visitor of visitors) if (visitor !== operating) await visitor.leave()
  visitors.splice(0, visitors.length, ...visitors.filter((each) => each === operating))
  expect(wrongs).toEqual([])
}

export const mailsTo = (email: string) =>
  readMails(join(folder, 'data', 'outbox')).filter(({ to }) => to === email)

/** The newest mail to somebody with a link to a page. */
export function mailed(email: string, page: string): Promise<ReceivedMail & { link: string }> {
  return until(() => {
    const found = mailsTo(email).findLast(({ text }) => text.includes(`/${page}#token=`))
    const link = found && /^http\S+#token=\S+$/m.exec(found.text)?.[0]
    return found && link !== undefined ? { ...found, link } : undefined
  }, `a mail to ${email} that leads to ${page}`)
}

let people = 0
export const newcomer = () => {
  const n = ++people
  return { email: `person-${n}@example.com`, password: `an analytical engine ${n}` }
}

export interface Person {
  email: string
  password: string
}

export async function signUp(visitor: Visitor, person?: Person): Promise<Person> {
  await visitor.go('/sign-up')
  return fillSignUp(visitor, person)
}

export async function fillSignUp(
  visitor: Visitor,
  { email, password }: Person = newcomer(),
): Promise<Person> {
  await visitor.field('Email address').fill(email)
  await visitor.field('Password').fill(password)
  await visitor.press('Create the account')
  await visitor.heading('First steps')
  return { email, password }
}

export async function fillSignIn(visitor: Visitor, { email, password }: Person): Promise<void> {
  await visitor.heading('Sign in')
  await visitor.field('Email address').fill(email)
  await visitor.field('Password').fill(password)
  await visitor.press('Sign in')
}

/** Makes an access token of the person's apart from any browser. */
export async function accessTokenOf({ email, password }: Person): Promise<string> {
  const response = await fetch(`${service.url}/v1/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  return ((await response.json()) as { access_token: string }).access_token
}

export const asUser = (accessToken: string, method: string, path: string, body?: object) =>
  fetch(service.url + path, {
    method,
    headers: { Authorization: `Bearer ${accessToken}`, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })

/** The browser in which the operator is signed in, by the link of the start. */
let operating: Visitor | undefined

/** The operator at a page of the console. */
export async function operator(path: string): Promise<Visitor> {
  if (operating === undefined) throw new Error('The operator has not signed in.')
  await operating.go(path)
  return operating
}

/** The service ends, and starts again on its data. */
export async function restart(between: () => Promise<void>): Promise<void> {
  await service.stop('SIGTERM')
  await between()
  service = await start()
}

/** Signs the operator in by the link that the service printed; tests then go to pages by {@link operator}. */
export async function signOperatorIn(): Promise<Visitor> {
  const visitor = await arrive()
  await visitor.page.goto(operatorLink())
  await visitor.heading('First steps')
  operating = visitor
  return visitor
}

export const operatorLink = () => /http\S+\/console\/link#token=\S+/.exec(service.stderr)?.[0] as string

interface Scene {
  /** What is there before the first test. */
  before?: () => Promise<unknown>
  /** For a test. */
  timeoutMs?: number
}

/** Tests in a browser, where there is one, with a service of their own. */
export function inBrowser(
  name: string,
  tests: () => void,
  { before, timeoutMs = 3 * patience }: Scene = {},
): void {
  describe.runIf(browserPath !== undefined)(name, { timeout: timeoutMs }, () => {
    beforeAll(async () => {
      await begin()
      await before?.()
    }, 5 * patience)
    afterEach(leave)
    afterAll(end)
    tests()
  })
}
