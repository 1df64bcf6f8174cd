import { describe, expect, it } from 'vitest'
import { findIndentedCode, readBlocks } from './blocks.ts'
import { Page } from './run.ts'
import { differences } from './shape.ts'
import { typeFaults } from './types.ts'
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
})

describe('a page', { timeout: 180_000 }, () => {
  it('tells of every command, answer and program that does not do what it says', async () => {
    await using workspace = await openWorkspace()
    const faultsOf = (page: string) => new Page('page', page, workspace).run()
    const key = fenced('sh', 'export KEY=$(cat data/local-api-key)')
    const stats = 'curl -s http://127.0.0.1:8000/v1/memory/text/stats -H "X-API-Key: $KEY"'
    const wrongKey = 'curl -s http://127.0.0.1:8000/v1/memory/text/stats -H "X-API-Key: x"'
    const answer = { total_patterns: 0, embedding_dim: 384, storage_bytes: 0 }
    const json = (value: unknown) => fenced('json', JSON.stringify(value))

    expect(
      await faultsOf(`${key}${fenced('sh', stats)}${json(answer)}${fenced('sh', '[ -n "$KEY" ]')}`),
    ).toEqual([])
    expect(await faultsOf(`${fenced('sh', wrongKey)}${json({ detail: 'Invalid API key' })}`)).toEqual([])
    expect(await faultsOf(fenced('sh', `${wrongKey}\ntrue`))).toEqual([
      expect.stringMatching(/^page:1 ended with 22: [\s\S]*Invalid API key/),
    ])
    expect(await faultsOf(`${key}${fenced('sh', stats)}${json({ ...answer, more: 1 })}`)).toEqual([
      'page:4: $.more did not come',
    ])
    expect(await faultsOf(`${key}${fenced('sh', stats)}${json({ detail: 'no' })}`)).toEqual([
      expect.stringMatching(/^page:4 ended with 1: [\s\S]*it was not/),
    ])
    expect(await faultsOf(fenced('sh', 'false\ntrue'))).toHaveLength(1)
    expect(await faultsOf(fenced('sh', 'echo $NOT_SET'))).toHaveLength(1)
    expect(await faultsOf(`${fenced('sh', 'echo one')}${fenced('text', 'two')}`)).toHaveLength(1)
    expect(await faultsOf(`<!-- not run: why -->\n${fenced('sh', 'echo (')}`)).toHaveLength(1)
  })

  it('runs the programs that it shows, with what its shell exports', async () => {
    await using workspace = await openWorkspace()
    const faultsOf = (page: string) => new Page('page', page, workspace).run()
    const key = fenced('sh', 'export KEY=$(cat data/local-api-key)')
    const client = `import { MemoryClient } from 'memory-service-sdk'
const memory = new MemoryClient({ apiKey: process.env.KEY, baseUrl: 'http://127.0.0.1:8000' })`
    const program = `${key}${fenced('ts', client)}${fenced('ts', 'console.log((await memory.text.stats()).embedding_dim)')}`
    expect(await faultsOf(program + fenced('text', '384'))).toEqual([])
    expect(await faultsOf(program + fenced('text', '385'))).toHaveLength(1)
    expect(await faultsOf(fenced('ts', 'throw new Error("broken")'))).toEqual([
      expect.stringContaining('broken'),
    ])
    const python = fenced('python', 'import os') + fenced('python', 'print(len(os.environ["KEY"]) > 20)')
    expect(await faultsOf(key + python + fenced('text', 'True'))).toEqual([])
    expect(await faultsOf(key + python + fenced('text', 'False'))).toHaveLength(1)
    expect(await faultsOf(fenced('python', 'raise Exception("broken")'))).toHaveLength(1)
  })

  it('tells of every fault in the types of TypeScript, and where it is', async () => {
    const pages = new Map([
      ['fine', fenced('ts', 'const one = 1') + fenced('ts', 'console.log(one)')],
      ['none', fenced('sh', 'true')],
      [
        'run',
        fenced('ts', "import { MemoryClient } from 'memory-service-sdk'\nnew MemoryClient().text.stat()"),
      ],
      [
        'left out',
        `${fenced('ts', 'const n = 1')}<!-- not run: why -->\n${fenced('ts', 'const n: number = "1"')}`,
      ],
    ])
    expect(await typeFaults(pages)).toEqual([
      expect.stringMatching(/^run\(2,25\): .*Property 'stat' does not exist/),
      expect.stringMatching(/^left out\(1,7\): .*not assignable/),
    ])
  })
})
