import { spawnSync } from 'node:child_process'
import { readdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { limits } from '@memory/shared/catalogue/limits'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { CommandClient } from '../../apps/cli/src/client.ts'
import { conversionOf, importFile, tryImport } from '../../apps/cli/src/import.ts'
import { membersOf } from '../../packages/shared/src/transfer/json-members.ts'
import { failed } from './fake-service.ts'
import { type Bench, facts, newBench, storedNumbers } from './support.ts'

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n)

describe('importing a file', () => {
  it('stores every line once, in order, 50 a call', async () => {
    await using bench = await newBench()
    const file = await bench.file('facts.ndjson', facts(120))
    const result = await importFile({ ...bench, file })
    expect(result).toEqual({ stored: 120, replaced: 0, invalid: 0, expired: 0, earlier: 0, replayed: 0 })
    expect(storedNumbers(bench.service)).toEqual(numbers(120))
    expect(bench.service.requests).toHaveLength(3)
  })

  it('sends the four fields and nothing else', async () => {
    await using bench = await newBench()
    const line = {
      text: 'Mira préfère le thé vert 🍵',
      metadata: { lang: 'fr' },
      occurred_at: '2026-03-14T11:00:00Z',
      expires_at: '2999-01-01T00:00:00Z',
    }
    const file = await bench.file('facts.ndjson', [{ ...line, pattern_id: 'pat_0', created_at: 'then' }])
    await importFile({ ...bench, file })
    // Whether the line is of this space is asked before; a service that can't say keeps nothing from being stored.
    expect(bench.service.requests.map(({ path }) => path)).toEqual([
      '/v1/memory/patterns/get',
      '/v1/memory/text/batch-store',
    ])
    expect(bench.service.requests.at(-1)?.body).toEqual({ items: [line] })
  })

  it('reads blank lines, Windows line ends and a last line without one', async () => {
    await using bench = await newBench()
    const file = await bench.file('facts.ndjson', [])
    await writeFile(file, '\uFEFF{"text":"one"}\r\n\r\n{"text":"two"}\n   \n{"text":"three"}')
    await importFile({ ...bench, file })
    expect(bench.service.patterns.map(({ text }) => text)).toEqual(['one', 'two', 'three'])
  })

  it('does nothing the second time, and stores again with --restart', async () => {
    await using bench = await newBench()
    const file = await bench.file('facts.ndjson', facts(3))
    await importFile({ ...bench, file })
    expect(await importFile({ ...bench, file })).toMatchObject({ stored: 3 })
    expect(bench.service.patterns).toHaveLength(3)
    expect(bench.lines.at(-1)).toContain('was imported already (3 lines stored')
    await importFile({ ...bench, file, restart: true })
    expect(bench.service.patterns).toHaveLength(6)
  })

  it('refuses to go on with a changed file or another target', async () => {
    await using bench = await newBench({ patternsMax: 60 })
    await using other = await newBench()
    const file = await bench.file('facts.ndjson', facts(100))
    await expect(importFile({ ...bench, file })).rejects.toThrow('The memory is full')
    await expect(importFile({ ...other, file })).rejects.toThrow(`was begun (60 lines stored, see ${file}`)
    await utimes(file, 1, 1)
    await expect(importFile({ ...bench, file })).rejects.toThrow('the file has changed since')
  })

  it('says of a later export of the same name that the file was imported, and what --restart does', async () => {
    await using bench = await newBench()
    const file = await bench.file('facts.ndjson', facts(1))
    await importFile({ ...bench, file })
    await bench.file('facts.ndjson', facts(2))
    await expect(importFile({ ...bench, file })).rejects.toThrow(
      `This file was imported (1 line stored, see ${file}.progress.json) and the file has changed since. With --restart it begins again: lines with an own id (external_id) replace what is there, others are stored once more.`,
    )
    expect(await importFile({ ...bench, file, restart: true })).toMatchObject({ stored: 2 })
  })

  it('stops with a sentence where the file is missing or a folder', async () => {
    await using bench = await newBench()
    const file = await bench.file('facts.ndjson', [])
    await expect(importFile({ ...bench, file: `${file}.no` })).rejects.toThrow("can't be read (ENOENT)")
    await expect(importFile({ ...bench, file: dirname(file) })).rejects.toThrow('is no regular file')
  })
})

