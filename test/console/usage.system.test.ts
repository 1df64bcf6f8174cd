import { expect, it } from 'vitest'
import { inBrowser, local, operator, signOperatorIn } from './stage.ts'
import { patience } from './visitor.ts'

async function useSome(): Promise<void> {
  for (const [text, subject] of [
    ['Ada moved to Lisbon.', 'ada'],
    ['Ada drinks tea.', 'ada'],
    ['Ben sings.', 'ben'],
  ]) {
    expect((await local.post('/v1/memory/text/store', { text, subject })).status).toBe(200)
  }
  for (const query of ['tea', 'Lisbon'])
    expect((await local.post('/v1/memory/text/retrieve', { query })).status).toBe(200)
  await signOperatorIn()
}

inBrowser(
  'usage',
  () => {
    it('says what was used, by operation, key and subject, as the service counts it', async () => {
      const visitor = await operator('/usage')
      const { page } = visitor
      const table = page.getByRole('table', { name: 'What it is made of' })
      const row = (name: string) => table.getByRole('row', { name: new RegExp(`^${name}`) }).innerText()
      const { body: summary } = await local.get('/v1/usage/summary')
      expect((await row('Store')).split('\t')[1]).toBe(String(summary.api_calls.stores))
      expect((await row('Retrieve')).split('\t')[1]).toBe(String(summary.api_calls.retrieves))

      await page.getByText('Key', { exact: true }).click()
      await table.getByRole('columnheader', { name: 'Key' }).waitFor()
      expect(visitor.path).toContain('by=key')
      const { body: byKey } = await local.get('/v1/usage/breakdown?by=key')
      const counts = await table.locator('tbody tr td:nth-child(2)').allInnerTexts()
      expect(counts.map(Number).reduce((sum, each) => sum + each, 0)).toBe(byKey.total)
      expect(await table.locator('tbody').innerText()).toContain(byKey.items[0].name)

      await page.getByText('Subject', { exact: true }).click()
      await table.getByRole('columnheader', { name: 'Subject' }).waitFor()
      expect((await row('ada')).split('\t').slice(1)).toEqual(['2', '66.67 %', '2'])
      expect((await row('ben')).split('\t').slice(1)).toEqual(['1', '33.33 %', '1'])
      await visitor.press('ada', 'link')
      await visitor.heading('Subject')
      expect(visitor.path).toBe('/subjects/one?of=ada')
    })

    it('draws requests over time, and says how long they took', async () => {
      const visitor = await operator('/usage?period=7d')
      const { page } = visitor
      const chart = page.getByRole('figure', { name: 'Requests, by day' })
      await chart.getByText('As a table').click()
      const days = chart.getByRole('table').locator('tbody tr')
      await expect.poll(() => days.count(), { timeout: patience }).toBe(7)
      // Days are shown as days, without a time, and as they are written where the browser is, which is in Britain.
      expect(await days.first().innerText()).toMatch(/^\d+ \w+ \d{4}\t/)
      // They may have been of two days.
      const stored = (await days.allInnerTexts()).map((day) => Number(day.split('\t')[2]))
      expect(stored.reduce((sum, each) => sum + each, 0)).toBeGreaterThanOrEqual(3)
      const latencies = page.getByRole('table', { name: 'How long requests took' })
      expect(await latencies.getByRole('row', { name: /^Store/ }).innerText()).toMatch(/(\d[\d.]* ms\s*){3}/)
      expect(await latencies.getByRole('row', { name: /^Consolidate/ }).count()).toBe(0)
      await page.getByText('365 days').click()
      await page.getByRole('figure', { name: 'Requests, by week' }).waitFor()
      expect(visitor.path).toContain('period=365d')
    })
  },
  { before: useSome },
)
