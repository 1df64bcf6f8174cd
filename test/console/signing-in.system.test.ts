import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { codeOf } from '../accounts/authenticator.ts'
import { browserPath } from '../docs/browser.ts'
import { until } from '../support/until.ts'
import {
  accessTokenOf,
  arrive,
  asUser,
  fillSignIn,
  fillSignUp,
  folder,
  inBrowser,
  mailed,
  newcomer,
  operatorLink,
  signOperatorIn,
  signUp,
} from './stage.ts'
import { patience } from './visitor.ts'

describe('the console', () => {
  it.runIf(browserPath === undefined)('is tried in a browser', ({ skip }) => {
    console.warn('Not tested here, for want of a browser: apt-get install chromium')
    skip()
  })
})

inBrowser('signing in', () => {
  it('signs the operator in by the link of the start, once, and shows a first memory arrive', async () => {
    const visitor = await signOperatorIn()
    const { page } = visitor
    expect(visitor.path).toBe('/start')
    await visitor.see('Nothing yet.')
    await visitor.see(join(folder, 'data', 'local-api-key'))
    const command = await page.getByRole('region', { name: 'Command that stores a memory' }).innerText()
    execFileSync('sh', ['-c', command])
    await page.getByRole('log').getByText('Ada moved to Lisbon in May.').waitFor()
    // The key is of this organization: in another one, what is shown is not stored where the page looks.
    await page.route('**/v1/organizations', async (route) => {
      const response = await route.fetch()
      const { organizations } = await response.json()
      const other = { ...organizations[0], id: '00000000-0000-4000-8000-00000000000a', name: 'Another' }
      await route.fulfill({ response, json: { organizations: [...organizations, other] } })
    })
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`)
    const chosen = page.getByRole('combobox', { name: 'Organization' })
    const key = page.getByRole('region', { name: 'API key of this installation' })
    await chosen.selectOption('Another')
    await key.waitFor({ state: 'detached' })
    await page.getByText('$MEMORY_SERVICE_API_KEY').waitFor()
    await chosen.selectOption('Local')
    await key.waitFor()
    await page.unrouteAll({ behavior: 'wait' })

    const other = await arrive()
    await other.page.goto(operatorLink())
    await other.see('This link is over')
    await other.see('Each start of the service prints a new link')
  })

  it('signs up, verifies by the mail, signs out and in, and comes back to where one wanted to be', async () => {
    const visitor = await arrive()
    // Who opens the service's address and has no account is shown the first steps too.
    await visitor.go('/')
    await visitor.heading('Sign in')
    expect(visitor.path).toBe('/sign-in')
    await visitor.press('Create an account', 'link')
    const person = await fillSignUp(visitor)
    const { link } = await mailed(person.email, 'verify-email')
    await visitor.page.goto(link)
    await visitor.heading('Verify your email address')
    expect(visitor.page.url()).not.toContain('token')
    await visitor.page.reload()
    const sent: string[] = []
    visitor.page.on('request', (request) => {
      if (request.url().endsWith('/verify-email') && request.method() === 'POST') sent.push(request.url())
    })
    await visitor.page.getByRole('button', { name: 'It is mine' }).dblclick()
    await visitor.see('Your address is verified.')
    expect(sent).toHaveLength(1)
    await visitor.press('Go on', 'link')
    await visitor.heading('Overview')
    await until(() => visitor.isQuiet, 'what the page asks for')
    const refused: string[] = []
    visitor.page.on('response', (response) => {
      if (response.status() === 401) refused.push(response.url())
    })
    await visitor.press('Sign out')
    await visitor.see('You are signed out.')
    await until(() => visitor.isQuiet, 'what is still under way')
    // Nothing is asked for that only somebody who is signed in is answered.
    expect(refused).toEqual([])

    await visitor.go('/memories?way=words&q=Lisbon')
    await fillSignIn(visitor, { ...person, password: 'wrong' })
    await visitor.see('Invalid email or password')
    await visitor.see(/^Request [\w-]+$/)
    await fillSignIn(visitor, person)
    await visitor.heading('Memories')
    expect(visitor.path).toBe('/memories?way=words&q=Lisbon')
    await visitor.page.goto(link)
    await visitor.press('It is mine')
    await visitor.see('This link is over')
    const kept = `Object.keys(sessionStorage).filter((name) => name.startsWith('memory-link'))`
    await expect.poll(() => visitor.page.evaluate(kept), { timeout: patience }).toEqual([])
  })

  it('opens in a browser that keeps nothing, and says where its texts could not be fetched', async () => {
    const visitor = await arrive()
    const { page } = visitor
    const texts = /\/assets\/(en|fr)-[^/]+\.js$/
    await page.route(texts, (route) => route.abort())
    await visitor.go('/sign-in')
    await page.getByRole('alert').getByText('The console could not be loaded.').waitFor()
    await page.unroute(texts)
    await visitor.press('Load it again')
    await visitor.heading('Sign in')

    await page.addInitScript(`for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, name, { get() { throw new DOMException('Denied', 'SecurityError') } })`)
    await visitor.go('/verify-email#token=unknown')
    await visitor.press('It is mine')
    await visitor.see('This link is over')
    await visitor.go('/sign-in')
    await visitor.heading('Sign in')
    await page.getByLabel('Language').selectOption('Français')
    await visitor.heading('Connexion')
  })

  it('sets a new password by the mail', async () => {
    const visitor = await arrive()
    const person = await signUp(visitor)
    await visitor.press('Sign out')
    await visitor.press('Forgot the password?', 'link')
    await visitor.field('Email address').fill(person.email)
    await visitor.press('Send the link')
    await visitor.see('the link is on its way')
    const { link } = await mailed(person.email, 'reset-password')
    await visitor.page.goto(link)
    await visitor.field('New password').fill('short')
    await visitor.press('Set the password')
    await visitor.see('Something that was entered is not valid')
    // Said at the field, which is gone to, and in words alone.
    const described = `document.activeElement.getAttribute('aria-describedby')?.split(' ')
      .map((id) => document.getElementById(id)?.textContent)`
    await expect
      .poll(() => visitor.page.evaluate(described), { timeout: patience })
      .toEqual(expect.arrayContaining(['12 characters at least.', 'It should have 12 characters at least.']))
    expect(await visitor.field('New password').getAttribute('aria-invalid')).toBe('true')
    expect(await visitor.page.getByRole('alert').innerText()).not.toContain('new_password')
    const password = 'a difference engine'
    await visitor.field('New password').fill(password)
    await visitor.press('Set the password')
    await visitor.see('The password is set')
    await visitor.press('Sign in', 'link')
    await fillSignIn(visitor, { ...person, password })
    await visitor.heading('Overview')
    await visitor.page.goto(link)
    await visitor.field('New password').fill(password)
    await visitor.press('Set the password')
    await visitor.see('This link is over')
  })

  it('turns the second factor on with a QR code, asks for it, and takes a recovery code', async () => {
    const visitor = await arrive()
    const { page } = visitor
    const person = await signUp(visitor)
    await visitor.go('/account')
    await visitor.press('Set it up')
    await page.locator('input[autocomplete=one-time-code]:focus').waitFor()
    await page.getByRole('img', { name: /QR code/ }).waitFor()
    const secret = await page.getByText('Or enter the secret by hand').locator('code').innerText()
    const section = page.getByRole('region', { name: 'Second factor' })
    await section.getByLabel(/^Code/).fill(codeOf(secret, Math.floor(Date.now() / 30_000)))
    await visitor.press('Turn it on')
    await visitor.see('The second factor is on')
    const codes = (await section.getByRole('region', { name: 'Recovery codes' }).innerText()).split('\n')
    expect(codes).toHaveLength(10)
    const [recovery = ''] = codes
    // They are not shown again: nobody leaves them by mistake.
    const dialogue = page.getByRole('dialog', { name: 'Leave without keeping it?' })
    for (const leave of [
      () => page.getByLabel('Space').selectOption('Test'),
      () => visitor.press('Memories', 'link'),
      () => visitor.press('Sign out'),
    ]) {
      await leave()
      await dialogue.getByRole('button', { name: 'Stay' }).click()
      await dialogue.waitFor({ state: 'detached' })
    }
    await visitor.see(recovery)
    await visitor.press('I have kept it')
    await visitor.press('Sign out')
    await fillSignIn(visitor, person)
    await visitor.heading('Second factor')
    // After too many codes none is taken any more, and the password is asked for again.
    const session = '**/console/session/mfa'
    await page.route(session, (route) => route.fulfill({ status: 401, json: { detail: 'Invalid token' } }))
    await visitor.field('Code').fill('000000')
    await visitor.press('Sign in')
    await visitor.see('Too many wrong codes, or too long ago: sign in again.')
    await page.unroute(session)
    await fillSignIn(visitor, person)
    await visitor.heading('Second factor')
    await visitor.field('Code').fill('nonsense-code')
    await visitor.press('Sign in')
    await visitor.see('The code of the second factor is not right.')
    await visitor.field('Code').fill('12345')
    await visitor.press('Sign in')
    await visitor.see('It is not written in the way that it should be.')
    // As authenticators show it; that of another secret is refused as a code.
    await visitor.field('Code').fill(' 000 000 ')
    await visitor.press('Sign in')
    await visitor.see('The code of the second factor is not right.')
    await visitor.field('Code').fill(recovery)
    await visitor.press('Sign in')
    await visitor.heading('Overview')
    await visitor.go('/account')
    await visitor.see('It is on.')
  })

  it('accepts an invitation, by signing up with the address that it was sent to', async () => {
    const host = await arrive()
    const owner = await signUp(host)
    const token = await accessTokenOf(owner)
    const { organizations } = (await (await asUser(token, 'GET', '/v1/organizations')).json()) as {
      organizations: { id: string }[]
    }
    const [{ id }] = organizations as [{ id: string }]
    const guest = newcomer()
    const path = `/v1/organizations/${id}/invitations`
    const invited = await asUser(token, 'POST', path, { email: guest.email, role: 'member' })
    expect(await invited.text()).toContain(guest.email)

    const { link } = await mailed(guest.email, 'accept-invitation')
    const visitor = await arrive()
    await visitor.page.goto(link)
    await visitor.see('Sign in with the address that the invitation was sent to')
    // Somebody else is signed in, and can make way.
    const other = await signUp(visitor)
    await visitor.page.goto(link)
    await visitor.see(`You are signed in as ${other.email}.`)
    await visitor.press('Use another account')
    await visitor.press('Create an account', 'link')
    await visitor.field('Email address').fill(guest.email)
    await visitor.field('Password').fill(guest.password)
    await visitor.press('Create the account')
    await visitor.press('Accept the invitation')
    await visitor.see('You are a member now.')
    await visitor.press('To the organization')
    await visitor.heading('Overview')
    expect(visitor.path).toBe(`/?org=${id}`)
    // A member may not make keys, and is told so.
    await visitor.press('API keys', 'link')
    await visitor.see('Admins and owners make keys and revoke them.')
    expect(await visitor.page.getByRole('main').getByRole('button').count()).toBe(0)
  })
})