describe('invalid lines', () => {
  const bad: [string, string | object][] = [
    ['it is not JSON', '{"text": "half'],
    ['it is not a JSON object', '["text"]'],
    ['it has neither a text nor a key', '{}'],
    ['it has neither a text nor a key; its fields are metadata', { metadata: {} }],
    [
      'it has neither a text nor a key; its fields are memory, user_id',
      { memory: 'Ada has a cat.', user_id: 'ada' },
    ],
    ['text: Input should be a valid string', { text: 7 }],
    ['text: String should have at least 1 character', { text: ' \n' }],
    ['text: text must not contain a lone surrogate', '{"text": "a\\ud83d"}'],
    ['text: text must not contain the NUL character', '{"text": "a\\u0000"}'],
    ['text: String should have at most 10000 characters', { text: '🍵'.repeat(10_001) }],
    ['metadata: Input should be a valid dictionary', { text: 'a', metadata: [] }],
    [
      'metadata: metadata must be at most 16384 bytes of JSON',
      { text: 'a', metadata: { a: 'x'.repeat(16_384) } },
    ],
    [
      'metadata: metadata must not be nested deeper than 8 levels',
      `{"text": "a", "metadata": ${'{"a":'.repeat(8)}{}${'}'.repeat(8)}}`,
    ],
    ['metadata: metadata numbers must be finite', '{"text": "a", "metadata": {"score": 1e999}}'],
    [
      'metadata: metadata numbers without a fraction must be within ±(2^53 - 1); send larger ones as strings',
      '{"text": "a", "metadata": {"id": 1180000000000000123}}',
    ],
    [
      'occurred_at: Input should be a valid datetime or date, input is too short',
      { text: 'a', occurred_at: 'yesterday' },
    ],
    ['expires_at: Input should be a valid datetime', { text: 'a', expires_at: 7 }],
    ['value: Field required', { key: [1] }],
    ['key: vector must not be all zero', { key: [0], value: [1] }],
    ["source_dim must be at least the key's length of 2", { key: [1, 2], value: [1], source_dim: 1 }],
    [
      'key.0: Input should be a valid number; key.1: number is beyond float32; value: Input should be a valid list',
      { key: [null, 1e39], value: 'x' },
    ],
    ['the line is too long', { text: 'a', filler: 'x'.repeat(2_100_000) }],
  ]

  it.each(bad)('stores nothing where a line is wrong: %s', async (reason, line) => {
    await using bench = await newBench()
    const file = await bench.file('facts.ndjson', [...facts(60), line, ...facts(1)])
    await expect(importFile({ ...bench, file })).rejects.toThrow(
      `Line 61: ${reason}.\n1 line can't be imported`,
    )
    expect(bench.service.requests).toEqual([])
  })

  it('stores nothing where a line is not UTF-8', async () => {
    await using bench = await newBench()
    const file = await bench.file('facts.ndjson', [])
    await writeFile(
      file,
      Buffer.concat([Buffer.from('{"text":"a"}\n{"text":"'), Buffer.from([0xff]), Buffer.from('"}\n')]),
    )
    await expect(importFile({ ...bench, file })).rejects.toThrow(
      "Line 2: it is not UTF-8.\n1 line can't be imported",
    )
    expect(bench.service.requests).toEqual([])
  })

  it('imports the corrected file without being asked to restart', async () => {
    await using bench = await newBench()
    const file = await bench.file('facts.ndjson', ['nonsense'])
    await expect(importFile({ ...bench, file })).rejects.toThrow()
    await writeFile(file, '{"text":"sense"}\n')
    expect(await importFile({ ...bench, file })).toMatchObject({ stored: 1 })
  })

  it('accepts texts of exactly 10,000 characters, counted as code points', async () => {
    await using bench = await newBench()
    const file = await bench.file('facts.ndjson', [{ text: '🍵'.repeat(10_000) }])
    expect(await importFile({ ...bench, file })).toMatchObject({ stored: 1 })
  })

  it('leaves them out with --skip-invalid, each named', async () => {
    await using bench = await newBench()
    const file = await bench.file('facts.ndjson', [{ text: 'one' }, 'nonsense', { text: 'two' }, '7'])
    const result = await importFile({ ...bench, file, skipInvalid: true })
    expect(result).toMatchObject({ stored: 2, invalid: 2 })
    expect(bench.lines).toContain('Line 2: it is not JSON. Left out.')
    expect(bench.lines).toContain('Line 4: it is not a JSON object. Left out.')
  })

  it('names the lines that only the service refuses', async () => {
    await using bench = await newBench()
    const file = await bench.file('facts.ndjson', [...facts(10), { text: 'refuse me' }, ...facts(5)])
    await expect(importFile({ ...bench, file })).rejects.toThrow('Line 11: text: Value error.')
    expect(bench.service.patterns).toHaveLength(0)
    expect(await importFile({ ...bench, file, skipInvalid: true })).toMatchObject({ stored: 15, invalid: 1 })
  })

  it('leaves out what has expired', async () => {
    await using bench = await newBench()
    const past = { text: 'old', expires_at: '2020-01-01T00:00:00' }
    const file = await bench.file('facts.ndjson', [past, { text: 'new', expires_at: '2999-01-01 00:00' }])
    expect(await importFile({ ...bench, file })).toMatchObject({ stored: 1, expired: 1, invalid: 0 })
  })
})

