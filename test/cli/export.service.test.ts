import { statSync } from 'node:fs'
import { appendFile, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { exportFile } from '../../apps/cli/src/export.ts'
import { importFile } from '../../apps/cli/src/import.ts'
import { failed } from './fake-service.ts'
import { type Bench, facts, newBench } from './support.ts'

/** A bench whose memory holds `count` facts, and the path of a file to export them to. */
async function filledBench(count: number): Promise<{ bench: Bench; file: string }> {
  const bench = await newBench()
  const source = await bench.file('facts.ndjson', facts(count))
  await importFile({ ...bench, file: source })
  bench.service.requests.length = 0
  bench.lines.length = 0
  return { bench, file: `${dirname(source)}/export.ndjson` }
}

const readLines = async (file: string) =>
  (await readFile(file, 'utf8'))
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))

describe('exporting', () => {
  it('writes one line a text pattern and leaves vectors out', async () => {
    const { bench, file } = await filledBench(3)
    await using _ = bench
    Object.assign(bench.service.patterns[1]!, { text: null, metadata: null })
    expect(await exportFile({ ...bench, file })).toEqual({ exported: 2, leftOut: 1 })
    const lines = await readLines(file)
    expect(lines.map(({ text }) => text)).toEqual(['Fact number 0', 'Fact number 2'])
    expect(Object.keys(lines[0])).toEqual([
      'text',
      'metadata',
      'occurred_at',
      'expires_at',
      'pattern_id',
      'asked_protected',
      'created_at',
      'version',
    ])
  })

  it('says of protection what was said of it, and of a service of before what it tells', async () => {
    const { bench, file } = await filledBench(4)
    await using _ = bench
    const [said, unsaid, sensitive, ofBefore] = bench.service.patterns
    Object.assign(said!, { asked_protected: false })
    Object.assign(unsaid!, { asked_protected: null })
    Object.assign(sensitive!, { asked_protected: null, protected: true })
    Object.assign(ofBefore!, { asked_protected: undefined })
    await exportFile({ ...bench, file })
    const told = (await readLines(file)).map((line) => [line.protected, line.asked_protected])
    expect(told).toEqual([
      [false, false],
      [undefined, null],
      [undefined, null],
      [false, undefined],
    ])
  })

  it('is for whoever makes it alone, also where it replaces a file that others may read', async () => {
    const { bench, file } = await filledBench(3)
    await using _ = bench
    const modeOf = async (path: string) => (await stat(path)).mode & 0o777
    await writeFile(file, '', { mode: 0o644 })
    let partial: number | undefined
    bench.service.options.fault = ({ path }) => {
      if (path.endsWith('/search')) partial = statSync(`${file}.partial`).mode & 0o777
      return undefined
    }
    await exportFile({ ...bench, file, force: true })
    expect([partial, await modeOf(file)]).toEqual([0o600, 0o600])
  })

  it('comes back whole through an import', async () => {
    const { bench, file } = await filledBench(130)
    await using _ = bench
    await using other = await newBench()
    await exportFile({ ...bench, file, pageSize: 40 })
    await importFile({ ...other, file })
    expect(other.service.patterns).toEqual(bench.service.patterns)
  })

  it('writes an empty file for an empty memory', async () => {
    const { bench, file } = await filledBench(0)
    await using _ = bench
    expect(await exportFile({ ...bench, file })).toEqual({ exported: 0, leftOut: 0 })
    expect(await readFile(file, 'utf8')).toBe('')
  })

  it('replaces a file only with --force', async () => {
    const { bench, file } = await filledBench(2)
    await using _ = bench
    await writeFile(file, 'precious')
    await expect(exportFile({ ...bench, file })).rejects.toThrow('exists already')
    expect(await readFile(file, 'utf8')).toBe('precious')
    await exportFile({ ...bench, file, force: true })
    expect(await readLines(file)).toHaveLength(2)
  })

  it('says so where the file can’t be written', async () => {
    const { bench, file } = await filledBench(2)
    await using _ = bench
    await expect(exportFile({ ...bench, file: `${file}/no/where` })).rejects.toThrow(
      /export\.ndjson\/no\/where\.partial.*can't be written \(ENOENT\)/,
    )
  })
})

