import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CommandClient } from '../../apps/cli/src/client.ts'
import type { Output } from '../../apps/cli/src/command.ts'
import { type FakeOptions, type FakeService, startFakeService } from './fake-service.ts'

export interface Bench extends AsyncDisposable {
  service: FakeService
  client: CommandClient
  /** What the client would have waited for, in ms. */
  waits: number[]
  output: Output
  lines: string[]
  /** Writes a file into a folder of its own. */
  file(name: string, lines: readonly unknown[]): Promise<string>
}

/** A fake service, a client for it that does not really wait, and a folder for files. */
export async function newBench(options: FakeOptions = {}): Promise<Bench> {
  const service = await startFakeService(options)
  const folder = await mkdtemp(join(tmpdir(), 'memory-cli-'))
  const waits: number[] = []
  const lines: string[] = []
  return {
    service,
    client: new CommandClient({
      connection: { url: service.url, key: service.key, keySource: 'the test' },
      wait: async (ms) => waits.push(ms),
    }),
    waits,
    output: { write: (line) => lines.push(line) },
    lines,
    async file(name, content) {
      const path = join(folder, name)
      await writeFile(
        path,
        content.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''),
      )
      return path
    },
    async [Symbol.asyncDispose]() {
      await service.close()
      await rm(folder, { recursive: true })
    },
  }
}

/** Facts that differ, so that a doubled or missing line shows. */
export const facts = (count: number): { text: string; metadata: { n: number } }[] =>
  Array.from({ length: count }, (_, n) => ({ text: `Fact number ${n}`, metadata: { n } }))

export const storedNumbers = ({ patterns }: FakeService): number[] =>
  patterns.map(({ metadata }) => metadata?.n as number)
