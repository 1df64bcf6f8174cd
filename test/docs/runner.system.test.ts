import { describe, expect, it } from 'vitest'
import { findIndentedCode, readBlocks } from './blocks.ts'
import { Page } from './run.ts'
import { differences, madeValues } from './shape.ts'
import { openWorkspace } from './workspace.ts'

const fenced = (language: string, code: string) => `\`\`\`${language}\n${code}\n\`\`\`\n`

describe('blocks', () => {
  it('are read with language, code, line and why they are not run', () => {
    const page = `text\n${fenced('sh', 'one\ntwo')}\n<!-- not run: it ends nothing -->\n${fenced('ts', 'three')}`
    expect(readBlocks(page)).toEqual([
      { language: 'sh', code: 'one\ntwo', line: 2, notRun: undefined },
      { language: 'ts', code: 'three', line: 8, notRun: 'it ends nothing' },
    ])
  })

  it('must be closed, and a mark must stand above one', () => {
    expect(() => readBlocks('```sh\none')).toThrow('Line 1: the block is not closed')
    expect(() => readBlocks(`<!-- not run: why -->\n\n${fenced('sh', 'one')}`)).toThrow('Line 1: the mark')
  })

  it('are found where they are only indented', () => {
    expect(findIndentedCode(`a\n\n    npm start\n\n${fenced('sh', '\n\n    indented within')}`)).toEqual([
      '    npm start',
    ])
  })
})

describe('answers', () => {
  it('may differ in numbers, ids and times', () => {
    const documented = { id: 'pat_1', n: 1, at: '2026-01-01T00:00:00Z', token: 'eyJ…', list: [{ x: null }] }
    const actual = { id: 'pat_2', n: 2, at: '2027-01-01T00:00:00Z', token: 'abc', list: [{ x: null }] }
    expect(differences(documented, actual)).toEqual([])
  })

  it.each([
    [{ a: 1 }, { a: '1' }, '$.a: number is documented, string came'],
    [{ a: 1 }, {}, '$.a did not come'],
    [{}, { a: 1 }, '$.a is not documented'],
    [{ a: null }, { a: 'x' }, '$.a: null is documented, string came'],
    [{ a: [] }, { a: [1] }, '$.a.0 is not documented'],
    [{ a: { b: true } }, { a: { b: false } }, '$.a.b: true is documented, false came'],
    [{ a: 'Ada has 2 cats' }, { a: 'Ada has 3 cats' }, '$.a: "Ada has 2 cats" is documented'],
    [{ a: 'ready' }, { a: 'failed' }, '$.a: "ready" is documented, "failed" came'],
    [{ a: 1 }, undefined, '$: object is documented, undefined came'],
  ])('%j is not %j', (documented, actual, difference) => {
    const found = differences(documented, actual)
    expect(found).toHaveLength(1)
    expect(found[0]).toContain(difference)
  })

  it('tell what stands for what', () => {
    expect(madeValues({ a: 'pat_00000001', b: 'hello' }, { a: 'pat_00000002', b: 'hello' })).toEqual([
      ['pat_00000001', 'pat_00000002'],
    ])
  })
})

describe('a page', { timeout: 180_000 }, () => {
  it('tells of every command, answer and program that does not do what it says', async () => {
    await using workspace = await openWorkspace()
    const faultsOf = (page: string) => new Page('page', page, workspace).run()
    const stats = 'curl -s http://127.0.0.1:8000/v1/memory/text/stats -H "X-API-Key: mem_live_…"'
    const wrongKey = 'curl -s http://127.0.0.1:8000/v1/memory/text/stats -H "X-API-Key: x"'
    const answer = { total_patterns: 0, embedding_dim: 384, storage_bytes: 0 }
    const json = (value: unknown) => fenced('json', JSON.stringify(value))
    const client = `import { MemoryClient } from '@memory/sdk'
const memory = new MemoryClient({ apiKey: 'mem_live_…', baseUrl: 'http://127.0.0.1:8000' })`

    const right = `${fenced('sh', `KEPT=1\n${stats}`)}${json(answer)}${fenced('sh', '[ $KEPT = 1 ]')}`
    expect(await faultsOf(right)).toEqual([])
    expect(await faultsOf(`${fenced('sh', wrongKey)}${json({ detail: 'Invalid API key' })}`)).toEqual([])
    expect(await faultsOf(fenced('sh', `${wrongKey}\ntrue`))).toEqual([
      expect.stringMatching(/^page:1 ended with 22: .*Invalid API key/),
    ])
    expect(await faultsOf(`${fenced('sh', stats)}${json({ ...answer, more: 1 })}`)).toEqual([
      'page:1: $.more did not come',
    ])
    expect(await faultsOf(`${fenced('sh', stats)}${json({ detail: 'no' })}`)).toHaveLength(1)
    expect(await faultsOf(fenced('sh', 'false\ntrue'))).toHaveLength(1)

    const program = fenced('ts', `${client}\nconsole.log((await memory.text.stats()).embedding_dim)`)
    expect(await faultsOf(program + fenced('text', '384'))).toEqual([])
    expect(await faultsOf(program + fenced('text', '385'))).toHaveLength(1)
    expect(await faultsOf(fenced('ts', `${client}\nmemory.text.stat()`))).toEqual([
      expect.stringContaining("Property 'stat' does not exist"),
    ])
    expect(await faultsOf(fenced('ts', 'throw new Error("broken")'))).toEqual([
      expect.stringContaining('broken'),
    ])
    expect(await faultsOf(`<!-- not run: why -->\n${fenced('ts', 'const n: number = "1"')}`)).toHaveLength(1)
  })
})
