import { seededRandom } from '@memory/engine/random'
import { expect, it } from 'vitest'
import { mixtureOf, randomUnit } from '../engine/random-keys.ts'
import { inBrowser, local, operator, signOperatorIn } from './stage.ts'
import { patience, type Visitor } from './visitor.ts'

const texts = [
  'Ada moved to Lisbon in May.',
  'The cat sleeps on the roof.',
  'Rates rose by half a percent.',
  'Grace drinks tea at noon.',
]

async function storeTexts(): Promise<void> {
  await signOperatorIn()
  for (const text of texts) expect((await local.post('/v1/memory/text/store', { text })).status).toBe(200)
  for (const query of ['Where does Ada live?', 'What does Grace drink?']) {
    expect((await local.post('/v1/memory/text/recall', { query })).status).toBe(200)
  }
}

/** The value that a table of facts has beside a name. */
const fact = (visitor: Visitor, table: string, name: string) =>
  visitor.page
    .getByRole('table', { name: table, exact: true })
    .getByRole('row', { name: new RegExp(`^${name}`) })
    .getByRole('cell')
    .innerText()

inBrowser(
  'the engine',
  () => {
    it('shows regime, signal, tiers and weights as the service answers them', async () => {
      const visitor = await operator('/engine')
      const { page } = visitor
      const region = (name: string) => page.getByRole('region', { name, exact: true })
      await region('Regime').getByText('Normal', { exact: true }).waitFor()
      expect(await fact(visitor, 'What follows from the regime', 'Searches are exact')).toBe('No')

      const history = (await local.get('/v1/memory/regime/history?last_n=100')).body
      await region('History of the regime').getByText(`The latest ${history.history.length} steps`).waitFor()
      const { body: modulation } = await local.get('/v1/memory/neuromodulation/history')
      await page.getByRole('figure', { name: 'Signal and gate' }).getByText('As a table').click()
      const rows = page.getByRole('table', { name: 'Signal and gate' }).getByRole('row')
      expect(await rows.count()).toBe(modulation.signals.length + 1)

      const { body: brain } = await local.get('/v1/memory/brain')
      const weight = (value: number) => Number(value.toFixed(3))
      for (const [at, name] of ['Meaning', 'Words', 'Association', 'Neighbours', 'Salience'].entries()) {
        await region('Weights of the heads')
          .getByRole('progressbar', { name: `${name}: ${weight(brain.head_weights[at])}`, exact: true })
          .waitFor({ state: 'attached' })
      }
      const { body: tiers } = await local.get('/v1/memory/tiered/distribution')
      await region('Memories by tier')
        .getByRole('progressbar', { name: `Hot: ${tiers.hot} of ${tiers.total}` })
        .waitFor()

      await page.getByLabel('Latest records').selectOption('300')
      await expect.poll(() => visitor.path, { timeout: patience }).toBe('/engine?last=300')
    })

    it('calibrates, and begins an anomaly, after saying what that does', async () => {
      const visitor = await operator('/engine')
      const { page } = visitor
      const dialogue = page.getByRole('dialog')
      const { body: before } = await local.get('/v1/memory/neuromodulation/state')
      await visitor.press('Calibrate')
      await dialogue.getByText('The statistics begin anew').waitFor()
      await dialogue.getByRole('button', { name: 'Calibrate' }).click()
      await visitor.see(/^The mean was [\d.]+ and is [\d.]+\.$/)
      const { body: after } = await local.get('/v1/memory/neuromodulation/state')
      expect(Date.parse(after.calibration.last_calibrated)).toBeGreaterThan(
        Date.parse(before.calibration.last_calibrated),
      )

      await visitor.press('Begin an anomaly')
      expect((await local.get('/v1/memory/regime')).body.regime).toBe('normal')
      await dialogue.getByText('The audit log keeps it.').waitFor()
      await dialogue.getByRole('button', { name: 'Begin an anomaly' }).click()
      await visitor.see('The anomaly lasts 20 steps at least')
      await page
        .getByRole('region', { name: 'Regime', exact: true })
        .getByText('Anomaly', { exact: true })
        .waitFor()
      expect(await fact(visitor, 'What follows from the regime', 'Searches are exact')).toBe('Yes')
      expect((await local.get('/v1/memory/regime')).body.regime).toBe('anomaly')
    })

    it('sleeps and explores when asked, and lists what ran, with what would be tried next', async () => {
      const visitor = await operator('/engine/runs')
      const { page } = visitor
      // The anomaly of the test before keeps it from sleeping, until it is over.
      await expect
        .poll(async () => (await local.get('/v1/memory/regime')).body.regime, { timeout: patience })
        .toMatch(/normal|high_surprise/)
      await visitor.press('Sleep now')
      await visitor.see('The space has slept.')
      await visitor.press('Explore now')
      await visitor.see('Pairs were tried.')
      const [explored, slept] = (await local.get('/v1/memory/runs')).body.runs
      const table = page.getByRole('table', { name: 'Runs' })
      await expect.poll(() => table.getByRole('row').count(), { timeout: patience }).toBe(3)
      await table
        .getByRole('row', { name: /Sleep.*Asked for/ })
        .getByText(`Strengthened: ${slept.sleep.patterns_strengthened}`)
        .waitFor()
      await table
        .getByRole('row', { name: /Exploration.*Asked for/ })
        .getByText(`Pairs tried: ${explored.exploration.total_explored}`)
        .waitFor()

      const suggested = page.getByRole('list', { name: 'Worth a trial' })
      await suggested
        .getByText(texts[0] as string)
        .first()
        .waitFor()
      await suggested
        .getByText(/^Expected gain [\d.]+ nats, uncertainty [\d.]+\.$/)
        .first()
        .waitFor()
      const forget = suggested.getByRole('link', { name: 'Forget' }).first()
      const of = new URL((await forget.getAttribute('href')) as string, visitor.url).searchParams.get('of')
      expect(texts).toContain(of)
      const candidates = page.getByRole('list', { name: 'Candidates of consolidation' })
      const { body } = await local.get('/v1/memory/explore/consolidation-candidates?min_priority=0')
      expect(body.candidates.length).toBeGreaterThan(0)
      await expect
        .poll(() => candidates.getByRole('listitem').count(), { timeout: patience })
        .toBe(Math.min(20, body.candidates.length))

      await page.getByLabel('Kind').selectOption('Sleep')
      await expect.poll(() => table.getByRole('row').count(), { timeout: patience }).toBe(2)
      expect(visitor.path).toBe('/engine/runs?kind=sleep')
      for (let n = 0; n < 20; n++) await local.post('/v1/memory/sleep', {})
      await page.reload()
      await visitor.press('Next page', 'link')
      await expect.poll(() => table.getByRole('row').count(), { timeout: patience }).toBe(2)
      expect(visitor.path).toContain('cursor=')
    })

    it('stops what was asked for, by Cancel, and says so', async () => {
      const visitor = await operator('/engine/runs')
      const { page } = visitor
      /** Presses a button whose request does not come to its end, and then Cancel. */
      const cancel = async (button: string, path: string) => {
        const asked = page.waitForRequest((request) => request.url().endsWith(path))
        // It is held until the page itself gives it up.
        await page.route(`**${path}`, () => {})
        await visitor.press(button)
        await asked
        await visitor.see('It is at work.')
        const ended = page.waitForEvent('requestfailed', (request) => request.url().endsWith(path))
        await visitor.press('Cancel')
        expect((await ended).failure()?.errorText).toBe('net::ERR_ABORTED')
        await page.unroute(`**${path}`)
      }
      await cancel('Sleep now', '/v1/memory/sleep')
      await visitor.see('It was stopped.')
      expect(await visitor.violations()).toEqual([])
      // Meanwhile the list of runs is asked for anew: here the service has it that the newest was stopped.
      await page.route(
        (url) => url.pathname === '/v1/memory/runs',
        async (route) => {
          const response = await route.fetch()
          const { runs, ...rest } = await response.json()
          runs[0] = { ...runs[0], error: 'abandoned' }
          await route.fulfill({ response, json: { runs, ...rest } })
        },
      )
      await cancel('Explore now', '/v1/memory/explore')
      await page
        .getByRole('table', { name: 'Runs' })
        .getByRole('row')
        .nth(1)
        .getByText('It was stopped.')
        .waitFor()
      await page.unrouteAll()
      await visitor.press('Sleep now')
      await visitor.see('The space has slept.')
      await visitor.go('/engine/spurious')
      await cancel('Look for spurious pairs', '/v1/memory/explore/detect-spurious')
      await visitor.see('The search was stopped')
      expect(await visitor.violations()).toEqual([])
    })

    it('looks for spurious pairs, and leads to what can be done about them', async () => {
      // Keys of which near ones have a middle that is no pattern's, among others.
      const random = seededRandom('mixture')
      const keys = [
        ...mixtureOf(16, 0.8, 256, random),
        ...Array.from({ length: 60 }, () => randomUnit(256, random)),
      ]
      const patterns = keys.map((key) => ({ key: [...key], value: [1] }))
      expect((await local.post('/v1/memory/batch/store', { patterns })).status).toBe(200)
      const visitor = await operator('/engine/spurious')
      const { page } = visitor
      // Another search, which was stopped, has not ended yet.
      await page.route(
        '**/detect-spurious',
        (route) => route.fulfill({ status: 409, json: { detail: 'Consolidation is running' } }),
        { times: 2 },
      )
      await visitor.press('Look for spurious pairs')
      await visitor.see(/^\d+ pairs were checked$/)
      const found = (await local.post('/v1/memory/explore/detect-spurious')).body
      expect(found.spurious_pairs.length).toBeGreaterThan(20)
      await visitor.see(`${found.spurious_pairs.length} of them are spurious`)
      const list = page.getByRole('list', { name: 'Spurious pairs' })
      await expect.poll(() => list.getByRole('listitem').count(), { timeout: patience }).toBe(20)
      expect(await visitor.violations()).toEqual([])
      await visitor.press('Next page', 'link')
      await visitor.see(/^Page 2 of /)
      expect(visitor.path).toBe('/engine/spurious?page=2')
      const [pair] = found.spurious_pairs.slice(20)
      const { body } = await local.post('/v1/memory/patterns/get', { pattern_indexes: pair })
      await list.getByRole('listitem').first().getByRole('link', { name: 'Open and edit' }).first().click()
      await visitor.heading('Memory')
      expect(visitor.path).toBe(`/memories/${body.patterns[0].pattern_id}`)
    })

    it('measures the kernels both ways, and shows what was measured', async ({ skip }) => {
      const visitor = await operator('/acceleration')
      const { page } = visitor
      const { body: status } = await local.get('/v1/memory/acceleration/status')
      await visitor.see(status.rust_available ? 'Native kernels' : 'No native kernels are loaded')
      const before = (await local.get('/v1/memory/acceleration/status')).body.speedup_factors
      for (const name of ['Nearest rows', 'Hopfield step', 'Products of matrices', 'Binding'])
        await page.getByRole('checkbox', { name, exact: true }).uncheck()
      await page.getByRole('checkbox', { name: 'Nearest rows by int8 codes' }).uncheck()
      await page.getByRole('textbox', { name: /Iterations of each/ }).fill('7')
      await visitor.press('Run the benchmark')
      await visitor.see(/: 7 iterations of each, in [\d.]+ s with all checks/)
      const measured = page.getByRole('region', { name: 'As measured' })
      expect(await measured.getByText(/^JavaScript \/ native: [\d.,]+$/).count()).toBe(
        status.rust_available ? 2 : 0,
      )
      const bars = measured.getByRole('progressbar')
      const names = await bars.evaluateAll((all) => all.map((each) => each.getAttribute('aria-label')))
      for (const name of names) expect(name).toMatch(/^(Native|JavaScript): 0?\.?[\d.]+ ms$/)
      expect(names).toHaveLength(status.rust_available ? 4 : 2)
      expect(await visitor.violations()).toEqual([])
      // The page shows what this benchmark measured, and the status follows.
      const after = (await local.get('/v1/memory/acceleration/status')).body.speedup_factors
      skip(!status.rust_available, 'What native kernels gain is not tested here: there are none')
      expect(after.top_k).toBe(before.top_k)
      const ratio = (value: number) =>
        new Intl.NumberFormat('en-GB', { maximumFractionDigits: 2 }).format(value)
      await measured
        .getByRole('region', { name: 'Cosine' })
        .getByText(`JavaScript / native: ${ratio(after.cosine)}`)
        .waitFor()
    })

    it('says in the overview how the service is, in what regime, and how long requests took', async () => {
      const visitor = await operator('/')
      const { page } = visitor
      const region = (name: string) => page.getByRole('region', { name, exact: true })
      const { body: ready } = await local.get('/readyz')
      await region('Condition').getByText(`Version ${ready.version}, database ${ready.database}.`).waitFor()
      await region('Condition')
        .getByText(/^(Normal|High surprise)$/)
        .waitFor()
      // What was answered is written down within seconds.
      await expect
        .poll(async () => (await local.get('/v1/usage/latency?period=24h')).body.total_requests, {
          timeout: patience,
        })
        .toBeGreaterThan(0)
      await page.reload()
      await region('Latency of 24 hours')
        .getByText(/^Of \d+ requests? that succeeded/)
        .waitFor()
      const shown = await region('Latency of 24 hours').innerText()
      expect(shown.match(/\d+ % within\s+[\d.,]+ ms/g)).toHaveLength(5)
      await region('Figures').getByText('Queries today').waitFor()
    })
  },
  { before: storeTexts },
)