describe('what is sent', () => {
  it('is the text of the line: no number is rounded, no key lost', async () => {
    const bodies: string[] = []
    const client = new CommandClient({
      connection: { url: 'http://127.0.0.1:9', key: 'k', keySource: 'the test' },
    })
    vi.spyOn(client, 'batchStoreJson').mockImplementation(async (_path, json) => {
      bodies.push(json)
      return { stored: 1, failed: 0, replayed: false }
    })
    await using bench = await newBench()
    const metadata =
      '{"a": 1.0, "b":-0, "c" :1E2,"d":[0.12345678901234567890], "__proto__": {"x":1}, "a\\"}": "\\u00e9,]"}'
    const file = await bench.file('facts.ndjson', [
      `{"metadata" : ${metadata} ,"text":"a\\tb", "left": [1, {"text": "}"}], "occurred_at":null}`,
      '{"key": [1.50, 2e0], "value" : null}',
    ])
    await importFile({ ...bench, client, file })
    expect(bodies).toEqual([
      `{"items":[{"metadata":${metadata},"text":"a\\tb","occurred_at":null}]}`,
      '{"patterns":[{"key":[1.50, 2e0],"value":[1.50, 2e0]}]}',
    ])
  })

  it('goes to texts and to vectors in batches of one kind, in the order of the lines', async () => {
    await using bench = await newBench()
    const vector = (n: number) => ({ key: [n + 1], value: [n], metadata: { n } })
    const text = (n: number) => ({ text: `Fact number ${n}`, metadata: { n } })
    const kindOf = (n: number) => (n < 60 || n === 80 ? text(n) : vector(n))
    const file = await bench.file('facts.ndjson', numbers(100).map(kindOf))
    expect(await importFile({ ...bench, file })).toMatchObject({ stored: 100 })
    expect(storedNumbers(bench.service)).toEqual(numbers(100))
    const batches = bench.service.requests.map(({ path, body }) => [
      path,
      Object.values(body as Record<string, unknown[]>)[0]?.length,
    ])
    expect(batches).toEqual([
      ['/v1/memory/text/batch-store', 50],
      ['/v1/memory/text/batch-store', 10],
      ['/v1/memory/batch/store', 20],
      ['/v1/memory/text/batch-store', 1],
      ['/v1/memory/batch/store', 19],
    ])
  })

  // 8,192 numbers of 20 characters, the largest vectors there are.
  const largest = Array(8_192).fill(-0.12345678901234568)
  it.each<[string, { key?: number[]; value?: number[]; text?: string; metadata?: object }, number]>([
    ['vectors: what the service takes', { key: largest, value: largest }, limits.bodyBytes],
    ['long texts: what the service has time for', { text: 'x'.repeat(10_000) }, 65 * 1024],
    [
      'a text alone, however long it is written',
      { text: '🍵'.repeat(10_000), metadata: { a: 'é'.repeat(8_000) } },
      65 * 1024,
    ],
  ])('is no larger a batch than is right for %s', async (_what, line, bytesMax) => {
    await using bench = await newBench()
    const sizes: number[] = []
    const send = bench.client.batchStoreJson.bind(bench.client)
    vi.spyOn(bench.client, 'batchStoreJson').mockImplementation((path, json, key) => {
      sizes.push(Buffer.byteLength(json))
      return send(path, json, key)
    })
    const lines = numbers(48).map((n) => ({ ...line, metadata: { ...line.metadata, n } }))
    const file = await bench.file('facts.ndjson', lines)
    expect(await importFile({ ...bench, file })).toMatchObject({ stored: 48 })
    expect(storedNumbers(bench.service)).toEqual(numbers(48))
    expect(sizes.length).toBeGreaterThan(1)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(bytesMax)
  })

  it('is stored once when an import of vectors is stopped and goes on', async () => {
    await using bench = await newBench({ patternsMax: 3 })
    const file = await bench.file(
      'facts.ndjson',
      numbers(7).map((n) => ({ key: [n + 1], value: [n], metadata: { n } })),
    )
    await expect(importFile({ ...bench, file })).rejects.toThrow('The memory is full')
    bench.service.options.patternsMax = 100
    expect(await importFile({ ...bench, file })).toMatchObject({ stored: 7 })
    expect(storedNumbers(bench.service)).toEqual(numbers(7))
  })
})

