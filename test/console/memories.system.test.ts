import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Request } from 'playwright-core'
import { expect, it } from 'vitest'
import { installNeeds } from '../python/installed.ts'
import { until } from '../support/until.ts'
import {
  accessTokenOf,
  arrive,
  asUser,
  fillSignIn,
  inBrowser,
  local,
  operator,
  signOperatorIn,
  signUp,
} from './stage.ts'
import { patience } from './visitor.ts'

const clientSources = fileURLToPath(new URL('../../packages/python/src', import.meta.url))

inBrowser(
  'memories',
  () => {
    const store = async (body: object) => {
      const answer = await local.post('/v1/memory/text/store', body)
      expect(answer.status).toBe(200)
      return answer.body.pattern_id as string
    }

    it('finds memories by words, meaning, filter and subject, at addresses that can be shared', async () => {
      for (const n of Array(26).keys()) await store({ text: `Note ${n} of the archive.`, subject: 'archive' })
      await store({ text: 'Grace drinks tea at noon.', metadata: { kind: 'habit' }, subject: 'grace' })
      const visitor = await operator('/memories')
      await visitor.see('Grace drinks tea at noon.')
      await visitor.press('Next page', 'link')
      await visitor.see('Note 0 of the archive.')
      expect(visitor.path).toContain('cursor=')
      await visitor.press('First page', 'link')
      await visitor.see('Grace drinks tea at noon.')

      await visitor.page.getByText('Meaning', { exact: true }).click()
      await visitor.field('What it is about').fill('a hot drink')
      await visitor.field('Filter').fill('{"kind": ')
      await visitor.press('Search')
      await visitor.see(/^This is not a JSON object/)
      await visitor.field('Filter').fill('{"kind": "habit"}')
      await visitor.press('Search')
      await visitor.see(/^Similarity 0\.\d+$/)
      await expect.poll(() => visitor.page.getByRole('listitem').count(), { timeout: patience }).toBe(1)
      const shared = visitor.page.url()
      await visitor.page.goto(shared)
      await visitor.see('Grace drinks tea at noon.')

      // Each word is in the text, in whatever order.
      for (const words of ['tea at', 'noon grace']) {
        await visitor.go(`/memories?way=words&q=${encodeURIComponent(words)}&subject=grace`)
        await visitor.see('Grace drinks tea at noon.')
      }
      await visitor.page.getByRole('textbox', { name: 'Words' }).fill('noon coffee')
      await visitor.press('Search')
      await visitor.see('Nothing was found.')
      await visitor.go('/memories')
      await visitor.press('Subjects', 'link')
      await visitor.press('grace', 'link')
      await visitor.heading('Subject')
      expect(visitor.path).toBe('/subjects/one?of=grace')
      await visitor.press('Their memories', 'link')
      await visitor.heading('Memories')
      expect(visitor.path).toBe('/memories?subject=grace')
      // What is of the live space is not of the test space.
      await visitor.page.getByLabel('Space').selectOption('Test')
      await visitor.see('Nothing was found.')
      expect(visitor.path).toContain('space=test')
    })

    it('edits a memory, shows what changed, goes back, supersedes and deletes', async () => {
      const id = await store({ text: 'The meeting is on Monday.', metadata: { room: 1 } })
      const visitor = await operator(`/memories/${id}`)
      const { page } = visitor
      await visitor.press('Edit')
      await page.locator('textarea:focus').waitFor()
      await visitor.field('Text').fill('The meeting is on Tuesday.')
      // Somebody else is quicker, and this tab hears of it when it is looked at again.
      await local.patch(`/v1/memory/patterns/${id}`, { text: 'The meeting is on Friday.' })
      await page.evaluate(`document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`)
      await page.getByRole('row', { name: 'Version 2' }).waitFor()
      await visitor.press('Save')
      await visitor.see('Somebody has changed it meanwhile')
      expect((await local.get(`/v1/memory/patterns/${id}`)).body.text).toBe('The meeting is on Friday.')
      await page.reload()
      await visitor.press('Edit')
      await visitor.field('Text').fill('The meeting is on Tuesday.')
      await visitor.press('Save')
      await page.locator('ins', { hasText: 'Tuesday' }).waitFor()
      // The button is gone with its form.
      await page.locator('#content:focus').waitFor()
      await page.locator('del', { hasText: 'Friday' }).first().waitFor()
      await visitor.press('Go back to this: Version 1')
      await visitor.see('Version 4 · reverted')
      await local.patch(`/v1/memory/patterns/${id}`, { metadata: { room: 2 }, expires_at: '2099-01-01' })
      await page.reload()
      const changes = page.getByRole('table', { name: 'What else version 5 changed' })
      await changes.locator('del', { hasText: '1' }).waitFor()
      await changes.locator('ins', { hasText: '2' }).first().waitFor()
      await changes.locator('ins', { hasText: '2099' }).waitFor()

      await visitor.press('Supersede')
      await visitor.field('New text').fill('The meeting is on Thursday.')
      await local.patch(`/v1/memory/patterns/${id}`, { protected: true })
      await visitor.press('Save')
      await visitor.see('Somebody has changed it meanwhile')
      await visitor.press('Cancel')
      await page.reload()
      await page.getByRole('row', { name: /^Protected .* Yes$/ }).waitFor()
      await visitor.press('Supersede')
      await visitor.field('New text').fill('The meeting is on Thursday.')
      await visitor.press('Save')
      await expect.poll(() => visitor.path, { timeout: patience }).not.toBe(`/memories/${id}`)
      await visitor.see('Supersedes')
      const { body } = await local.get(`/v1/memory/patterns/${visitor.path.split('/').at(-1)}`)
      expect(body).toMatchObject({ expires_at: '2099-01-01T00:00:00.000Z', protected: true })
      await page.getByRole('link', { name: id }).click()
      await visitor.see('Superseded by')
      const before = (await local.patch(`/v1/memory/patterns/${id}`, { metadata: { room: 3 } })).body
      await visitor.press('Delete')
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
      await page.getByRole('dialog').getByText('Somebody has changed it meanwhile').waitFor()
      expect((await local.get(`/v1/memory/patterns/${id}`)).body).toMatchObject({ version: before.version })
      await page.reload()
      await visitor.press('Delete')
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
      await visitor.heading('Memories')
      expect((await local.get(`/v1/memory/patterns/${id}`)).status).toBe(404)
      await visitor.go(`/memories/${id}`)
      await visitor.see('It is not there')
      await visitor.see('The memory is there no more.')
    })

    it('protects what supersedes a memory by what it says itself, unless something was said of that', async () => {
      const id = await store({ text: 'Ana likes long walks.' })
      expect((await local.get(`/v1/memory/patterns/${id}`)).body.protected).toBe(false)
      const visitor = await operator(`/memories/${id}`)
      await visitor.press('Supersede')
      await visitor.field('New text').fill('Ana was diagnosed with diabetes.')
      await visitor.press('Save')
      await visitor.see('Supersedes')
      const { body } = await local.get(`/v1/memory/patterns/${visitor.path.split('/').at(-1)}`)
      expect(body).toMatchObject({ protected: true, asked_protected: null })
    })

    it('undoes an edit, and a return to an earlier version, unless somebody has changed it since', async () => {
      const body = { text: 'The train leaves at nine.', subject: 'trains', metadata: { track: 1 } }
      const id = await store(body)
      const path = `/v1/memory/patterns/${id}`
      const kept = async () => {
        const { text, subject, metadata } = (await local.get(path)).body
        return { text, subject, metadata }
      }
      const visitor = await operator(`/memories/${id}`)
      await visitor.press('Edit')
      await visitor.field('Text').fill('The train leaves at ten.')
      await visitor.field('Subject').fill('buses')
      await visitor.press('Save')
      await visitor.see('The memory is changed.')
      expect(await kept()).toEqual({ ...body, text: 'The train leaves at ten.', subject: 'buses' })
      await visitor.press('Undo')
      await visitor.see('The memory is what it was before.')
      await visitor.page.locator('#content:focus').waitFor()
      expect(await kept()).toEqual(body)

      await visitor.press('Go back to this: Version 2')
      await visitor.see('The memory is changed.')
      expect((await kept()).text).toBe('The train leaves at ten.')
      await visitor.press('Undo')
      await visitor.see('The memory is what it was before.')
      expect(await kept()).toEqual(body)

      await visitor.press('Edit')
      await visitor.field('Text').fill('The train leaves at eleven.')
      await visitor.press('Save')
      await visitor.see('The memory is changed.')
      await local.patch(path, { text: 'The train is cancelled.' })
      await visitor.press('Undo')
      await visitor.see('Somebody has changed it meanwhile')
      expect((await kept()).text).toBe('The train is cancelled.')
    })

    it('keeps each key of metadata however often they are edited, and takes no number that JSON has no word for', async () => {
      const metadata = JSON.parse('{"keep": 1, "__proto__": {"owner": "ada"}}')
      const id = await store({ text: 'Its metadata has an odd key.', metadata })
      const visitor = await operator(`/memories/${id}`)
      const { page } = visitor
      for (const text of ['Edited once.', 'Edited twice.']) {
        await visitor.press('Edit')
        expect(JSON.parse(await visitor.field('Metadata').inputValue())).toEqual(metadata)
        await visitor.field('Text').fill(text)
        await visitor.press('Save')
        await page.getByRole('form', { name: 'Edit' }).waitFor({ state: 'detached' })
      }
      await visitor.press('Edit')
      expect(await visitor.field('Metadata').inputValue()).toContain('__proto__')
      await visitor.field('Metadata').fill('{"a": 1e999}')
      await visitor.press('Save')
      await visitor.see('holds a number that is too large')
      await visitor.field('Metadata').fill('{"keep": 2, "__proto__": {"owner": "ada"}}')
      await visitor.press('Save')
      await visitor.see('The memory is changed.')
      const kept = (await local.get(`/v1/memory/patterns/${id}`)).body.metadata
      expect(JSON.stringify(kept)).toContain('__proto__')
    })

    it('asks before what was typed is lost, and undoes once however fast it is pressed', async () => {
      const id = await store({ text: 'Typed over.' })
      const visitor = await operator(`/memories/${id}`)
      const { page } = visitor
      await visitor.press('Edit')
      // Who edits goes on at the end of the text.
      const caret = `document.activeElement.selectionStart === document.activeElement.value.length`
      await page.locator('textarea:focus').waitFor()
      expect(await page.evaluate(caret)).toBe(true)
      await visitor.field('Text').fill('Typed, not saved.')
      const dialogue = page.getByRole('dialog', { name: 'Leave without saving?' })
      await visitor.press('Subjects', 'link')
      await dialogue.getByRole('button', { name: 'Stay' }).click()
      await page.getByLabel('Space').selectOption('Test')
      await dialogue.getByRole('button', { name: 'Stay' }).click()
      await visitor.press('Sign out')
      await dialogue.getByRole('button', { name: 'Stay' }).click()
      await dialogue.waitFor({ state: 'detached' })
      await page.keyboard.press('Control+K')
      await page.getByRole('combobox', { name: 'Search or go to' }).fill('sign out')
      await page.keyboard.press('Enter')
      await dialogue.getByRole('button', { name: 'Stay' }).click()
      await dialogue.waitFor({ state: 'detached' })
      await page.keyboard.press('Escape')
      expect(await visitor.field('Text').inputValue()).toBe('Typed, not saved.')
      expect(visitor.path).toBe(`/memories/${id}`)
      const asked = visitor.asked
      await page.reload()
      await visitor.press('Edit')
      expect(visitor.asked).toBe(asked + 1)
      // Nothing is asked where nothing was typed, nor after it was saved.
      await visitor.press('Subjects', 'link')
      await visitor.heading('Subjects')
      await visitor.go(`/memories/${id}`)
      await visitor.press('Edit')
      await visitor.field('Text').fill('Typed and saved.')
      await visitor.press('Save')
      await visitor.see('The memory is changed.')
      await page.getByRole('button', { name: 'Undo' }).dblclick()
      await visitor.see('The memory is what it was before.')
      await until(() => visitor.isQuiet, 'the answers')
      expect(await page.getByRole('main').getByRole('alert').count()).toBe(0)
      await visitor.press('Supersede')
      await visitor.field('New text').fill('Superseded.')
      await visitor.press('Subjects', 'link')
      await dialogue.getByRole('button', { name: 'Leave without saving' }).click()
      await visitor.heading('Subjects')
    })

    it('keeps what was typed while the session was ended elsewhere, for who typed it alone', async () => {
      const visitor = await arrive()
      const person = await signUp(visitor)
      const stored = await asUser(await accessTokenOf(person), 'POST', '/v1/memory/text/store', {
        text: 'As it was.',
      })
      const { pattern_id: id } = (await stored.json()) as { pattern_id: string }
      await visitor.go(`/memories/${id}`)
      await visitor.press('Edit')
      await visitor.field('Text').fill('Typed for an hour.')
      await asUser(await accessTokenOf(person), 'POST', '/v1/auth/logout-all')
      await visitor.press('Save')
      await visitor.see('Your session has ended.')
      // Somebody else signs in in this tab.
      const other = await signUp(await arrive())
      await fillSignIn(visitor, other)
      await visitor.see('It is not there')
      await visitor.press('Sign out')
      await visitor.see('You are signed out.')
      await fillSignIn(visitor, person)
      await visitor.heading('Overview')
      await visitor.go(`/memories/${id}`)
      const typed = () => visitor.field('Text').inputValue()
      await expect.poll(typed, { timeout: patience }).toBe('Typed for an hour.')
      await visitor.press('Save')
      await visitor.see('The memory is changed.')
      await visitor.page.reload()
      await visitor.page.getByRole('button', { name: 'Edit' }).waitFor()
      const kept = `Object.keys(sessionStorage).filter((name) => name.startsWith('memory-draft'))`
      expect(await visitor.page.evaluate(kept)).toEqual([])
    })

    it('opens each subject, whatever it is called', async () => {
      const visitor = await operator('/subjects')
      for (const subject of ['ends with a space ', '%2F/?#&', '1.0', '...']) {
        await store({ text: 'Whatever is stored.', subject })
        await visitor.go('/subjects')
        const row = visitor.page.getByRole('row').filter({ hasText: subject.trim() })
        await row.getByRole('link').first().click()
        await visitor.heading('Subject')
        await visitor.see('Their memories')
        expect(new URLSearchParams(visitor.path.split('?')[1]).get('of')?.replaceAll('"', '')).toBe(subject)
      }
      await visitor.go('/subjects/one')
      await visitor.heading('Subjects')
    })

    it('forgets by meaning and by subject: what would go first, and a receipt after', async () => {
      await store({ text: 'Bob is allergic to peanuts.', subject: 'bob' })
      await store({ text: 'Bob lives in Oslo.', subject: 'bob' })
      const visitor = await operator('/forget')
      const { page } = visitor
      await visitor.field('What it is about').fill('Bob is allergic to peanuts.')
      await visitor.press('Show what would go')
      await visitor.see('1 memory would go')
      await visitor.see('Bob is allergic to peanuts.')
      await visitor.press('Forget')
      await page.getByRole('dialog').getByRole('button', { name: 'Forget' }).click()
      await visitor.see('1 memory was erased.')
      const receipt = await page.getByRole('region', { name: 'Receipt of the erasure' }).innerText()
      const verified = await local.post('/v1/memory/receipts/verify', { receipt })
      expect(verified.body).toMatchObject({ valid: true })

      await visitor.go('/forget?by=subject&of=bob')
      await visitor.press('Show what would go')
      await visitor.see('Bob lives in Oslo.')
      await visitor.press('Forget')
      await page.getByRole('dialog').getByRole('button', { name: 'Forget' }).click()
      await visitor.see('1 memory was erased.')
      expect((await local.get('/v1/memory/subjects/bob')).status).toBe(404)
    })

    it('shows earlier versions that would go of memories that stay, and erases them', async () => {
      const parrot = await store({ text: 'Carol keeps a parrot.', subject: 'carol' })
      const change = { text: 'The rent is due on Friday.', subject: 'dora' }
      expect((await local.patch(`/v1/memory/patterns/${parrot}`, change)).status).toBe(200)
      const earlier = async () =>
        (await local.get(`/v1/memory/patterns/${parrot}/history`)).body.versions.map(
          ({ text }: { text: string | null }) => text,
        )
      const visitor = await operator('/forget?by=meaning&of=Carol+keeps+a+parrot.')
      const { page } = visitor
      const dialogue = page.getByRole('dialog')
      await visitor.press('Show what would go')
      await visitor.see('0 memories would go')
      await visitor.see('Earlier versions of memories that stay: 1')
      await visitor.press('Forget')
      await dialogue.getByRole('button', { name: 'Forget' }).click()
      await visitor.see('0 memories were erased.')
      expect(await earlier()).not.toContain('Carol keeps a parrot.')

      const tea = await store({ text: 'Elin drinks tea.', subject: 'elin' })
      await local.patch(`/v1/memory/patterns/${tea}`, { subject: 'dora' })
      await visitor.go('/subjects/one?of=elin')
      await visitor.press('Show what would go')
      await visitor.see('Earlier versions of memories that stay: 1')
      await visitor.press('Erase this subject')
      await dialogue.getByRole('button', { name: 'Erase this subject' }).click()
      const receipt = await page.getByRole('region', { name: 'Receipt of the erasure' }).innerText()
      const claims = JSON.parse(Buffer.from(receipt.split('.')[1] as string, 'base64url').toString())
      expect(claims.counts).toMatchObject({ patterns: 0, versions: 1 })
    })

    it('forgets nothing that was not shown', async () => {
      await store({ text: 'The fig tree is watered on Mondays.' })
      const visitor = await operator('/forget?by=meaning&of=The+fig+tree+is+watered+on+Mondays.')
      const dialogue = visitor.page.getByRole('dialog')
      const forget = async () => {
        await visitor.press('Forget')
        await dialogue.getByRole('button', { name: 'Forget' }).click()
      }
      await visitor.press('Show what would go')
      await visitor.see('1 memory would go')
      await store({ text: 'The fig tree is watered on Mondays.', subject: 'gardener' })
      await forget()
      await visitor.see('What would go has changed since it was shown')
      await visitor.see('2 memories would go')
      await dialogue.waitFor({ state: 'detached' })
      await forget()
      await visitor.see('2 memories were erased.')
    })

    it('erases nothing in another space than the one it was shown for, and says how erasing ends', async () => {
      await store({ text: 'Zoe sails.', subject: 'zoe' })
      const visitor = await operator('/subjects/one?of=zoe')
      const { page } = visitor
      const space = page.getByRole('combobox', { name: 'Space' })
      const erase = page.getByRole('main').getByRole('button', { name: 'Erase this subject' })
      await visitor.press('Show what would go')
      await erase.waitFor()
      await space.selectOption('Test')
      await erase.waitFor({ state: 'detached' })
      await space.selectOption('Live')
      await visitor.press('Show what would go')
      await erase.click()

      const held = Promise.withResolvers<void>()
      await page.route(/subjects\/zoe$/, async (route) => {
        await held.promise
        await route.fulfill({ status: 409, json: { detail: 'It is busy' } })
      })
      const dialogue = page.getByRole('dialog')
      await dialogue.getByRole('button', { name: 'Erase this subject' }).click()
      await page.keyboard.press('Escape')
      for (const name of ['Cancel', 'Close'])
        await dialogue.getByRole('button', { name, disabled: true }).waitFor()
      held.resolve()
      await dialogue.getByText('It is busy').waitFor()
      await page.keyboard.press('Escape')
      await dialogue.waitFor({ state: 'detached' })
      await erase.click()
      await dialogue.getByRole('button', { name: 'Cancel' }).waitFor()
      expect(await dialogue.getByRole('alert').count()).toBe(0)
      await page.unroute(/subjects\/zoe$/)
    })

    it('gives the receipt of what was forgotten, however one tried to leave the dialogue meanwhile', async () => {
      await store({ text: 'Yan keeps bees.', subject: 'yan' })
      const visitor = await operator('/forget?by=subject&of=yan')
      const { page } = visitor
      await visitor.press('Show what would go')
      await visitor.see('Yan keeps bees.')
      await visitor.press('Forget')
      const [held, isAsked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      await page.route(/subjects\/yan$/, async (route) => {
        isAsked.resolve()
        await held.promise
        await route.continue()
      })
      const dialogue = page.getByRole('dialog')
      await dialogue.getByRole('button', { name: 'Forget' }).click()
      await isAsked.promise
      await page.keyboard.press('Escape')
      await page.mouse.click(5, 5)
      await dialogue.getByRole('button', { name: 'Cancel', disabled: true }).waitFor()
      held.resolve()
      await visitor.see('1 memory was erased.')
      const receipt = await page.getByRole('region', { name: 'Receipt of the erasure' }).innerText()
      expect((await local.post('/v1/memory/receipts/verify', { receipt })).body).toMatchObject({
        valid: true,
      })
      await page.unroute(/subjects\/yan$/)
    })

    it('spends no query because its tab is looked at again', async () => {
      await store({ text: 'The kettle is in the kitchen.' })
      const costly = /\/v1\/memory\/(map|text\/(retrieve|recall))(\?|$)/
      for (const [path, questions] of [
        ['/memories?way=meaning&q=kettle', 1],
        ['/playground?q=kettle', 2],
        ['/map', 1],
      ] as const) {
        const visitor = await operator(path)
        const { page } = visitor
        const asked: string[] = []
        const note = (request: Request) => void asked.push(request.url())
        page.on('requestfinished', note)
        const count = () => asked.filter((url) => costly.test(url)).length
        await until(() => count() === questions, `what ${path} asks`)
        // What costs nothing is asked for anew, in the same moment as what costs would be.
        const anew = page.waitForResponse(/\/v1\/users\/me$/)
        await page.evaluate(`document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`)
        await anew
        await until(() => visitor.isQuiet, 'the other answers')
        expect(count(), path).toBe(questions)
        page.off('requestfinished', note)
      }
    })

    it('spends no query because one comes back to it, and asks again once something is another', async () => {
      const id = await store({ text: 'The teapot is on the shelf.' })
      const costly = /\/v1\/memory\/(map|text\/(retrieve|recall))(\?|$)/
      const visitor = await operator('/')
      const { page } = visitor
      const asked: string[] = []
      const note = (request: Request) => void asked.push(request.url())
      page.on('requestfinished', note)
      const count = () => asked.filter((url) => costly.test(url)).length
      for (const [path, heading, questions] of [
        ['/memories?way=meaning&q=teapot', 'Memories', 1],
        ['/playground?q=teapot', 'Playground', 2],
        ['/map', 'Map', 1],
      ] as const) {
        asked.length = 0
        await visitor.go(path)
        await until(() => count() === questions, `what ${path} asks`)
        await visitor.press('Account', 'link')
        await visitor.heading('Account')
        await page.goBack()
        await visitor.heading(heading)
        await until(() => visitor.isQuiet, 'the answers')
        expect(count(), path).toBe(questions)
      }

      await visitor.go('/memories?way=meaning&q=teapot')
      await visitor.field('What it is about').fill('a shelf')
      await visitor.press('Search')
      await until(() => visitor.isQuiet && visitor.path.includes('shelf'), 'the other answer')
      asked.length = 0
      await page.goBack()
      const found = page.getByRole('listitem').filter({ hasText: 'The teapot is on the shelf.' })
      await found.getByRole('link', { name: 'Open' }).click()
      await visitor.heading('Memory')
      expect(visitor.path).toBe(`/memories/${id}`)
      expect(count()).toBe(0)
      await visitor.press('Delete')
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
      await visitor.heading('Memories')
      await page.goBack()
      await page.goBack()
      await until(() => count() === 1, 'what is asked once a memory is gone')
      page.off('requestfinished', note)
    })

    it('asks again when a search is sent once more, and a new one once', async () => {
      await store({ text: 'The ladder is in the shed.', subject: 'shed' })
      const visitor = await operator('/')
      const { page } = visitor
      const asked: string[] = []
      const note = (request: Request) => void asked.push(request.url())
      page.on('requestfinished', note)
      for (const [path, button, question, each] of [
        ['/memories?way=words&q=ladder', 'Search', /\/patterns\/search$/, 1],
        ['/subjects?prefix=sh', 'Search', /\/v1\/memory\/subjects\?/, 1],
        ['/playground?q=ladder', 'Ask', /\/text\/(recall|retrieve)$/, 2],
        ['/map?subject=shed', 'Show', /\/v1\/memory\/map\?/, 1],
        ['/audit?success=true', 'Show', /\/audit-log\?/, 1],
        ['/operators/users?status=active', 'Search', /\/v1\/admin\/users\?/, 1],
        ['/operators/organizations?search=a', 'Search', /\/v1\/admin\/organizations\?/, 1],
      ] as const) {
        const count = () => asked.filter((url) => question.test(url)).length
        await visitor.go(path)
        await until(() => count() === each, `what ${path} asks`)
        // What is sent while the page still reads the answer is no reason to ask again.
        await until(async () => {
          await page.getByRole('main').getByRole('button', { name: button, exact: true }).click()
          return count() >= 2 * each
        }, `what ${path} asks when it is sent again`)
      }
      await visitor.go('/memories?way=meaning&q=ladder')
      await visitor.see('The ladder is in the shed.')
      asked.length = 0
      await visitor.field('What it is about').fill('a shed')
      await visitor.press('Search')
      await until(() => asked.length > 0 && visitor.isQuiet, 'the answers')
      expect(asked.filter((url) => url.endsWith('/text/retrieve'))).toHaveLength(1)
      page.off('requestfinished', note)
    })

    it('says of a filter in the address that it is none, and shows nothing as if there were no filter', async () => {
      await store({ text: 'Whatever there is.' })
      for (const path of ['/memories?', '/map?', '/playground?q=what&']) {
        const visitor = await operator(`${path}filter=nonsense`)
        await visitor.field('Filter').and(visitor.page.locator('[aria-invalid=true]')).waitFor()
        const main = visitor.page.getByRole('main')
        expect(await main.getByText('Whatever there is.').or(main.locator('canvas')).count()).toBe(0)
      }
    })

    it('asks both ways in the playground, with scores, and gives requests that work', async () => {
      await store({ text: "Mary's cat is called O'Malley.", metadata: { pet: true } })
      const [q, filter] = ["What is Mary's cat called?", '{"pet": true}'].map(encodeURIComponent)
      const visitor = await operator(`/playground?q=${q}&k=3&filter=${filter}`)
      const { page } = visitor
      for (const name of ['Recall: by everything', 'Retrieve: by meaning']) {
        const section = page.getByRole('region', { name, exact: true })
        await section.getByText("Mary's cat is called O'Malley.").waitFor()
        await section.getByRole('progressbar', { name: /^Meaning: -?[\d.]+$/ }).waitFor()
        expect(await section.getByRole('listitem').count()).toBe(1)
        await section.getByText(/^Took [\d.,]+ ms/).waitFor()
      }
      const run = async (
        language: string,
        command: (text: string) => [string, string[]],
        environment: Record<string, string> = {},
      ) => {
        await page.getByRole('tab', { name: language }).click()
        const text = await page.getByRole('region', { name: `The same request: ${language}` }).innerText()
        const [program, args] = command(text)
        return execFileSync(program, args, {
          env: { ...process.env, ...environment, MEMORY_SERVICE_API_KEY: local.key },
        }).toString()
      }
      expect(await run('curl', (text) => ['sh', ['-c', text]])).toContain("O'Malley")
      const needs = await installNeeds()
      if ('missing' in needs) console.warn(`The request in Python is not run: there is no ${needs.missing}.`)
      else {
        // The client of this checkout, over what it needs.
        const environment = { PYTHONPATH: `${clientSources}:${needs.folder}`, PYTHONDONTWRITEBYTECODE: '1' }
        expect(await run('Python', (text) => ['python3', ['-c', text]], environment)).toContain("O'Malley")
      }
      const modules = ['--input-type=module-typescript', '-e']
      expect(await run('TypeScript', (text) => [process.execPath, [...modules, text]])).toContain("O'Malley")
    })
  },
  { before: signOperatorIn },
)
