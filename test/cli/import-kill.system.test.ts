import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { failed } from './fake-service.ts'
import { facts, newBench } from './support.ts'

const program = fileURLToPath(new URL('../../apps/cli/src/import.ts', import.meta.url))

/** The same facts as a conversation that ChatGPT exports. */
const conversation = (count: number) => ({
  conversation_id: 'c',
  current_node: `m${count - 1}`,
  mapping: Object.fromEntries(
    facts(count).map(({ text }, n) => [
      `m${n}`,
      {
        id: `m${n}`,
        parent: n === 0 ? null : `m${n - 1}`,
        message: { id: `m${n}`, author: { role: 'user' }, content: { content_type: 'text', parts: [text] } },
      },
    ]),
  ),
})

const files: [string, unknown[], string[]][] = [
  ['lines', facts(330), []],
  ['an export of ChatGPT', [JSON.stringify([conversation(330)])], ['--from', 'chatgpt']],
]

it.each(files)(
  'an import of %s stores each text exactly once through kill -9 before and after the service stores',
  async (_, lines, how) => {
    await using bench = await newBench()
    const file = await bench.file('facts.json', lines)
    const { url, key } = bench.service
    const run = () => {
      const child = spawn(process.execPath, [program, file, ...how, '--url', url, '--key', key])
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
    expect(bench.service.patterns.map(({ text }) => text)).toEqual(facts(330).map(({ text }) => text))
    expect(JSON.parse(await readFile(`${file}.progress.json`, 'utf8'))).toMatchObject({
      stored: 330,
      complete: true,
    })
  },
)