describe('lines with the same own id', () => {
  const lines = [
    ...numbers(70).map((n) => ({ text: `Fact number ${n}`, external_id: 'bob' })),
    ...[{ external_id: 'ann' }, { external_id: 'ann' }, { external_id: 'eve' }, {}].map((id, n) => ({
      text: `Other fact ${n}`,
      ...id,
    })),
  ]
  const sentence = 'external_id "bob" is on 70 lines, of which the last counts; so it is with 1 other id.'

  it('are told before the first is stored, and what they replaced apart from what is new', async () => {
    await using bench = await newBench()
    const file = await bench.file('facts.ndjson', lines)
    let before: string[] = []
    bench.service.options.stored = (batches) => {
      if (batches === 1) before = [...bench.lines]
      return undefined
    }
    const result = await importFile({ ...bench, file })
    expect(result).toEqual({ stored: 74, replaced: 70, invalid: 0, expired: 0, earlier: 0, replayed: 0 })
    expect(before).toEqual([sentence])
    expect(bench.lines).toContain('Of these 70 replaced what had their external_id; new: 4.')
    expect(bench.lines.at(-1)).toBe(sentence)
    expect(bench.service.patterns.map(({ text }) => text)).toEqual([
      'Fact number 69',
      ...['Other fact 1', 'Other fact 2', 'Other fact 3'],
    ])
    expect(await importFile({ ...bench, file })).toEqual({ ...result, earlier: result.stored })
  })

  it('are told by a dry run', async () => {
    await using bench = await newBench()
    const file = await bench.file('facts.ndjson', lines)
    expect(await tryImport({ ...bench, file })).toMatchObject({ texts: 74, repeatedIds: 2 })
    expect(bench.lines.at(-1)).toBe(sentence)
  })

  it('are refused with --strict', async () => {
    await using bench = await newBench()
    const file = await bench.file('facts.ndjson', lines)
    await expect(importFile({ ...bench, file, strict: true })).rejects.toThrow(
      `${sentence}\nWith --strict all of a file has to be imported, so nothing was stored.`,
    )
    expect(bench.service.requests).toEqual([])
  })

  it('are no parts of one long text', async () => {
    await using bench = await newBench()
    const long = { text: 'Ada walks along the river. '.repeat(800), external_id: 'long' }
    const file = await bench.file('facts.json', [JSON.stringify([long])])
    const conversion = conversionOf({ from: 'json', map: [] })
    expect(await importFile({ ...bench, file, conversion, strict: true })).toMatchObject({
      stored: 3,
      replaced: 0,
    })
    expect(bench.lines.join()).not.toContain('external_id')
  })
})

