import { expect, it } from 'vitest'
import {
  accessTokenOf,
  arrive,
  asUser,
  fillSignIn,
  inBrowser,
  local,
  mailed,
  operator,
  type Person,
  signOperatorIn,
  signUp,
} from './stage.ts'
import { patience, type Visitor } from './visitor.ts'

/** Somebody with an account, at a page of the operator's organization. */
async function member(person: Person, path: string): Promise<Visitor> {
  const visitor = await arrive()
  await visitor.go(path)
  await fillSignIn(visitor, person)
  return visitor
}

inBrowser(
  'the organization',
  () => {
    const organizationId = async () => {
      const { page } = await operator('/members')
      return page.getByRole('combobox', { name: 'Organization' }).inputValue()
    }
    const invite = async (visitor: Visitor, email: string, role: string) => {
      await visitor.field('Email address').fill(email)
      await visitor.field('Role').selectOption(role)
      await visitor.press('Send the invitation')
      await visitor.see('The invitation is on its way')
    }
    const rowOf = ({ page }: Visitor, text: string) => page.getByRole('row', { name: text })

    it('invites members, withdraws, changes roles, and removes', async () => {
      const org = await organizationId()
      const person = await signUp(await arrive())
      const visitor = await operator('/members')
      const { page } = visitor

      await invite(visitor, person.email, 'Member')
      await rowOf(visitor, person.email).getByRole('button', { name: 'Withdraw' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click()
      await visitor.see('There are no pending invitations.')
      const withdrawn = (await mailed(person.email, 'accept-invitation')).link
      await invite(visitor, person.email, 'Member')
      const row = rowOf(visitor, person.email)
      await row.waitFor()
      // Who may see the page may not become somebody else by it.
      expect(await page.content()).not.toContain('inv_')

      const invited = await arrive()
      await invited.page.goto(withdrawn)
      await invited.press('Sign in', 'link')
      await fillSignIn(invited, person)
      await invited.press('Accept the invitation')
      await invited.see('This link is over')
      const { link } = await mailed(person.email, 'accept-invitation')
      expect(link).not.toBe(withdrawn)
      // In the same tab, where only the end of the address is another.
      await invited.page.goto(link)
      await invited.press('Accept the invitation')
      await invited.see('You are a member now.')

      // A member sees who is there, and no control that would be refused.
      await invited.go(`/members?org=${org}`)
      await rowOf(invited, person.email).getByText('You', { exact: true }).waitFor()
      await invited.see('Admins and owners invite members')
      const main = invited.page.getByRole('main')
      expect(await main.getByRole('button').allInnerTexts()).toEqual(['Leave'])
      expect(await main.getByRole('combobox').count()).toBe(0)
      // Nor are they told to use one.
      await invited.go(`/webhooks?org=${org}`)
      await invited.page.getByText('There are no webhooks yet.', { exact: true }).waitFor()
      // The test space has the limits of the smallest plan, whatever the organization's.
      await invited.go(`/?org=${org}&space=test`)
      await invited.see('The limit is that of the Free plan')
      await invited.go(`/members?org=${org}`)
      await main.getByRole('button', { name: 'Leave' }).waitFor()

      await page.reload()
      await row.getByRole('combobox').selectOption('Admin')
      await row.getByRole('button', { name: 'Change the role' }).click()
      await row.getByRole('button', { name: 'Change the role' }).waitFor({ state: 'detached' })
      await invited.page.reload()
      await main.getByRole('button', { name: 'Leave' }).waitFor()
      const offered = await main.getByRole('combobox', { name: `Role of ${person.email}` }).innerText()
      expect(offered.split('\n')).toEqual(['Member', 'Admin'])
      // Owners are changed and removed by owners.
      expect(await main.getByRole('button', { name: 'Remove' }).count()).toBe(0)
      expect(await main.getByRole('combobox').count()).toBe(2)

      // Where it is not known yet who looks, nobody is offered to remove themselves.
      const held: (() => void)[] = []
      await invited.page.route('**/v1/users/me', async (route) => {
        await new Promise<void>((go) => held.push(go))
        await route.continue()
      })
      await invited.page.reload()
      await invited.field('Email address').waitFor()
      expect(await main.getByRole('button', { name: 'Remove' }).count()).toBe(0)
      expect(held).not.toEqual([])
      for (const go of held) go()
      await main.getByRole('button', { name: 'Leave' }).waitFor()
      await invited.page.unroute('**/v1/users/me')

      await page.reload()
      await row.getByRole('button', { name: 'Remove' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
      await row.waitFor({ state: 'detached' })
      await invited.page.reload()
      await invited.see('You are not a member of this organization.')
      // No page is of use there, and each leads out of it.
      const chosen = invited.page.getByRole('combobox', { name: 'Organization' })
      await invited.go(`/?org=${org}`)
      await invited.see('You are not a member of this organization.')
      expect(await chosen.inputValue()).toBe('')
      await main.getByRole('link').first().click()
      await invited.heading('Overview')
      expect(await chosen.inputValue()).not.toBe('')
      await invited.go(`/?org=${org}`)
      await invited.see('You are not a member of this organization.')
      await invited.press('Sign out')
      await invited.see('You are signed out.')
      expect(invited.path).not.toContain(org)
    })

    it('shows long lists by pages, which the address has', async () => {
      const visitor = await arrive()
      const person = await signUp(visitor)
      const token = await accessTokenOf(person)
      const { organizations } = (await (await asUser(token, 'GET', '/v1/organizations')).json()) as {
        organizations: { id: string }[]
      }
      const org = organizations[0]?.id as string
      for (let n = 0; n < 26; n++) {
        const path = `/v1/organizations/${org}/invitations`
        const invited = await asUser(token, 'POST', path, { email: `guest-${n}@example.com` })
        expect(invited.status).toBe(201)
        const made = await asUser(token, 'POST', '/v1/api-keys', { name: `key ${n}` })
        expect(made.status).toBe(200)
      }
      const { page } = visitor
      // So many people would take long to sign up: here the service has more of them than there are.
      await page.route(`**/v1/organizations/${org}/members`, async (route) => {
        const response = await route.fetch()
        const { members } = await response.json()
        const many = Array.from({ length: 53 }, (_, n) => ({
          ...members[0],
          user_id: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
          email: `member-${n}@example.com`,
        }))
        await route.fulfill({ response, json: { members: many } })
      })
      const rowsOf = async (table: string) => {
        const rows = await page.getByRole('table', { name: table }).getByRole('row').allInnerTexts()
        return rows.slice(1)
      }
      const next = (n: number) => page.getByRole('link', { name: 'Next page' }).nth(n)

      await visitor.go('/members')
      await rowOf(visitor, 'member-24@').waitFor()
      expect(await rowsOf('Members of the organization')).toHaveLength(25)
      await next(0).click()
      await rowOf(visitor, 'member-25@').waitFor()
      expect(visitor.path).toBe('/members?page=2')
      await next(1).click()
      await rowOf(visitor, 'guest-25@').waitFor()
      expect(visitor.path).toBe('/members?page=2&invitations=2')
      expect(await rowsOf('Pending invitations')).toHaveLength(1)
      await page.reload()
      await rowOf(visitor, 'guest-25@').waitFor()
      await rowOf(visitor, 'member-49@').waitFor()
      // The last invitation of its page is withdrawn: those of the page before are shown.
      await rowOf(visitor, 'guest-25@').getByRole('button', { name: 'Withdraw' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click()
      await rowOf(visitor, 'guest-0@').waitFor()
      await visitor.go('/members?page=99')
      await visitor.see('Page 3 of 3')
      expect(await rowsOf('Members of the organization')).toHaveLength(3)

      await visitor.go('/keys')
      await visitor.see(/^Page 1 of /)
      expect(await rowsOf('Keys')).toHaveLength(25)
      await next(0).click()
      await visitor.see(/^Page 2 of /)
      expect(visitor.path).toBe('/keys?page=2')
      expect(await visitor.violations()).toEqual([])
    })

    it('says in the words of the service that the last owner stays, and lets another one go', async () => {
      const org = await organizationId()
      const person = await signUp(await arrive())
      const visitor = await operator('/members')
      const { page } = visitor
      const mine = page.getByRole('row').filter({ has: page.getByText('You', { exact: true }) })
      await mine.getByRole('button', { name: 'Leave' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
      await page.getByRole('dialog').getByText('The last owner can neither leave nor be demoted').waitFor()
      await page.keyboard.press('Escape')
      await mine.getByRole('combobox').selectOption('Member')
      await mine.getByRole('button', { name: 'Change the role' }).click()
      await mine.getByText('The last owner can neither leave nor be demoted').waitFor()

      await page.reload()
      await invite(visitor, person.email, 'Owner')
      const other = await member(person, '/')
      await other.heading('Overview')
      await other.page.goto((await mailed(person.email, 'accept-invitation')).link)
      await other.press('Accept the invitation')
      await other.see('You are a member now.')
      await other.go(`/members?org=${org}`)
      await rowOf(other, person.email).getByRole('button', { name: 'Leave' }).click()
      await other.page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
      await other.heading('Overview')
      await expect.poll(() => other.path, { timeout: patience }).toBe('/')
      await page.reload()
      await rowOf(visitor, person.email).waitFor({ state: 'detached' })
    })

    it('changes its name and the limits of end users, and shows plan and id', async () => {
      const visitor = await operator('/organization')
      const { page } = visitor
      await visitor.heading('Organization settings')
      await visitor.field('Name').fill('Analytical <b>Engines</b>')
      await visitor.field('Memories that each subject may have').fill('3')
      // Somebody else changes another limit meanwhile, and this tab hears of it.
      const path = `**/v1/organizations`
      await page.route(path, async (route) => {
        const response = await route.fetch()
        const { organizations } = await response.json()
        const [{ subject_limits: limits, ...organization }] = organizations
        const changed = { ...organization, subject_limits: { ...limits, queries_per_day: 7 } }
        await route.fulfill({ response, json: { organizations: [changed] } })
      })
      const anew = page.waitForResponse(path)
      await page.evaluate(`document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`)
      await anew
      await page.unrouteAll({ behavior: 'wait' })
      expect(await visitor.field('Name').inputValue()).toBe('Analytical <b>Engines</b>')
      const sent = page.waitForRequest((request) => request.method() === 'PATCH')
      await visitor.press('Save')
      const changes = { name: 'Analytical <b>Engines</b>', subject_limits: { patterns: 3 } }
      expect((await sent).postDataJSON()).toEqual(changes)
      const shown = page.getByRole('combobox', { name: 'Organization' }).locator('option')
      await expect
        .poll(() => shown.allInnerTexts(), { timeout: patience })
        .toEqual(['Analytical <b>Engines</b>'])
      expect(await visitor.field('Memories that each subject may have').inputValue()).toBe('3')
      expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
      // What was set holds.
      for (const n of [1, 2, 3, 4]) {
        const body = { text: `Fact ${n} of Grace.`, subject: 'grace' }
        expect((await local.post('/v1/memory/text/store', body)).status).toBe(n === 4 ? 429 : 200)
      }
      await visitor.field('Memories that each subject may have').fill('')
      await visitor.press('Save')
      // Not merely while it is being saved.
      await page.locator('button[data-disabled]').getByText('Save', { exact: true }).waitFor()
      const body = { text: 'Fact 4 of Grace.', subject: 'grace' }
      expect((await local.post('/v1/memory/text/store', body)).status).toBe(200)
      await visitor.field('Name').fill('A'.repeat(201))
      await visitor.press('Save')
      await visitor.see('Something that was entered is not valid')

      await page.getByRole('row', { name: /^Plan Enterprise/ }).waitFor()
      await page.getByRole('row', { name: 'Members and pending invitations As many as you like' }).waitFor()
      const id = await page.getByRole('region', { name: 'Id of the organization' }).innerText()
      expect(id).toBe(await organizationId())
    })

    it('keeps what was typed while the session was ended elsewhere, beside what others changed meanwhile', async () => {
      const visitor = await arrive()
      const person = await signUp(visitor)
      const ended = async () => {
        await asUser(await accessTokenOf(person), 'POST', '/v1/auth/logout-all')
        await visitor.press(/^(Save|Make the webhook)$/)
        await visitor.see('Your session has ended.')
      }
      await visitor.go('/organization')
      await visitor.field('Name').fill('Typed for an hour')
      await ended()
      const token = await accessTokenOf(person)
      const organizations = async () =>
        (await (await asUser(token, 'GET', '/v1/organizations')).json()).organizations
      const [{ id }] = await organizations()
      await asUser(token, 'PATCH', `/v1/organizations/${id}`, { subject_limits: { patterns: 5 } })
      await fillSignIn(visitor, person)
      await expect
        .poll(() => visitor.field('Name').inputValue(), { timeout: patience })
        .toBe('Typed for an hour')
      await visitor.press('Save')
      await expect
        .poll(async () => (await organizations())[0], { timeout: patience })
        .toMatchObject({
          name: 'Typed for an hour',
          subject_limits: { patterns: 5 },
        })

      await visitor.go('/webhooks')
      await visitor.field('Address').fill('https://example.com/typed')
      await ended()
      await fillSignIn(visitor, person)
      const address = () => visitor.field('Address').inputValue()
      await expect.poll(address, { timeout: patience }).toBe('https://example.com/typed')
      await visitor.press('Make the webhook')
      await visitor.see('https://example.com/typed')
      // The next one begins empty.
      await expect.poll(address, { timeout: patience }).toBe('')
    })

    it('keeps what is typed as a limit, whatever it begins with, and says what is too much', async () => {
      const visitor = await operator('/organization')
      const { page } = visitor
      const field = visitor.field('Memories that each subject may have')
      const save = page.getByRole('button', { name: 'Save' })
      await field.pressSequentially('99999999999999999')
      await field.blur()
      expect(await field.inputValue()).toBe('99999999999999999')
      await visitor.see('It should be 2,147,483,647 at most.')
      expect(await save.isDisabled()).toBe(true)
      await field.fill('')
      await field.pressSequentially('0070')
      await field.blur()
      expect(await field.inputValue()).toBe('0070')
      const sent = page.waitForRequest((request) => request.method() === 'PATCH')
      await save.click()
      expect((await sent).postDataJSON()).toEqual({ subject_limits: { patterns: 70 } })
      await expect.poll(() => field.inputValue(), { timeout: patience }).toBe('70')
      await field.fill('')
      await save.click()
      await page.locator('button[data-disabled]').getByText('Save', { exact: true }).waitFor()
    })

    it('shows members what only administrators change, without the controls', async () => {
      const person = await signUp(await arrive())
      const visitor = await operator('/members')
      const { page } = visitor
      await invite(visitor, person.email, 'Admin')
      const invited = await member(person, '/')
      await invited.heading('Overview')
      await invited.page.goto((await mailed(person.email, 'accept-invitation')).link)
      await invited.press('Accept the invitation')
      await invited.see('You are a member now.')
      await invited.go(`/organization?org=${await organizationId()}`)
      await invited.field('Name').waitFor()
      // A role that was taken since this page asked for it: the service refuses, and who may is said.
      await invited.page.route(/organizations$/, () => {})
      await page.reload()
      const row = rowOf(visitor, person.email)
      await row.getByRole('combobox').selectOption('Member')
      await row.getByRole('button', { name: 'Change the role' }).click()
      await row.getByRole('button', { name: 'Change the role' }).waitFor({ state: 'detached' })
      await invited.press('Members', 'link')
      await invited.see('Your role does not let you see this.')
      await invited.see('Organization admin required')
      await invited.press('See who the admins and owners are', 'link')
      await invited.page.unroute(/organizations$/)
      await invited.go(`/organization?org=${await organizationId()}`)
      await invited.see('Admins and owners change this.')
      await invited.page.getByRole('row', { name: 'Your role Member' }).waitFor()
      const main = invited.page.getByRole('main')
      expect(await main.getByRole('textbox').count()).toBe(0)

      const org = await organizationId()
      const made = await local.post('/v1/webhooks', { url: 'http://127.0.0.1:9/hook' })
      const path = `/webhooks/${made.body.id}`
      const sent = await local.post(`/v1${path}/test`)
      await invited.go(`/webhooks?org=${org}`)
      await invited.see('Admins and owners make webhooks')
      await invited.press('http://127.0.0.1:9/hook', 'link')
      await invited.heading('Webhook')
      await main.getByRole('table', { name: 'Deliveries' }).waitFor()
      expect(await main.getByRole('button').count()).toBe(0)
      await invited.go(`${path}/deliveries/${sent.body.id}?org=${org}`)
      await main.getByRole('heading', { name: 'Attempts' }).waitFor()
      expect(await main.getByRole('button', { name: 'Send it again' }).count()).toBe(0)
      await invited.go(`/start?org=${org}`)
      await invited.see('Admins and owners make keys and revoke them.')
      expect(await main.getByRole('button', { name: /key/i }).count()).toBe(0)
      await local.delete(`/v1${path}`)
    })

    it('shows where somebody is signed in, ends one session, and all', async () => {
      const visitor = await arrive()
      const person = await signUp(visitor)
      const token = await accessTokenOf(person)
      const isSignedIn = async () => (await asUser(token, 'GET', '/v1/users/me')).status === 200
      await visitor.go('/account')
      await visitor.press('Where you are signed in', 'link')
      await visitor.heading('Sessions')
      const { page } = visitor
      const rows = page.getByRole('table', { name: 'Sessions' }).getByRole('row')
      const other = rows.filter({ hasText: 'node' })
      const own = rows.filter({ hasText: 'This one' })
      await own.getByText(/^Chrome on/).waitFor()
      expect(await own.getByRole('button').count()).toBe(0)
      expect(await isSignedIn()).toBe(true)
      await other.getByRole('button', { name: 'End' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'End' }).click()
      await other.waitFor({ state: 'detached' })
      expect(await isSignedIn()).toBe(false)
      await visitor.press('Sign out everywhere')
      await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click()
      await visitor.see('You are signed out.')
      await visitor.go('/sessions')
      await visitor.heading('Sign in')
    })
  },
  { before: signOperatorIn },
)
