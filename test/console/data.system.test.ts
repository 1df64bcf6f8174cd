import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { arrive, folder, inBrowser, local, newcomer, operator, signOperatorIn, signUp } from './stage.ts'
import { patience, type Visitor } from './visitor.ts'

const stored = [
  { text: 'Ada moved to Lisbon.', subject: 'ada', metadata: { topic: 'places' }, external_id: 'a-1' },
  { text: 'Ada drinks <b>tea</b>.', subject: 'ada', metadata: { topic: 'drinks' } },
  { text: 'Ben sings.\nLoudly.', subject: 'ben', metadata: { topic: 'places' } },
  { text: 'Of nobody.' },
]

async function begin(): Promise<void> {
  for (const body of stored) expect((await local.post('/v1/memory/text/store', body)).status).toBe(200)
  await signOperatorIn()
}

/** As in browsers that write no files: what is saved is downloaded. */
const withoutFiles = (visitor: Visitor) => visitor.page.evaluate('delete window.showSaveFilePicker')

/** What is saved at a press of a button. */
async function saved(visitor: Visitor, button: string): Promise<{ name: string; bytes: Buffer }> {
  const downloading = visitor.page.waitForEvent('download')
  await visitor.press(button)
  const download = await downloading
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) }
}

/** Gives a file to the page. */
const choose = (visitor: Visitor, name: string, contents: string) =>
  visitor.page.getByLabel('File to import').setInputFiles({
    name,
    mimeType: 'application/octet-stream',
    buffer: Buffer.from(contents),
  })

const linesOf = (bytes: Buffer) =>
  bytes
    .toString()
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))