describe('fields that are not imported', () => {
  const lines = [
    { text: 'one', user_id: 'ada', created_at: '2025-01-01', tags: [] },
    { text: 'two', user_id: 'ben', expires: '2027-01-01', agent_id: null },
    { key: [1], value: [1], user_id: 'eve', id: 7 },
  ]
  const sentence =
    'Fields that are not imported: user_id (3 lines), created_at (1 line), tags (1 line), expires (1 line), id (1 line).'

  it('are named with how often they had a value, before the first line is stored and at the end', async () => {
    await using bench = await newBench()
    const file = await bench.file('facts.ndjson', lines)
    let before: string[] = []
    bench.service.options.stored = () => {
      before = [...bench.lines]
      return undefined
    }
    expect(await importFile({ ...bench, file })).toMatchObject({ stored: 3 })
    expect(before).toContain(sentence)
    expect(bench.lines.at(-1)).toBe(sentence)
  })

  it.each([{ skipInvalid: true }, { skipInvalid: false }])(
    'are named for standard input too (%j)',
    async (options) => {
      await using bench = await newBench()
      const source = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
      await importFile({ ...bench, ...options, file: '-', stdin: Readable.from([Buffer.from(source)]) })
      expect(bench.lines.filter((line) => line === sentence)).toHaveLength(2)
    },
  )

  it('are refused with --strict, but for those of the patterns of an export', async () => {
    await using bench = await newBench()
    const old = { pattern_id: 'pat_0', created_at: '2025-01-01T00:00:00Z' }
    const file = await bench.file('facts.ndjson', [{ text: 'one', ...old }, ...lines])
    await expect(importFile({ ...bench, file, strict: true })).rejects.toThrow(
      [
        'Line 2: user_id, tags would not be imported.',
        'Line 3: user_id, expires would not be imported.',
        'Line 4: user_id, id would not be imported.',
        "3 lines can't be imported",
      ].join('\n'),
    )
    expect(bench.service.requests).toEqual([])
    const own = await bench.file('own.ndjson', [{ text: 'one', ...old }])
    expect(await importFile({ ...bench, file: own, strict: true })).toMatchObject({ stored: 1 })
  })

  it('are links to what a line takes the place of, which refuse a line with --strict unless it was exported', async () => {
    await using bench = await newBench()
    const file = await bench.file('facts.ndjson', [
      { text: 'one', supersedes: 'ext:nowhere' },
      { text: 'two', supersedes: 7 },
      { text: 'three', pattern_id: 'pat_1', supersedes: 'pat_0' },
    ])
    await expect(importFile({ ...bench, file, strict: true })).rejects.toThrow(
      "Line 1: supersedes would not be imported.\nLine 2: supersedes would not be imported.\n2 lines can't",
    )
    expect(await importFile({ ...bench, file })).toMatchObject({ stored: 3, invalid: 0 })
    expect(bench.lines.at(-1)).toBe(
      'Fields that are not imported: supersedes (3 lines), pattern_id (1 line).',
    )
  })

  it('that a line has twice are named, and the last is taken, as the service takes it', async () => {
    await using bench = await newBench()
    const file = await bench.file('facts.ndjson', ['{"text":"one","text":"two"}'])
    await importFile({ ...bench, file })
    expect(bench.service.patterns.map(({ text }) => text)).toEqual(['two'])
    expect(bench.lines.at(-1)).toBe('Fields that are not imported: text (the first of two) (1 line).')
  })

  it('are not all named when every line has others', async () => {
    await using bench = await newBench()
    const file = await bench.file(
      'facts.ndjson',
      numbers(25).map((n) => ({ text: 'a', [`field\n${n}`]: n })),
    )
    await importFile({ ...bench, file })
    expect(bench.lines.at(-1)).toMatch(
      /^Fields that are not imported: field\\n0 \(1 line\), .*, and 5 more\.$/,
    )
  })
})

describe('the members of an object', () => {
  it('are those that JSON has, with their text', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()),
        fc.constantFrom(0, 1, 3),
        (object, indent) => {
          const members = membersOf(JSON.stringify(object, null, indent))
          expect(members.map(([name, source]) => [name, JSON.parse(source)])).toEqual(
            Object.entries(JSON.parse(JSON.stringify(object))),
          )
        },
      ),
    )
  })

  it.each([
    ['{}', []],
    [' { } ', []],
    ['{"a":1}', [['a', '1']]],
    [
      '{"a" : -1.0e+5 , "b":null}',
      [
        ['a', '-1.0e+5'],
        ['b', 'null'],
      ],
    ],
    [
      '{"\\"}":"\\\\","":"{"}',
      [
        ['"}', '"\\\\"'],
        ['', '"{"'],
      ],
    ],
    ['{"a":[{"b":"]"},[ ]] }', [['a', '[{"b":"]"},[ ]]']]],
  ])('of %s', (text, members) => {
    expect(membersOf(text as string)).toEqual(members)
  })
})

describe('standard input', () => {
  it('is checked to its end before any of it is stored', async () => {
    await using bench = await newBench()
    const source = [...facts(120).map((fact) => JSON.stringify(fact)), 'nonsense'].join('\n')
    const stdin = Readable.from([Buffer.from(source)])
    await expect(importFile({ ...bench, file: '-', stdin })).rejects.toThrow(
      "Line 121: it is not JSON.\n1 line can't be imported, so nothing was stored",
    )
    expect(bench.service.requests).toEqual([])
  })

  it('is imported without a checkpoint', async () => {
    await using bench = await newBench()
    const source = Buffer.from(
      facts(60)
        .map((fact) => `${JSON.stringify(fact)}\n`)
        .join(''),
    )
    // Chunks of seven bytes split lines anywhere.
    const stdin = Readable.from(
      Array.from({ length: Math.ceil(source.length / 7) }, (_, n) => source.subarray(7 * n, 7 * n + 7)),
    )
    expect(await importFile({ ...bench, file: '-', stdin })).toMatchObject({ stored: 60 })
    expect(storedNumbers(bench.service)).toEqual(numbers(60))
  })
})

