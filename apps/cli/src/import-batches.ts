import {
  type ImportState,
  InvalidLines,
  MemoryFull,
  type StoreOptions as SharedOptions,
  storeLines as store,
} from '@memory/shared/transfer/batches'
import type { Line } from '@memory/shared/transfer/lines'
import { type CommandClient, ServiceError } from './client.ts'
import { Failure, type Output } from './command.ts'
import { count, counted } from './format.ts'
import { parseLine } from './import-line.ts'
import { startProgress } from './progress.ts'

export interface StoreOptions extends Pick<SharedOptions, 'skipInvalid' | 'save'> {
  client: CommandClient
  output: Output
  /** Bytes of the whole source, where they are known. */
  total: number | undefined
  /** What to do after a stop: by what passes, and by what has to be mended. */
  hint: { passing: string; lasting: string }
}

const runningNote = 'An earlier run’s batch may still be being stored: waiting for it, two minutes at most.'

/**
 * Sends lines in batches, with a bar. @returns how many lines the service had already stored for an earlier run
 * @throws Failure that says how far the import came.
 */
export async function storeLines(
  lines: AsyncIterable<Line>,
  state: ImportState,
  { client, output, skipInvalid, total, save, hint }: StoreOptions,
): Promise<{ replayed: number }> {
  const progress = startProgress(output, {
    total,
    done: state.offset,
    counted: state.stored,
    unit: 'patterns',
  })
  client.onRetry = progress.note
  try {
    return await store(lines, state, {
      parse: parseLine,
      send: (route, json, key) => client.batchStoreJson(route, json, key),
      skipInvalid,
      save,
      update: ({ offset, stored }) => progress.update(offset, stored),
      leftOut: (place, reason) => progress.note(`${place}: ${reason}. Left out.`),
      waiting: () => progress.note(runningNote),
    })
  } catch (error) {
    const message = messageOf(error)
    if (message === undefined) throw error
    const advice = isPassing(error) ? hint.passing : hint.lasting
    throw new Failure(`${message}\n${acknowledged(state)} ${advice}`, { cause: error })
  } finally {
    progress.stop()
  }
}

/** How far an import came: the counts are of all lines up to the one that is named, but for blank ones. */
function acknowledged({ stored, line, invalid, expired, ahead = [] }: ImportState): string {
  const where = line === 0 ? '' : `, up to line ${count(line)}`
  const behind =
    ahead.length === 0 ? '' : `, ${count(ahead.length)} of them behind lines that there was no room for`
  const leftOut = [
    ...(invalid > 0 ? [`${count(invalid)} as invalid`] : []),
    ...(expired > 0 ? [`${count(expired)} as expired, or as over before it began`] : []),
  ]
  const without = leftOut.length === 0 ? '' : ` Left out up to there: ${leftOut.join(', ')}.`
  return `Acknowledged so far: ${counted(stored, 'line')}${where}${behind}.${without}`
}

/** Whether the same command may get further by itself. */
const isPassing = (error: unknown): boolean =>
  error instanceof ServiceError
    ? error.status === 429 || error.status >= 500
    : !(error instanceof InvalidLines)

function messageOf(error: unknown): string | undefined {
  if (error instanceof InvalidLines) return `${error.message}\n--skip-invalid leaves such lines out.`
  return error instanceof Failure || error instanceof MemoryFull ? error.message : undefined
}
