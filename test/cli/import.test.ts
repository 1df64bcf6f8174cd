import { spawn } from 'node:child_process'
import { readFile, utimes, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { importFile } from '../../apps/cli/src/import.ts'
import { failed } from './fake-service.ts'
import { facts, newBench, storedNumbers } from './support.ts'

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n)
const program = fileURLToPath(new URL('../../apps/cli/src/import.ts', import.meta.url))

describe('importing a file', () => {
  it('stores every line once, in order, 50 a call', async () => {
    await using bench = await newBench()
    const file = await bench.file('facts.ndjson', facts(120))
    const result = await importFile({ ...bench, file })
    expect(result).toEqual({ stored: 120, invalid: 0, expired: 0, replayed: 0 })
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
    expect(bench.service.requests[0]?.body).toEqual({ items: [line] })
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
    ['it has no text', { metadata: {} }],
    ['text is not a string', { text: 7 }],
    ['text is empty', { text: ' \n' }],
    ['text has a NUL or half a surrogate pair', '{"text": "a\\ud83d"}'],
    ['text is longer than 10,000 characters', { text: '🍵'.repeat(10_001) }],
    ['metadata is not an object', { text: 'a', metadata: [] }],
    ['metadata is larger than 16 KiB', { text: 'a', metadata: { a: 'x'.repeat(16_384) } }],
    [
      'metadata is nested more than 8 deep',
      `{"text": "a", "metadata": ${'{"a":'.repeat(8)}{}${'}'.repeat(8)}}`,
    ],
    ['occurred_at is not a timestamp', { text: 'a', occurred_at: 'yesterday' }],
    ['expires_at is not a timestamp', { text: 'a', expires_at: 7 }],
    ['the line is too long', { text: 'a', filler: 'x'.repeat(2_100_000) }],
  ]

  it.each(bad)('stores nothing where a line is wrong: %s', async (reason, line) => {
    await using bench = await newBench()
    const file = await bench.file('facts.ndjson', [...facts(60), line, ...facts(1)])
    await expect(importFile({ ...bench, file })).rejects.toThrow("1 line can't be imported")
    expect(bench.lines).toEqual([`Line 61: ${reason}.`])
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

describe('standard input', () => {
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

  it('stores each line exactly once through kill -9 before and after the service stores', async () => {
    await using bench = await newBench()
    const file = await bench.file('facts.ndjson', facts(330))
    const { url, key } = bench.service
    const run = () => {
      const child = spawn(process.execPath, [program, file, '--url', url, '--key', key])
      const exit = new Promise<string>((resolve) =>
        child.on('exit', (code, signal) => resolve(signal ?? `exit ${code}`)),
      )
      return { kill: () => child.kill('SIGKILL'), exit }
    }

    // Killed with a batch stored and its answer unsent.
    let current = run()
    bench.service.options = {
      stored: async (batches) => {
        if (batches !== 3) return undefined
        current.kill()
        await current.exit
        return undefined
      },
    }
    expect(await current.exit).toBe('SIGKILL')

    // Killed with a batch sent and nothing of it stored. The first request repeats the batch from before.
    const before = bench.service.requests.length
    bench.service.options = {
      fault: ({ number }) => {
        if (number !== before + 3) return undefined
        current.kill()
        return failed(400, 'Never seen')
      },
    }
    current = run()
    expect(await current.exit).toBe('SIGKILL')
    expect(bench.service.patterns).toHaveLength(200)

    bench.service.options = {}
    current = run()
    expect(await current.exit).toBe('exit 0')
    expect(storedNumbers(bench.service)).toEqual(numbers(330))
    expect(JSON.parse(await readFile(`${file}.progress.json`, 'utf8'))).toMatchObject({
      stored: 330,
      complete: true,
    })
  }, 60_000)
})