describe('a full memory', () => {
  it('stops with the line to go on from, and goes on there when there is room', async () => {
    await using bench = await newBench({ patternsMax: 70 })
    const file = await bench.file('facts.ndjson', facts(100))
    await expect(importFile({ ...bench, file })).rejects.toThrow(
      /The memory is full.*\nAcknowledged so far: 70 lines, up to line 70\. Run the same command again/,
    )
    await expect(importFile({ ...bench, file })).rejects.toThrow('It asks to wait 1 h.')
    bench.service.options.patternsMax = 1_000
    expect(await importFile({ ...bench, file })).toMatchObject({ stored: 100 })
    expect(storedNumbers(bench.service)).toEqual(numbers(100))
  })
})

describe('a full memory, and lines that are left out', () => {
  const stateOf = async (file: string) => JSON.parse(await readFile(`${file}.progress.json`, 'utf8'))
  const refused = { text: 'refuse me' }

  it('count every line once, up to the one to go on from, where one batch has both', async () => {
    await using bench = await newBench({ patternsMax: 12 })
    const [some, others] = [facts(20).slice(0, 10), facts(20).slice(10)]
    const past = { text: 'old', expires_at: '2020-01-01T00:00:00' }
    const file = await bench.file('facts.ndjson', [
      ...some,
      refused,
      'nonsense',
      past,
      ...others,
      refused,
      '7',
    ])
    await expect(importFile({ ...bench, file, skipInvalid: true })).rejects.toThrow(
      /There was no room for 8 lines of the last batch: Line 16 to Line 23\. Nothing behind them was sent\.\nAcknowledged so far: 12 lines, up to line 15\. Left out up to there: 2 as invalid, 1 as expired, or as over before it began\. Run/,
    )
    expect(await stateOf(file)).toMatchObject({ line: 15, stored: 12, invalid: 2, expired: 1 })
    bench.service.options.patternsMax = 100
    expect(await importFile({ ...bench, file, skipInvalid: true })).toMatchObject({
      ...{ stored: 20, invalid: 4, expired: 1 },
    })
    expect(storedNumbers(bench.service)).toEqual(numbers(20))
  })

  it('store each line once where it took what replaces something between lines that it had no room for', async () => {
    await using bench = await newBench({ patternsMax: 2 })
    const named = (n: number, id: string) => ({ text: `Fact number ${n}`, metadata: { n }, external_id: id })
    const first = await bench.file('first.ndjson', [named(0, 'ann'), named(1, 'bob')])
    await importFile({ ...bench, file: first })
    const [two, three, four] = facts(5).slice(2)
    const lines = [two, named(10, 'ann'), refused, three, named(11, 'bob'), four]
    const file = await bench.file('facts.ndjson', lines)
    const attempt = () => importFile({ ...bench, file, skipInvalid: true })
    await expect(attempt()).rejects.toThrow(
      /no room for 3 lines of the last batch: Line 1, Line 4, Line 6\. .*\nAcknowledged so far: 2 lines, 2 of them behind lines that there was no room for\. Run/,
    )
    expect(await stateOf(file)).toMatchObject({ line: 0, stored: 2, replaced: 2, invalid: 0, ahead: [2, 5] })
    // Room for one more, and then for all.
    bench.service.options.patternsMax = 3
    await expect(attempt()).rejects.toThrow(
      /Line 4 to Line 6\. .*\nAcknowledged so far: 3 lines, up to line 3, 1 of them behind .*\. Left out up to there: 1 as invalid\./,
    )
    bench.service.options.patternsMax = 100
    expect(await attempt()).toMatchObject({ stored: 5, replaced: 2, invalid: 1, expired: 0 })
    expect(storedNumbers(bench.service)).toEqual([10, 11, 2, 3, 4])
    expect(await stateOf(file)).not.toHaveProperty('ahead')
  })
})

