import { parseLine as ofCommand } from '@memory/cli/import-line'
import { type Line, readLines } from '@memory/shared/transfer/lines'
import fc from 'fast-check'
import { type ExportSource, exportPages } from 'memory-service-sdk'
import { describe, expect, it } from 'vitest'
import { parseLine as ofConsole } from '../../apps/console/src/pages/data/import-source.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** Reads a file in chunks of a size. */
async function read(content: string, chunkBytes = 64 * 1024): Promise<Line[]> {
  const bytes = encoder.encode(content)
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes)
  }
  return all(readLines(chunks()))
}

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = []
  for await (const item of items) list.push(item)
  return list
}

const textOf = ({ bytes }: Line) => (bytes === undefined ? undefined : decoder.decode(bytes))

/** More than the longest line. */
const much = 'x'.repeat(3 * 1024 * 1024)

type Listed = Awaited<ReturnType<ExportSource['search']>>['patterns'][number]
type Version = Awaited<ReturnType<ExportSource['versionsBefore']>>[number]

describe('a line of an export that is long by what the memory was before', () => {
  it.each([
    ['command', ofCommand],
    ['console', ofConsole],
  ])('is imported, as the %s reads it', async (_, parseLine) => {
    // Of the longest text that JSON can make longer.
    const text = `"\\ ${'\u0001'.repeat(9_990)}`
    const times = { occurred_at: '2026-03-01T00:00:00.000Z', expires_at: null, valid_to: null }
    const pattern = { ...times, pattern_id: 'pat_01kagw5zdpk2r4f9m0x7y3v8qe', text, metadata: { n: 1.5 } }
    const current = { external_id: 'a', subject: null, superseded_by: null, asked_protected: null }
    const listed = { ...pattern, ...current, valid_from: times.occurred_at, version: 101 }
    const source: ExportSource = {
      search: async () => ({ patterns: [listed as unknown as Listed], total: 1, next_cursor: null }) as never,
      versionsBefore: async () =>
        Array.from({ length: 100 }, (_, n) => ({ version: 100 - n, text }) as unknown as Version),
    }
    const [page] = await all(exportPages(source))
    const [line, next] = await read(`${page?.lines.join('')}{"text":"next"}\n`)
    const parsed = parseLine(line as Line, Date.now())
    expect(parsed).toMatchObject({
      ...{ kind: 'item', externalId: 'a' },
      dropped: ['pattern_id', 'version', 'versions'],
    })
    const sent = parsed.kind === 'item' ? parsed.item.json : ''
    expect(JSON.parse(sent)).toEqual({
      text,
      metadata: { n: 1.5 },
      occurred_at: times.occurred_at,
      expires_at: null,
      external_id: 'a',
    })
    expect(parseLine(next as Line, Date.now())).toMatchObject({ item: { json: '{"text":"next"}' } })
  })

  it('keeps all else of it, wherever it stands and however the file is read', async () => {
    const key = fc.constantFrom('text', 'versions', 'a"versions', '\\', '{[')
    const value = fc.jsonValue({ maxDepth: 3 })
    await fc.assert(
      fc.asyncProperty(
        ...[fc.dictionary(key, value), fc.dictionary(key, value), fc.constantFrom(undefined, 1)],
        fc.integer({ min: 50_000, max: 200_000 }),
        async (before, after, indent, chunkBytes) => {
          // A number never ends a line.
          const object = { ...before, inner: before, versions: [before, much, after], also: after, end: [] }
          const line = JSON.stringify(object, null, indent).replaceAll(/\n\s*/g, ' ')
          const [first, second] = await read(`${line}\r\n[]`, chunkBytes)
          expect(JSON.parse(textOf(first as Line) ?? '')).toEqual({ ...JSON.parse(line), versions: [] })
          expect(first?.end).toBe(encoder.encode(line).length + 2)
          expect(second).toMatchObject({ number: 2, bytes: encoder.encode('[]') })
        },
      ),
      { numRuns: 10 },
    )
  })

  it.each([
    ['a text', { text: much }],
    ['versions of its metadata', { metadata: { versions: [much] } }],
    ['a list of such', [{ versions: [much] }]],
    ['versions that are no list', { versions: { much } }],
    ['a name that ends so', { 'a"versions': [much] }],
  ])('is too long by %s', async (_, line) => {
    const lines = await read(`${JSON.stringify(line)}\n{}\n`)
    expect(lines.map(textOf)).toEqual([undefined, '{}'])
  })
})
