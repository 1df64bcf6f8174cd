import { expect, it } from 'vitest'
import { inBrowser, local, operator, signOperatorIn } from './stage.ts'
import { patience, type Visitor } from './visitor.ts'

/** The map, once it is drawn. */
async function drawn(visitor: Visitor, points: number) {
  const map = visitor.page.locator(`canvas[data-points="${points}"]`)
  await map.waitFor()
  const box = await map.boundingBox()
  if (box === null) throw new Error('The map is not shown')
  return { map, middle: { x: box.x + box.width / 2, y: box.y + box.height / 2 } }
}

/** How much of the map is painted, and a number that tells two pictures apart. */
const picture = (visitor: Visitor) =>
  visitor.page.evaluate<{ painted: number; mark: number }>(`{
    const canvas = document.querySelector('canvas.map')
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
    let [painted, mark] = [0, 0]
    for (let at = 0; at < data.length; at += 4) {
      if (data[at + 3] === 0) continue
      painted++
      mark = (mark * 31 + at + data[at] + data[at + 1] + data[at + 2]) % 1000000007
    }
    ;({ painted, mark })
  }`)

const looked = (visitor: Visitor) => visitor.page.getByRole('status', { name: 'Memory that is pointed at' })

const hostile = '<img src=x onerror="window.harmed = true"> \u202Eturned'

inBrowser(
  'the map',
  () => {
    it('of an empty space says what to do', async () => {
      const visitor = await operator('/map')
      await visitor.see('Nothing is stored in this space yet.')
      await visitor.page.getByRole('main').getByRole('link', { name: 'First steps' }).click()
      await visitor.heading('First steps')
    })

    it('shows what is pointed at as text, and opens it by a click', async () => {
      const { body } = await local.post('/v1/memory/text/store', { text: hostile, subject: 'ada' })
      const visitor = await operator('/map')
      const { middle } = await drawn(visitor, 1)
      await visitor.page.mouse.move(middle.x, middle.y)
      await looked(visitor).getByText('<img src=x onerror="window.harmed = true">').waitFor()
      await looked(visitor).getByText('U+202E').waitFor()
      expect(await visitor.page.evaluate('window.harmed')).toBeUndefined()
      await visitor.page.mouse.click(middle.x, middle.y)
      await visitor.heading('Memory')
      expect(visitor.path).toBe(`/memories/${body.pattern_id}`)
    })

    it('is moved and zoomed by pointer, wheel, buttons and keys, and opened by the keyboard alone', async () => {
      const visitor = await operator('/map')
      const { page } = visitor
      const { map, middle } = await drawn(visitor, 1)
      let before = await picture(visitor)
      expect(before.painted).toBeGreaterThan(0)
      const changes = async () => {
        await expect
          .poll(async () => (await picture(visitor)).mark, { timeout: patience })
          .not.toBe(before.mark)
        before = await picture(visitor)
      }
      await page.mouse.move(middle.x + 100, middle.y)
      await page.mouse.down()
      await page.mouse.move(middle.x + 40, middle.y + 30, { steps: 3 })
      await page.mouse.up()
      await changes()
      // A drag opens nothing.
      expect(visitor.path).toBe('/map')
      await page.mouse.wheel(0, -300)
      await changes()
      await visitor.press('Smaller')
      await changes()
      await visitor.press('The whole map')
      await changes()
      await map.focus()
      await page.keyboard.press('ArrowRight')
      await changes()
      await looked(visitor).getByText('<img src=x').waitFor()
      await page.keyboard.press('Enter')
      await visitor.heading('Memory')
    })

    it('lists clusters that lead to their memories, other marks by the address, and less when narrowed', async () => {
      const orchard = Array.from({ length: 40 }, (_, n) => ({
        text: `The orchard bears ripe apples and plums, note ${n}.`,
        subject: 'orchard',
      }))
      const sky = Array.from({ length: 40 }, (_, n) => ({
        text: `The telescope shows planets and moons, note ${n}.`,
      }))
      for (const items of [orchard, sky]) await local.post('/v1/memory/text/batch-store', { items })
      const visitor = await operator('/map')
      await drawn(visitor, 81)
      const { page } = visitor
      const legend = (name: string) => page.getByRole('region', { name })
      await expect
        .poll(() => legend('Clusters').getByRole('listitem').count(), { timeout: patience })
        .toBeGreaterThan(1)
      const counts = await legend('Clusters').getByRole('listitem').allInnerTexts()
      expect(counts.reduce((sum, text) => sum + Number(/(\d+)$/.exec(text)?.[1]), 0)).toBe(81)
      await legend('Clusters')
        .getByRole('link', { name: /telescope|planets|moons/ })
        .first()
        .click()
      await visitor.heading('Memories')
      await visitor.see(/The telescope shows planets/)

      await page.goBack()
      await drawn(visitor, 81)
      const clusters = (await picture(visitor)).mark
      await page.getByText('Tier', { exact: true }).click()
      await legend('Tiers').getByRole('link', { name: 'Hot' }).waitFor()
      expect(visitor.path).toBe('/map?by=tier')
      await expect.poll(async () => (await picture(visitor)).mark, { timeout: patience }).not.toBe(clusters)
      await page.getByText('Age', { exact: true }).click()
      await legend('Stored').getByRole('listitem').first().waitFor()
      await visitor.field('Subject').fill('orchard')
      await visitor.press('Show')
      await drawn(visitor, 40)
      expect(visitor.path).toContain('subject=orchard')
      await visitor.field('Subject').fill('nobody')
      await visitor.press('Show')
      await visitor.see('Nothing was found.')
    })

    it('draws what use has associated when asked to', async () => {
      for (let n = 0; n < 5; n++) {
        await local.post('/v1/memory/text/recall', { query: 'ripe apples', top_k: 5 })
      }
      const visitor = await operator('/map')
      const { page } = visitor
      // What use teaches is known within seconds.
      await expect
        .poll(
          async () => {
            await visitor.go('/map')
            await drawn(visitor, 81)
            return page.getByRole('switch').isEnabled()
          },
          { timeout: patience },
        )
        .toBe(true)
      const without = await picture(visitor)
      await page.getByRole('switch').check()
      await expect
        .poll(async () => (await picture(visitor)).painted, { timeout: patience })
        .toBeGreaterThan(without.painted)
      expect(visitor.path).toBe('/map?links=true')
    })

    it('has the colours of the scheme', async () => {
      const visitor = await operator('/map')
      await drawn(visitor, 81)
      const light = (await picture(visitor)).mark
      await visitor.page.emulateMedia({ colorScheme: 'dark' })
      await expect.poll(async () => (await picture(visitor)).mark, { timeout: patience }).not.toBe(light)
      await visitor.page.emulateMedia({ colorScheme: 'light' })
    })
  },
  { before: signOperatorIn },
)