describe('resuming an export', () => {
  const everyPage = { pageSize: 10, checkpointEveryMs: 0 }

  it('goes on at the page it stopped at, without what a kill left half written', async () => {
    const { bench, file } = await filledBench(45)
    await using _ = bench
    bench.service.options.fault = ({ number }) => (number > 4 ? failed(400, 'Stop') : undefined)
    await expect(exportFile({ ...bench, file, ...everyPage })).rejects.toThrow(/Stop\.\nRun the same command/)
    await appendFile(`${file}.partial`, '{"text":"half a li')
    bench.service.options = {}
    bench.service.requests.length = 0
    expect(await exportFile({ ...bench, file, ...everyPage })).toEqual({ exported: 45, leftOut: 0 })
    expect((await readLines(file)).map(({ metadata }) => metadata.n)).toEqual(
      Array.from({ length: 45 }, (_, n) => n),
    )
    expect(bench.service.requests).toHaveLength(3)
    expect((await readdir(dirname(file))).filter((name) => name.startsWith('export'))).toEqual([
      'export.ndjson',
    ])
  })

  it('begins again where nothing is known of the half file, or with --restart', async () => {
    const { bench, file } = await filledBench(25)
    await using _ = bench
    await writeFile(`${file}.partial`, 'left by something else\n')
    await exportFile({ ...bench, file })
    expect(await readLines(file)).toHaveLength(25)

    bench.service.requests.length = 0
    bench.service.options.fault = ({ number }) => (number > 3 ? failed(400, 'Stop') : undefined)
    await expect(exportFile({ ...bench, file, force: true, ...everyPage })).rejects.toThrow('Stop')
    bench.service.options = {}
    await exportFile({ ...bench, file, force: true, restart: true })
    expect(await readLines(file)).toHaveLength(25)
  })

  it('believes nothing of an earlier run once it began again, however early that was stopped', async () => {
    const { bench, file } = await filledBench(45)
    await using _ = bench
    bench.service.options.fault = ({ number }) => (number > 4 ? failed(400, 'Stop') : undefined)
    await expect(exportFile({ ...bench, file, ...everyPage })).rejects.toThrow('Stop')
    expect((await stat(`${file}.partial`)).size).toBeGreaterThan(0)
    bench.service.options.fault = () => failed(400, 'Stop')
    await expect(exportFile({ ...bench, file, restart: true })).rejects.toThrow('Stop')
    bench.service.options = {}
    expect(await exportFile({ ...bench, file })).toEqual({ exported: 45, leftOut: 0 })
    expect((await readLines(file)).map(({ metadata }) => metadata.n)).toEqual(
      Array.from({ length: 45 }, (_, n) => n),
    )
  })

  it('begins again where the half file has less than was noted', async () => {
    const { bench, file } = await filledBench(45)
    await using _ = bench
    bench.service.options.fault = ({ number }) => (number > 4 ? failed(400, 'Stop') : undefined)
    await expect(exportFile({ ...bench, file, ...everyPage })).rejects.toThrow('Stop')
    await truncate(`${file}.partial`, 10)
    bench.service.options = {}
    await exportFile({ ...bench, file })
    expect(await readLines(file)).toHaveLength(45)
  })

  it('is refused while another run writes the file, which stays as that one makes it', async () => {
    const { bench, file } = await filledBench(45)
    await using _ = bench
    let second: Promise<unknown> | undefined
    bench.service.options.fault = ({ path }) => {
      if (path.endsWith('/search')) second ??= exportFile({ ...bench, file }).catch((error) => error)
      return undefined
    }
    await exportFile({ ...bench, file, ...everyPage })
    expect(await second).toMatchObject({ message: expect.stringContaining('is being exported to by') })
    expect(await readLines(file)).toHaveLength(45)
  })

  it('does not mix two memories', async () => {
    const { bench, file } = await filledBench(25)
    await using _ = bench
    await using other = await newBench()
    bench.service.options.fault = ({ number }) => (number > 3 ? failed(400, 'Stop') : undefined)
    await expect(exportFile({ ...bench, file, ...everyPage })).rejects.toThrow('Stop')
    await expect(exportFile({ ...other, file })).rejects.toThrow(`was begun from ${bench.service.url}`)
  })
})