describe('a subject that may have no more', () => {
  const of = (subject: string, n: number) => ({ ...facts(n + 1)[n], subject })
  const stateOf = async (file: string) => JSON.parse(await readFile(`${file}.progress.json`, 'utf8'))
  const refused = { text: 'refuse me' }

  it('is named with the line that is too much, and all before it is stored', async () => {
    await using bench = await newBench({ subjectMax: 2 })
    const lines = ['ada', 'ben', 'ada', 'eve', 'ada', 'eve', 'ada'].map(of)
    const file = await bench.file('facts.ndjson', lines)
    await expect(importFile({ ...bench, file })).rejects.toThrow(
      /^Line 5: the subject "ada" has as many patterns as the organization allows each\.\n--skip-invalid .*\nAcknowledged so far: 4 lines, up to line 4\. Once/,
    )
    bench.service.options.subjectMax = 4
    expect(await importFile({ ...bench, file })).toMatchObject({ stored: 7 })
    expect(storedNumbers(bench.service)).toEqual(numbers(7))
    expect(await stateOf(file)).not.toHaveProperty('items')
  })

  it('has those left out with --skip-invalid, each counted once, and each other line stored once', async () => {
    await using bench = await newBench({ subjectMax: 2 })
    const lines = Array.from({ length: 120 }, (_, n) => of(n % 10 === 0 ? 'ada' : `user ${n}`, n))
    const file = await bench.file('facts.ndjson', [
      refused,
      ...lines.slice(0, 60),
      refused,
      ...lines.slice(60),
    ])
    // The run is killed before it hears of a part of the first batch, and then there is room for more.
    let kept: object = {}
    bench.service.options.stored = async () => {
      kept = { ...(await stateOf(file)), holder: undefined }
      return failed(400, 'Broken proxy')
    }
    await expect(importFile({ ...bench, file, skipInvalid: true })).rejects.toThrow('Broken proxy')
    await writeFile(`${file}.progress.json`, JSON.stringify(kept))
    expect(bench.service.patterns.length).toBeGreaterThan(0)
    bench.service.options = { subjectMax: 6 }
    expect(await importFile({ ...bench, file, skipInvalid: true })).toMatchObject({
      stored: 114,
      invalid: 8,
    })
    expect(storedNumbers(bench.service)).toEqual(numbers(120).filter((n) => n % 10 > 0 || n < 60))
  })
})

describe('two runs of one file', () => {
  const runs = (bench: Bench, file: string, count: number) =>
    Promise.allSettled(Array.from({ length: count }, () => importFile({ ...bench, file })))
  const refusals = (ended: PromiseSettledResult<unknown>[]) =>
    ended.flatMap((each) => (each.status === 'rejected' ? [(each.reason as Error).message] : []))

  it('that are started together are one and a refusal', async () => {
    await using bench = await newBench({ patternsMax: 60 })
    const file = await bench.file('facts.ndjson', facts(120))
    const refused = refusals(await runs(bench, file, 4))
    expect(refused.filter((each) => each.includes(' is being imported by '))).toHaveLength(3)
    expect(refused.filter((each) => each.startsWith('The memory is full'))).toHaveLength(1)
    // The same where they go on from what one has left.
    bench.service.options = {}
    expect(refusals(await runs(bench, file, 4))).toEqual(
      Array(3).fill(expect.stringContaining(`${file} is being imported by `)),
    )
    expect(storedNumbers(bench.service)).toEqual(numbers(120))
    expect(JSON.parse(await readFile(`${file}.progress.json`, 'utf8'))).not.toHaveProperty('holder')
    expect((await readdir(dirname(file))).toSorted()).toEqual(['facts.ndjson', 'facts.ndjson.progress.json'])
  })

  it('are one after the other where the first was killed, even as it looked through the file', async () => {
    await using bench = await newBench()
    const file = await bench.file('facts.ndjson', facts(3))
    const { pid } = spawnSync(process.execPath, ['--version'])
    const holder = { id: 'gone', pid, started_at: '1' }
    const killed = { version: 1, holder, unsent: true, file: { size: 1 }, stored: 0, complete: false }
    await writeFile(`${file}.progress.json`, JSON.stringify(killed))
    expect(await importFile({ ...bench, file })).toMatchObject({ stored: 3 })
  })

  it('are told which process has the file, also where it is to begin again', async () => {
    await using bench = await newBench()
    const file = await bench.file('facts.ndjson', facts(3))
    bench.service.options.stored = async () => {
      for (const restart of [false, true])
        await expect(importFile({ ...bench, file, restart })).rejects.toThrow(
          `${file} is being imported by process ${process.pid}: wait until it has ended, or stop it.`,
        )
      await tryImport({ ...bench, file })
      return undefined
    }
    expect(await importFile({ ...bench, file })).toMatchObject({ stored: 3 })
    expect(bench.service.patterns).toHaveLength(3)
  })
})

