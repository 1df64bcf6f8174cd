import { createHash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import type { AxeResults } from 'axe-core'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { browserPath, startBrowser } from '../docs/browser.ts'
import { newUser } from '../support/accounts.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { connect } from './connect.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

describe.runIf(browserPath !== undefined)('the page that lets a program in, in a browser', () => {
  let server: TestServer
  let browser: Browser
  /** The program, on a port of its own, and a page of it that sends a form by itself. */
  let program: Server
  let programUrl: string
  let formTo = ''

  beforeAll(async () => {
    server = await startServer()
    browser = await startBrowser()
    program = createServer((req, res) => {
      res.setHeader('Content-Type', 'text/html; charset=utf-8')
      res.end(
        req.url === '/form'
          ? `<form method="post" action="${formTo.replaceAll('&', '&amp;')}"><input type="hidden" name="decision" value="deny"><button>Go</button></form>`
          : '<h1>Back</h1>',
      )
    })
    await new Promise<void>((resolve) => program.listen(0, '127.0.0.1', resolve))
    programUrl = `http://127.0.0.1:${(program.address() as AddressInfo).port}`
  })
  afterAll(async () => {
    await browser?.close()
    program?.close()
    await server?.close()
  })

  /** A program that was registered, and where it sends a browser. */
  async function newProgram() {
    const redirectUri = `${programUrl}/callback`
    const registered = await fetch(`${server.url}/oauth/register`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ client_name: 'A notebook', redirect_uris: [redirectUri] }),
    })
    const { client_id: clientId } = (await registered.json()) as { client_id: string }
    const verifier = randomBytes(32).toString('base64url')
    const fields = new URLSearchParams({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirectUri,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      state: 'a state',
    })
    return { clientId, redirectUri, verifier, url: `${server.url}/oauth/authorize?${fields}` }
  }

  it('is filled in, and leads back with a code that opens the memory', async () => {
    const ada = await newUser(server)
    const { clientId, redirectUri, verifier, url } = await newProgram()
    const page = await browser.newPage()
    await page.goto(url)
    expect(await page.getByRole('heading').innerText()).toContain('A notebook')
    const { violations } = await page.evaluate<AxeResults>(`${axe}; axe.run()`)
    expect(violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')).toEqual([])
    await page.getByLabel('Email').fill(ada.email)
    await page.getByLabel('Password').fill('not the password')
    await page.getByRole('button', { name: 'Sign in and allow' }).click()
    await page.getByRole('alert').waitFor()
    await page.getByLabel('Password').fill(ada.password)
    await page.getByRole('button', { name: 'Sign in and allow' }).click()
    await page.getByRole('heading', { name: 'Back' }).waitFor()
    const { searchParams } = new URL(page.url())
    expect(searchParams.get('state')).toBe('a state')
    const answer = await fetch(`${server.url}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: clientId,
        redirect_uri: redirectUri,
        code: searchParams.get('code') ?? '',
        code_verifier: verifier,
      }),
    })
    const { access_token: token } = (await answer.json()) as { access_token: string }
    const mcp = await connect(server.url, { Authorization: `Bearer ${token}` })
    expect((await mcp.ok('memory_status')).text).toBeTruthy()
    await mcp.close()
    await page.close()
  })

  it('is left by saying no, and by nothing that a page of somebody else sends', async () => {
    const { url } = await newProgram()
    const page = await browser.newPage()
    formTo = url.replace('127.0.0.1', 'localhost')
    await page.goto(`${programUrl}/form`)
    await page.getByRole('button', { name: 'Go' }).click()
    await page.getByRole('heading', { name: 'A notebook' }).waitFor()
    await page.goto(url)
    await page.getByRole('button', { name: 'Deny' }).click()
    await page.getByRole('heading', { name: 'Back' }).waitFor()
    expect(new URL(page.url()).searchParams.get('error')).toBe('access_denied')
    await page.close()
  })
})
