import { expect, it } from 'vitest'
import { accessTokenOf, arrive, asUser, fillSignIn, inBrowser, restart, service, signUp } from './stage.ts'
import { patience } from './visitor.ts'

inBrowser('a session in several places', () => {
  it('that was ended elsewhere leads to signing in, and back to the same place', async () => {
    const visitor = await arrive()
    const person = await signUp(visitor)
    await visitor.go('/playground?q=tea')
    await visitor.heading('Playground')
    await asUser(await accessTokenOf(person), 'POST', '/v1/auth/logout-all')
    await visitor.press('Memories', 'link')
    await visitor.see('Your session has ended.')
    await fillSignIn(visitor, person)
    await visitor.heading('Memories')
    // A page that is opened after that finds out by its cookie.
    await asUser(await accessTokenOf(person), 'POST', '/v1/auth/logout-all')
    await visitor.go('/subjects?prefix=a')
    await visitor.see('Your session has ended.')
    await fillSignIn(visitor, person)
    await visitor.heading('Subjects')
    expect(visitor.path).toBe('/subjects?prefix=a')
  })

  it('is one for all tabs, which refresh it together, and end it together', async () => {
    const visitor = await arrive()
    const person = await signUp(visitor)
    const tabs = [visitor.page, await visitor.tab(), await visitor.tab()]
    await Promise.all(tabs.map((tab) => tab.goto(`${service.url}/console/memories`)))
    for (let round = 0; round < 3; round++) {
      await Promise.all(tabs.map((tab) => tab.reload()))
      for (const tab of tabs) await tab.getByRole('heading', { name: 'Memories', level: 1 }).waitFor()
    }
    // Left in the middle of it, again and again.
    for (let round = 0; round < 10; round++) {
      await visitor.page.goto(`${service.url}/console/memories?q=${round}`, { waitUntil: 'commit' })
    }
    await visitor.heading('Memories')
    const sessions = await asUser(await accessTokenOf(person), 'GET', '/v1/security/sessions')
    // That of the browser, and the one that asks.
    expect(await sessions.json()).toHaveLength(2)

    const [first, second] = tabs as [typeof visitor.page, typeof visitor.page]
    await second.goto(`${service.url}/console/start`)
    const text = second.getByRole('main').getByLabel(/^Text/)
    await text.fill('Typed in another tab.')
    await first.getByRole('button', { name: 'Sign out' }).click()
    await first.getByText('You are signed out.').waitFor()
    // Nobody was asked there: what was typed is there again.
    await second.getByText('Your session has ended.').waitFor()
    await second.getByLabel(/^Email address/).fill(person.email)
    await second
      .getByRole('main')
      .getByLabel(/^Password/)
      .fill(person.password)
    await second.getByRole('button', { name: 'Sign in' }).click()
    await second.getByRole('heading', { name: 'First steps', level: 1 }).waitFor()
    expect(await text.inputValue()).toBe('Typed in another tab.')
  })

  it('of somebody else, who signed in in another tab, is none that a page goes on in', async () => {
    const visitor = await arrive()
    const { page } = visitor
    const ann = await signUp(visitor)
    const bob = await signUp(await arrive())
    await visitor.go('/account')
    await visitor.see(ann.email)
    const tab = await visitor.tab()
    await tab.goto(`${service.url}/console/sign-in`)
    await tab.getByLabel(/^Email address/).fill(bob.email)
    await tab
      .getByRole('main')
      .getByLabel(/^Password/)
      .fill(bob.password)
    await tab.getByRole('button', { name: 'Sign in' }).click()
    await visitor.see(bob.email)
    expect(await page.getByText(ann.email).count()).toBe(0)

    // An outside page, opened without loading, has what was answered before; the next in its tab is another.
    await visitor.go('/sign-in')
    await visitor.press('Memory Service', 'link')
    await visitor.press('Account', 'link')
    await visitor.see(bob.email)
    await page.goBack()
    await page.goBack()
    await visitor.heading('Sign in')
    await tab.getByRole('button', { name: 'Sign out' }).click()
    await tab.getByText('You are signed out.').waitFor()
    await page.route('**/v1/users/me', () => {})
    await fillSignIn(visitor, ann)
    await visitor.press('Account', 'link')
    await page.getByRole('main').getByRole('status', { name: 'Loading' }).waitFor()
    expect(await page.getByText(bob.email).count()).toBe(0)
  })

  it('goes on after the connection was gone, and after the service was', async () => {
    const visitor = await arrive()
    await signUp(visitor)
    await visitor.go('/memories')
    await visitor.heading('Memories')
    await visitor.allPages()
    await visitor.context.setOffline(true)
    await visitor.press('Subjects', 'link')
    await visitor.see('The service does not answer')
    await visitor.context.setOffline(false)
    await visitor.see('Nothing is stored of any subject.')

    await visitor.context.setOffline(true)
    await visitor.see('You are offline')
    await visitor.see('Nothing is stored of any subject.')
    // The texts of another language can't be fetched: it is said, and nothing is another.
    await visitor.page.getByLabel('Language').selectOption('Français')
    await visitor.page.getByRole('alert').getByText('try again if need be').waitFor()
    expect(await visitor.page.getByLabel('Language').inputValue()).toBe('en')
    expect(await visitor.page.evaluate(`localStorage.getItem('memory-language')`)).toBe(null)
    await visitor.context.setOffline(false)
    await visitor.page.getByText('You are offline').waitFor({ state: 'detached' })

    // A page that is opened while the service does not answer opens once it does.
    const refreshing = '**/console/session/refresh'
    await visitor.page.route(refreshing, (route) => route.abort())
    await visitor.page.reload()
    await visitor.see('The service does not answer')
    await visitor.page.unroute(refreshing)
    await visitor.see('Nothing is stored of any subject.')

    // So does one whose service is away behind a proxy; another failure leaves the asking to who looks.
    const answering = '**/v1/memory/subjects*'
    await visitor.page.route(answering, (route) => route.fulfill({ status: 502 }))
    await visitor.page.route(refreshing, (route) => route.fulfill({ status: 503 }))
    await visitor.page.reload()
    await visitor.see('The service failed')
    await visitor.page.unroute(refreshing)
    await visitor.heading('Subjects')
    await visitor.see('This page goes on as soon as it is back.')
    await visitor.page.unroute(answering)
    await visitor.see('Nothing is stored of any subject.')
    await visitor.page.route(answering, (route) => route.fulfill({ status: 400 }))
    await visitor.page.reload()
    await visitor.see('The service refused it')
    await visitor.page.unroute(answering)
    await visitor.press('Try again')
    await visitor.see('Nothing is stored of any subject.')

    await restart(async () => {
      await visitor.press('Memories', 'link')
      await visitor.press('Overview', 'link')
      await visitor.see('The service does not answer')
    })
    await visitor.see('Requests to store')
    const away = visitor.page.getByText('The service does not answer')
    await expect.poll(() => away.count(), { timeout: patience }).toBe(0)
  })
})
