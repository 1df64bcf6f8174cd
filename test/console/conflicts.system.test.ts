import { expect, it } from 'vitest'
import { inBrowser, local, operator, signOperatorIn } from './stage.ts'
import { patience } from './visitor.ts'

const january = '2026-01-10T08:00:00.000Z'
const june = '2026-06-10T08:00:00.000Z'
const rents = ['I pay 450 euros of rent a month', 'I pay 540 euros of rent a month'] as const

interface Item {
  text: string
  occurred_at?: string
  subject?: string
}

inBrowser(
  'conflicts',
  () => {
    const store = async (items: Item[]) => {
      const answer = await local.post('/v1/memory/text/batch-store', { items })
      expect(answer.status).toBe(200)
      return answer.body.pattern_ids as string[]
    }
    const listed = async (status: string) =>
      (await local.get(`/v1/memory/conflicts?status=${status}&limit=200`)).body.conflicts as {
        conflict_id: string
        winner: string | null
        patterns: { pattern_id: string; text: string }[]
      }[]
    const cards = (visitor: Awaited<ReturnType<typeof operator>>) =>
      visitor.page.getByRole('main').getByRole('listitem')

    it('says how they come about, has the space sleep, and shows what differs', async () => {
      const visitor = await operator('/conflicts')
      await visitor.see('There are no open conflicts.')
      const [older, newer] = await store([
        { text: rents[0], occurred_at: january },
        { text: rents[1], occurred_at: june },
        { text: 'The contract was signed by both sides' },
        { text: 'The contract was never signed by both sides' },
        { text: 'Please call me back tomorrow' },
        { text: 'Call me back tomorrow, please' },
      ])
      await visitor.press('Sleep now')
      await expect.poll(() => cards(visitor).count(), { timeout: patience }).toBe(3)

      await visitor.page.getByLabel('Kind').selectOption('May be superseded')
      await expect.poll(() => cards(visitor).count(), { timeout: patience }).toBe(1)
      expect(visitor.path).toBe('/conflicts?kind=superseded_candidate')
      await visitor.page.reload()
      const card = cards(visitor).first()
      const side = (name: string) => card.getByRole('region', { name, exact: true })
      await side('Older').locator('del', { hasText: '450' }).waitFor()
      await side('Newer').locator('ins', { hasText: '540' }).waitFor()
      expect(await side('Older').innerText()).toContain(rents[0])
      expect(await side('Newer').innerText()).toContain(rents[1])
      expect(await card.innerText()).toMatch(/Similarity 0\.\d+/)

      // What it does is said before it is done.
      await card.getByRole('button', { name: 'Resolve' }).click()
      const dialogue = visitor.page.getByRole('dialog')
      await dialogue.getByText('The older one is superseded: searches leave it out from now on.').waitFor()
      expect(await visitor.violations()).toEqual([])
      expect((await listed('open')).length).toBe(3)
      await dialogue.getByRole('button', { name: 'Resolve' }).click()
      await visitor.see('The older one is superseded.')
      await visitor.see('There are no such conflicts.')
      expect((await local.get(`/v1/memory/patterns/${older}`)).body.superseded_by).toBe(newer)
      expect(await listed('superseded')).toMatchObject([{ winner: newer }])

      // What was said is taken back: by the button beside it, and from the list of what was resolved.
      const undo = () => visitor.page.getByRole('main').getByRole('button', { name: 'Undo' }).first().click()
      await undo()
      await visitor.see('The conflict is open again.')
      await expect.poll(() => cards(visitor).count(), { timeout: patience }).toBe(1)
      const { body: undone } = await local.get(`/v1/memory/patterns/${older}`)
      expect(undone).toMatchObject({ superseded_by: null, valid_to: null })
      expect(await listed('superseded')).toEqual([])
      await card.getByRole('button', { name: 'Resolve' }).click()
      await dialogue.getByRole('button', { name: 'Resolve' }).click()
      await visitor.see('The older one is superseded.')

      // A memory that was changed since is left as it is.
      await local.patch(`/v1/memory/patterns/${older}`, { metadata: { checked: true } })
      await undo()
      await visitor.see('Another memory has taken the place of this one.')
      expect((await local.get(`/v1/memory/patterns/${older}`)).body.superseded_by).toBe(newer)
      expect(await visitor.violations()).toEqual([])

      // Its history goes back.
      await visitor.page.getByLabel('State').selectOption('Superseded')
      await visitor.see('Took the place of the other')
      expect(visitor.path).toContain('state=superseded')
      await visitor.go(`/memories/${older}`)
      await visitor.press('Go back to this: Version 1')
      const supersededBy = async () => (await local.get(`/v1/memory/patterns/${older}`)).body.superseded_by
      await expect.poll(supersededBy, { timeout: patience }).toBeNull()
      await visitor.go('/conflicts?state=superseded')
      await undo()
      await visitor.see('The conflict is open again.')
      await expect.poll(async () => (await listed('open')).length, { timeout: patience }).toBe(3)
      // For the tests that follow.
      const [conflict] = (await local.get('/v1/memory/conflicts?kind=superseded_candidate')).body.conflicts
      await local.post(`/v1/memory/conflicts/${conflict.conflict_id}/resolve`, { resolution: 'supersede' })
    })

    it.each([
      ['Both are true', 'Both are kept.', 'kept'],
      ['It is no conflict', 'The conflict is dismissed.', 'dismissed'],
    ])('keeps what is said of one: %s', async (way, said, state) => {
      const before = (await listed('open')).length
      const visitor = await operator('/conflicts')
      await cards(visitor).first().getByRole('button', { name: 'Resolve' }).click()
      const dialogue = visitor.page.getByRole('dialog')
      await dialogue.getByRole('radio', { name: way }).check()
      await dialogue.getByRole('button', { name: 'Resolve' }).click()
      await visitor.see(said)
      await expect.poll(() => cards(visitor).count(), { timeout: patience }).toBe(before - 1)
      const [conflict] = await listed(state)
      for (const { pattern_id: id } of conflict?.patterns ?? []) {
        expect((await local.get(`/v1/memory/patterns/${id}`)).body.superseded_by).toBeNull()
      }
      expect(conflict).toBeDefined()
      await visitor.go(`/conflicts?state=${state}`)
      await cards(visitor).first().getByRole('button', { name: 'Undo' }).click()
      await visitor.see('The conflict is open again.')
      await expect.poll(async () => (await listed('open')).length, { timeout: patience }).toBe(before)
      const resolution = state === 'kept' ? 'keep' : 'dismiss'
      const [again] = await listed('open')
      await local.post(`/v1/memory/conflicts/${again?.conflict_id}/resolve`, { resolution })
    })

    it('has pages, and the older one win', async () => {
      const subjects = Array.from({ length: 11 }, (_, n) => `tenant-${n}`)
      await store(subjects.flatMap((subject) => rents.map((text) => ({ text, subject }))))
      await local.post('/v1/memory/sleep', {})
      const visitor = await operator('/conflicts')
      await expect.poll(() => cards(visitor).count(), { timeout: patience }).toBe(10)
      await visitor.press('Next page', 'link')
      await expect
        .poll(() => cards(visitor).count(), { timeout: patience })
        .toBe((await listed('open')).length - 10)
      expect(visitor.path).toContain('cursor=')
      await visitor.press('First page', 'link')
      await expect.poll(() => cards(visitor).count(), { timeout: patience }).toBe(10)
      const [first] = await listed('open')
      await cards(visitor).first().getByRole('button', { name: 'Resolve' }).click()
      const dialogue = visitor.page.getByRole('dialog')
      await dialogue.getByRole('radio', { name: 'The older one replaces the newer' }).check()
      await dialogue.getByRole('button', { name: 'Resolve' }).click()
      await visitor.see('The newer one is superseded.')
      expect((await listed('superseded'))[0]?.winner).toBe(first?.patterns[0]?.pattern_id)
    })
  },
  { before: signOperatorIn },
)