inBrowser(
  'import and export',
  () => {
    it('exports all that there is, or what a subject and a filter narrow it to', async () => {
      const visitor = await operator('/data')
      await visitor.heading('Import and export')
      await withoutFiles(visitor)
      const all = await saved(visitor, 'Export to a file')
      await visitor.see('4 memories were exported.')
      expect(all.name).toBe('memories.ndjson')
      expect(linesOf(all.bytes)).toMatchObject(stored)
      await visitor.field('Subject').fill('ada')
      await visitor.field('Filter').fill('{"topic": "places"}')
      const some = await saved(visitor, 'Export to a file')
      expect(linesOf(some.bytes)).toMatchObject([stored[0]])
      await visitor.field('Filter').fill('{}')
      await visitor.see(/^This is not a JSON object/)
    })

    it('writes to the file that was chosen, where the browser can, and nothing of what is stopped', async () => {
      const visitor = await operator('/data?subject=ada')
      const { page } = visitor
      await visitor.heading('Import and export')
      // The dialogue is the system's; the file that it gives is one of the page's own folder.
      await page.evaluate(`window.showSaveFilePicker = async ({ suggestedName }) =>
        (await navigator.storage.getDirectory()).getFileHandle(suggestedName, { create: true })`)
      const chosen = () =>
        page.evaluate<string>(`navigator.storage.getDirectory()
          .then((folder) => folder.getFileHandle('memories-of-subject.ndjson'))
          .then((handle) => handle.getFile()).then((file) => file.text())`)
      let goOn = () => {}
      const held = new Promise<void>((resolve) => {
        goOn = resolve
      })
      await page.route('**/v1/memory/patterns/search', async (route) => {
        await held
        await route.continue().catch(() => {})
      })
      await visitor.press('Export to a file')
      await page.getByRole('progressbar', { name: 'Export' }).waitFor()
      await visitor.press('Cancel')
      await visitor.see('Stopped. No file was written.')
      expect(await chosen()).toBe('')
      goOn()
      await page.unroute('**/v1/memory/patterns/search')
      await visitor.press('Export to a file')
      await visitor.see('2 memories were exported.')
      expect(linesOf(Buffer.from(await chosen()))).toMatchObject(stored.slice(0, 2))
    })

    it('makes an archive of the account, which its address finds again', async () => {
      const visitor = await arrive()
      await signUp(visitor, newcomer())
      await visitor.go('/data')
      await visitor.page.getByRole('button', { name: 'Make the archive' }).dblclick()
      await visitor.see('It is ready, for seven days.')
      expect(await visitor.page.getByRole('main').getByRole('alert').count()).toBe(0)
      expect(visitor.path).toMatch(/^\/data\?archive=/)
      await visitor.page.reload()
      const { name, bytes } = await saved(visitor, 'Download the archive')
      expect(name).toBe('memory-account.zip')
      expect(bytes.subarray(0, 4).toString('latin1')).toBe('PK\u0003\u0004')
    })

    it('shows what is stored of a subject, exports it, and erases it with a receipt', async () => {
      const visitor = await operator('/subjects')
      await visitor.press('ben', 'link')
      await visitor.heading('Subject')
      expect(visitor.path).toBe('/subjects/one?of=ben')
      await visitor.see('1 of them a text')
      await withoutFiles(visitor)
      const { bytes } = await saved(visitor, 'Export to a file')
      expect(linesOf(bytes)).toMatchObject([stored[2]])
      await visitor.press('Show what would go')
      await visitor.see('1 memory would go')
      await visitor.press('Erase this subject')
      await visitor.page.getByRole('dialog').getByRole('button', { name: 'Erase this subject' }).click()
      await visitor.see('1 memory was erased.')
      const receipt = await visitor.page.getByRole('region', { name: 'Receipt of the erasure' }).innerText()
      const { body } = await local.post('/v1/memory/receipts/verify', { receipt })
      expect(body).toMatchObject({ valid: true })
      expect((await local.get('/v1/memory/subjects/ben')).status).toBe(404)
      await visitor.see('Nothing is stored of this subject.')
    })

    it('imports lines of an export, after it has shown what would be stored, and says what can not be', async () => {
      const visitor = await operator('/data')
      const lines = [
        JSON.stringify({ text: 'Imported <i>one</i>.', subject: 'eva', external_id: 'i-1', version: 3 }),
        '{"text": ""}',
        'no JSON',
        JSON.stringify({ text: 'Long gone.', expires_at: '2020-01-01T00:00:00Z' }),
        JSON.stringify({ text: 'Imported two.', subject: 'eva', metadata: { n: 1 } }),
        JSON.stringify({ text: 'Its metadata are none.', subject: 'eva', metadata: 'none' }),
      ]
      await choose(visitor, 'empty.ndjson', '')
      await visitor.press('Show what would be stored')
      await visitor.see('The file holds nothing to import.')
      await choose(visitor, 'memories.ndjson', lines.join('\n'))
      await visitor.press('Show what would be stored')
      const look = visitor.page.getByRole('region', { name: 'What would be stored' })
      await expect.poll(() => look.innerText()).toContain('Line 2: text: it is empty')
      const shown = await look.innerText()
      expect(shown).toContain('Line 3: it is not JSON')
      expect(shown).toContain('version (1)')
      expect(shown).toContain('Imported <i>one</i>.')
      expect(shown).toMatch(/Texts\s+3/)
      expect(shown).toMatch(/Expired, or over before it began: left out\s+1/)
      expect(await visitor.page.getByRole('button', { name: 'Import', exact: true }).isDisabled()).toBe(true)
      await visitor.field('Leave out lines that can’t be stored, and go on').check()
      expect(await visitor.violations()).toEqual([])
      await visitor.press('Import')
      await visitor.see('2 memories were stored.')
      await visitor.see('1 line has expired, or was over before it began, and was left out.')
      await visitor.see('3 lines were left out')
      await visitor.see(/^Line 6: metadata/)
      const left = visitor.page.getByRole('region', { name: '3 lines were left out' }).getByRole('listitem')
      expect((await left.allInnerTexts()).map((text) => text.slice(0, 6))).toEqual([
        'Line 2',
        'Line 3',
        'Line 6',
      ])
      const { body } = await local.get('/v1/memory/subjects/eva')
      expect(body).toMatchObject({ patterns: 2 })
    })

    it('says of a file that is no text what it is, rather than of its lines that they are wrong', async () => {
      const visitor = await operator('/data')
      const choosing = visitor.page.getByLabel('File to import')
      for (const [buffer, said] of [
        [Buffer.from('PK\u0003\u0004 and so on'), /it is an archive/],
        [Buffer.from('\ufeff{"text": "Of another encoding."}', 'utf16le'), /It is not encoded as UTF-8/],
      ] as const) {
        await choosing.setInputFiles({ name: 'notes.jsonl', mimeType: '', buffer })
        await visitor.press('Show what would be stored')
        await visitor.see('The file can’t be read')
        await visitor.see(said)
      }
    })

    it('says that a file was changed since it was chosen, and takes it when it is chosen again', async () => {
      const visitor = await operator('/data')
      const path = join(folder, 'mended.jsonl')
      await writeFile(path, '{"text": ""}')
      const choosing = visitor.page.getByLabel('File to import')
      await choosing.setInputFiles(path)
      await visitor.press('Show what would be stored')
      await visitor.see('Line 1: text: it is empty')
      await writeFile(path, '{"text": "It is mended."}')
      await visitor.press('Show what would be stored')
      await visitor.see('choose it again')
      // The field has forgotten its file: else the browser would tell of no new choice.
      expect(await choosing.inputValue()).toBe('')
      await choosing.setInputFiles(path)
      await visitor.press('Show what would be stored')
      await visitor.see('It is mended.')
    })

    it('is stopped, and goes on later without doubling anything', async () => {
      const visitor = await operator('/data')
      const { page } = visitor
      const count = 130
      const file = Array.from({ length: count }, (_, n) =>
        JSON.stringify({ text: `Resumed ${n}.`, subject: 'many' }),
      )
      // A file of the disk: it is known again by when it was changed.
      const path = join(folder, 'many.jsonl')
      await writeFile(path, file.join('\n'))
      const choosing = () => page.getByLabel('File to import').setInputFiles(path)
      await choosing()
      await visitor.press('Show what would be stored')
      let batches = 0
      let goOn = () => {}
      const held = new Promise<void>((resolve) => {
        goOn = resolve
      })
      await page.route('**/v1/memory/text/batch-store', async (route) => {
        if (++batches === 2) await held
        await route.continue()
      })
      await visitor.press('Import')
      await visitor.see('50 memories are stored')
      expect(await visitor.field('Read as').isDisabled()).toBe(true)
      await visitor.press('Memories', 'link')
      await page.getByRole('dialog').getByRole('button', { name: 'Stay' }).click()
      expect(visitor.path).toBe('/data')
      await page.getByRole('main').getByRole('button', { name: 'Cancel' }).click()
      goOn()
      await visitor.see('An import of this file was stopped after 100 memories.')
      expect(batches).toBe(2)
      await page.unroute('**/v1/memory/text/batch-store')
      await page.reload()
      await choosing()
      await visitor.press('Show what would be stored')
      await visitor.press('Go on')
      await visitor.see('130 memories were stored.')
      const { body } = await local.get('/v1/memory/subjects/many')
      expect(body).toMatchObject({ patterns: count })
    })

    it('imports a table by its columns, and files of other products as what they are', async () => {
      const visitor = await operator('/data')
      const csv = 'body;who;at\n"Ada, who sings";zoe;2026-03-01\n"Two\nlines";zoe;2026-03-02\n'
      await choose(visitor, 'table.csv', csv)
      await expect.poll(() => visitor.field('Read as').inputValue()).toBe('csv')
      await expect.poll(() => visitor.field('text').inputValue()).toBe('body')
      await visitor.field('subject').selectOption('who')
      expect(await visitor.violations()).toEqual([])
      await visitor.press('Show what would be stored')
      await visitor.press('Import')
      await visitor.see('2 memories were stored.')
      const { body } = await local.get('/v1/memory/patterns?subject=zoe')
      expect(body.patterns).toMatchObject([
        { text: 'Ada, who sings', metadata: { at: '2026-03-01' } },
        { text: 'Two\nlines', metadata: { at: '2026-03-02' } },
      ])

      const json = JSON.stringify({ total: 1, rows: [{ note: 'Of a list', 'who else': 'yan' }] })
      await choose(visitor, 'list.json', json)
      await visitor.field('Read as').selectOption('a JSON list')
      await expect.poll(() => visitor.field('List within the file').inputValue()).toBe('rows')
      await expect.poll(() => visitor.field('text').inputValue()).toBe('note')
      await visitor.field('subject').selectOption('who else')
      await visitor.press('Show what would be stored')
      await visitor.press('Import')
      await visitor.see('1 memory was stored.')
      expect((await local.get('/v1/memory/subjects/yan')).body).toMatchObject({ patterns: 1 })

      await choose(visitor, 'NOTES.md', '# Tastes\n\n- likes tea\n- 2026-03-01: moved to Lisbon\n')
      await expect.poll(() => visitor.field('Read as').inputValue()).toBe('markdown')
      await visitor.field('Subject of memories that have none').fill('xia')
      await visitor.press('Show what would be stored')
      await visitor.press('Import')
      await visitor.see('2 memories were stored.')
      expect((await local.get('/v1/memory/patterns?subject=xia')).body.patterns).toMatchObject([
        { text: 'likes tea', metadata: { section: 'Tastes', source: 'NOTES.md' } },
        { text: 'moved to Lisbon', occurred_at: '2026-03-01T00:00:00.000Z' },
      ])
      // As mem0 it is not.
      await visitor.field('Read as').selectOption('mem0')
      await visitor.press('Show what would be stored')
      await visitor.see('This file can’t be read as mem0')
    })

    it('reads a large file while the page goes on', async () => {
      const visitor = await operator('/data')
      const { page } = visitor
      const line = (n: number) => `{"text":"${n} ${'x'.repeat(1_000)}"}`
      const count = 100_000
      await visitor.see('or drop one here.')
      // Made by the page itself: what the test hands to the browser may not be so large.
      await page.evaluate(`{
        const parts = []
        for (let n = 0; n < ${count}; n++) parts.push((${line})(n) + '\\n')
        const files = new DataTransfer()
        files.items.add(new File(parts, 'large.ndjson'))
        const drop = new DragEvent('drop', { dataTransfer: files, bubbles: true, cancelable: true })
        const place = [...document.querySelectorAll('p')].find(({ innerText }) => innerText === 'or drop one here.')
        place.dispatchEvent(drop)
      }`)
      await visitor.see('large.ndjson')
      await visitor.press('Show what would be stored')
      const text = await page.evaluate<string>(`new Promise((done) => {
        const look = () => {
          const status = [...document.querySelectorAll('[role=status]')].find(({ innerText }) => /lines? w/.test(innerText))
          if (status === undefined || status.innerText.startsWith('0 ')) return void requestAnimationFrame(look)
          // By the page itself: what comes from outside may come when all is read.
          ;[...document.querySelectorAll('button')].find(({ innerText }) => innerText === 'Cancel').click()
          done(status.innerText)
        }
        look()
      })`)
      // It is drawn how far it is before it is done.
      expect(Number(/^\d+/.exec(text)?.[0])).toBeLessThan(count)
      await visitor.page.getByRole('progressbar').waitFor({ state: 'detached' })
      await visitor.press('Show what would be stored')
      const look = visitor.page.getByRole('region', { name: 'What would be stored' })
      await expect.poll(() => look.innerText(), { timeout: 2 * patience }).toMatch(/Texts\s+100,000/)
    })
  },
  { before: begin },
)
