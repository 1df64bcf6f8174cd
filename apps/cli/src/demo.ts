import { randomUUID } from 'node:crypto'
import { parseArgs } from 'node:util'
import { limits } from '@memory/shared/catalogue/limits'
import { CommandClient, type Metadata, type Retrieved } from './client.ts'
import { type CommandOutput, endsByItself, type Output, runCommand } from './command.ts'
import { connectionHelp, connectionOptions, findConnection } from './connection.ts'
import { demoFacts, demoQuestions } from './demo-facts.ts'
import { counted } from './format.ts'

const help = `Shows the service at work: stores facts in sixteen languages and asks for them in others.

  npm run demo [-- options]

Options
${connectionHelp}
  --keep       leave the facts in the memory (default: forget them at the end)

The facts carry the metadata {"demo": "<id of this run>"}; only they are searched and forgotten, so
whatever else the memory holds stays as it is.`

interface DemoOptions {
  client: CommandClient
  output: Output
  keep?: boolean
  /** Ends it before its next question or batch; its facts are forgotten then. */
  signal?: AbortSignal | undefined
}

interface DemoResult {
  /** The value of `demo` in the facts' metadata. */
  run: string
  stored: number
  /** How many of the questions got the right answer first. */
  foundFirst: number
  questions: number
  /** Removed at the end; 0 when the facts are kept. */
  forgotten: number
}

const answersShown = 3

/** Stores, asks, filters, tries a deletion and cleans up; each step is a call anyone can repeat. */
export async function runDemo(options: DemoOptions): Promise<DemoResult> {
  const { client, output, keep = false, signal } = options
  const run = randomUUID().slice(0, 8)
  client.onRetry = (reason) => output.write(reason)
  try {
    const stored = await storeFacts(options, run)
    const foundFirst = await askQuestions(options, run)
    await showFilter(client, output, run)
    await showDryRun(client, output, run)
    const forgotten = keep ? 0 : await cleanUp(client, output, run)
    if (keep) output.write(`\nKept. They can be found with the filter {"demo": "${run}"}.`)
    return { run, stored, foundFirst, questions: demoQuestions.length, forgotten }
  } catch (error) {
    const forgetting = keep ? undefined : client.forget({ filter: { demo: run } })
    await forgetting?.catch(() => {
      // Else the first failure is the one to hear of.
      if (signal?.aborted) output.write(`The facts may be left: the filter {"demo": "${run}"} finds them.`)
    })
    throw error
  }
}

async function storeFacts({ client, output, signal }: DemoOptions, run: string): Promise<number> {
  const startedAt = performance.now()
  let stored = 0
  for (let from = 0; from < demoFacts.length; from += limits.batchStoreItems) {
    const items = demoFacts.slice(from, from + limits.batchStoreItems).map(({ id, lang, topic, text }) => ({
      text,
      metadata: { demo: run, fact: id, lang, topic },
    }))
    stored += (await client.batchStore(items, `demo-${run}-${from}`)).stored
    signal?.throwIfAborted()
  }
  const languages = new Set(demoFacts.map(({ lang }) => lang)).size
  const seconds = (performance.now() - startedAt) / 1_000
  output.write(`Stored ${counted(stored, 'fact')} in ${languages} languages in ${seconds.toFixed(1)} s.`)
  return stored
}

async function askQuestions({ client, output, signal }: DemoOptions, run: string): Promise<number> {
  output.write('\nEach question is in another language than the fact that answers it (>).')
  const latencies: number[] = []
  let first = 0
  for (const { lang, text, answer } of demoQuestions) {
    const found = await client.retrieve({ query: text, top_k: answersShown, filter: { demo: run } })
    signal?.throwIfAborted()
    latencies.push(found.latency_ms)
    const rank = found.results.findIndex(({ metadata }) => metadata.fact === answer) + 1
    if (rank === 1) first++
    const place = rank === 0 ? `not among the first ${answersShown}` : `found at ${rank}`
    output.write(`\n${lang}  ${text}  (${place}, ${found.latency_ms.toFixed(1)} ms)`)
    writeResults(output, found, answer)
  }
  output.write(
    `\n${first} of ${demoQuestions.length} questions had the answer first; median ${median(latencies).toFixed(1)} ms.`,
  )
  return first
}

async function showFilter(client: CommandClient, output: Output, run: string): Promise<void> {
  const filter: Metadata = { demo: run, topic: 'health', lang: ['el', 'hi', 'ru', 'zh'] }
  const query = 'Hoe blijft Mira gezond?'
  output.write(`\nOnly what matches a filter: nl  ${query}`)
  output.write(`  filter ${JSON.stringify(filter)}`)
  writeResults(output, await client.retrieve({ query, top_k: answersShown, filter }))
}

async function showDryRun(client: CommandClient, output: Output, run: string): Promise<void> {
  const query = 'Mira is allergic to peanuts and carries an adrenaline pen with her.'
  const { forgotten } = await client.forget({ query, filter: { demo: run }, dry_run: true })
  output.write(`\nForgetting what says “${query}” would remove ${counted(forgotten, 'fact')} (dry_run).`)
}

async function cleanUp(client: CommandClient, output: Output, run: string): Promise<number> {
  const { forgotten } = await client.forget({ filter: { demo: run } })
  output.write(`\nForgot the demo's ${counted(forgotten, 'fact')}; --keep leaves them.`)
  return forgotten
}

function writeResults(output: Output, { results }: Retrieved, answer?: string): void {
  for (const { similarity, metadata, text } of results) {
    const mark = metadata.fact === answer ? '>' : ' '
    output.write(`  ${mark} ${similarity.toFixed(2)}  ${metadata.lang}  ${text}`)
  }
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

async function main(args: string[], output: CommandOutput): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { ...connectionOptions, keep: { type: 'boolean', default: false } },
  })
  const client = new CommandClient({ connection: await findConnection(values, process.env) })
  const { keep } = values
  output.result(await runDemo({ client, output, keep, signal: keep ? undefined : endsByItself() }))
}

if (import.meta.main) await runCommand(main, help)