describe('resuming', () => {
  it('does not double a batch whose answer was lost', async () => {
    await using bench = await newBench()
    const file = await bench.file('facts.ndjson', facts(120))
    bench.service.options.stored = (batches) => (batches === 2 ? failed(400, 'Broken proxy') : undefined)
    await expect(importFile({ ...bench, file })).rejects.toThrow('Broken proxy')
    expect(bench.service.patterns).toHaveLength(100)
    bench.service.options = {}
    const result = await importFile({ ...bench, file })
    expect(storedNumbers(bench.service)).toEqual(numbers(120))
    expect(result).toMatchObject({ stored: 120, replayed: 50 })
  })

  it('waits for a batch that the service is still storing for an earlier run', async () => {
    await using bench = await newBench()
    const file = await bench.file('facts.ndjson', facts(10))
    bench.service.options.fault = ({ number }) =>
      number === 1 ? failed(409, 'A request with this Idempotency-Key is running') : undefined
    expect(await importFile({ ...bench, file })).toMatchObject({ stored: 10 })
    expect(bench.lines[0]).toContain('may still be being stored')
  })
})

describe('resuming when lines have expired since', () => {
  const begun = Date.parse('2026-03-01T00:00:00Z')
  const hoursLater = (hours: number) => new Date(begun + hours * 3_600_000)
  const stateOf = async (file: string) => JSON.parse(await readFile(`${file}.progress.json`, 'utf8'))

  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: begun }))
  afterEach(() => void vi.useRealTimers())

  /** Facts of which some are over after so many hours. */
  const passing = (count: number, hours: Record<number, number>) =>
    facts(count).map((fact, n) => ({
      ...fact,
      ...(hours[n] !== undefined && { expires_at: hoursLater(hours[n]).toISOString() }),
    }))

  it('repeats a batch whose answer was lost as it was, so that the service recognises it', async () => {
    await using bench = await newBench()
    const file = await bench.file('facts.ndjson', passing(60, { 3: 1, 55: 1 }))
    bench.service.options.stored = () => failed(400, 'Broken proxy')
    await expect(importFile({ ...bench, file })).rejects.toThrow('Broken proxy')
    bench.service.options = {}
    vi.setSystemTime(hoursLater(2))
    expect(await importFile({ ...bench, file })).toMatchObject({ stored: 59, expired: 1, replayed: 50 })
    expect(storedNumbers(bench.service)).toEqual(numbers(60).filter((n) => n !== 55))
  })

  it('leaves out of a batch that was not stored what the service refuses for it, and in each later run the same', async () => {
    await using bench = await newBench()
    const file = await bench.file('facts.ndjson', passing(60, { 3: 1, 7: 1, 9: 3 }))
    const attempt = () => importFile({ ...bench, file })
    bench.service.options.fault = () => failed(400, 'Broken proxy')
    await expect(attempt()).rejects.toThrow('Broken proxy')
    // Stored without two lines, and the answer is lost.
    bench.service.options = { stored: () => failed(400, 'Broken proxy') }
    vi.setSystemTime(hoursLater(2))
    await expect(attempt()).rejects.toThrow('Broken proxy')
    expect(bench.service.patterns).toHaveLength(48)
    bench.service.options = {}
    vi.setSystemTime(hoursLater(4))
    expect(await attempt()).toMatchObject({ stored: 58, invalid: 0, expired: 2, replayed: 48 })
    expect(storedNumbers(bench.service)).toEqual(numbers(60).filter((n) => n !== 3 && n !== 7))
  })

  it('counts what has expired up to the line to go on from, where the memory is full', async () => {
    await using bench = await newBench({ patternsMax: 12 })
    const file = await bench.file('facts.ndjson', passing(20, { 3: 1, 18: 1 }))
    const attempt = () => importFile({ ...bench, file })
    bench.service.options.fault = () => failed(400, 'Broken proxy')
    await expect(attempt()).rejects.toThrow('Broken proxy')
    bench.service.options = { patternsMax: 12 }
    vi.setSystemTime(hoursLater(2))
    await expect(attempt()).rejects.toThrow('The memory is full')
    expect(await stateOf(file)).toMatchObject({ line: 13, stored: 12, expired: 1 })
    bench.service.options = {}
    expect(await attempt()).toMatchObject({ stored: 18, expired: 2 })
    expect(storedNumbers(bench.service)).toEqual(numbers(20).filter((n) => n !== 3 && n !== 18))
  })

  it('goes on from the progress file of an earlier release, which does not say by which time it judged', async () => {
    await using bench = await newBench()
    const file = await bench.file('facts.ndjson', facts(60))
    bench.service.options.stored = () => failed(400, 'Broken proxy')
    await expect(importFile({ ...bench, file })).rejects.toThrow('Broken proxy')
    const { judged_ms, ...earlier } = await stateOf(file)
    expect(judged_ms).toBe(begun)
    await writeFile(`${file}.progress.json`, JSON.stringify(earlier))
    bench.service.options = {}
    expect(await importFile({ ...bench, file })).toMatchObject({ stored: 60, replayed: 50 })
  })
})
