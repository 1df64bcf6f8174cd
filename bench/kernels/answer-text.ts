import type { Accel } from '../../crates/accel/index.js'
import { type Spread, spread } from '../support/statistics.ts'
import { dimensions, randomVector } from './matrix.ts'
import { time } from './time.ts'

const results = 10

/** An answer of ten values of 384 numbers, by the texts that are stored and by JSON.stringify. */
export interface AnswerText {
  name: string
  bytes: number
  /** Milliseconds an answer, over the rounds. */
  spliced: Spread
  stringified: Spread
  /** Stringified / spliced, of the fastest rounds. */
  ratio: number
}

/**
 * Joins the stored texts as the service does (`query-vectors.ts`), up to the number of bytes, which it must send first,
 * and up to the bytes themselves.
 */
export function measureAnswerTexts(native: Accel, rounds: number): AnswerText[] {
  const texts = native.vectorTexts(randomVector(results * dimensions), dimensions)
  const stored = texts.map((value, i) => ({
    value,
    confidence: Math.random(),
    id: `00000000-0000-7000-8000-00000000000${i}`,
  }))
  const spliced = () => {
    const all = stored.map(
      ({ value, confidence, id }) =>
        `{"value":${value},"confidence":${confidence},"pathway":"exact","pattern_id":"${id}"}`,
    )
    return `{"results":[${all.join(',')}],"latency_ms":${0.25}}`
  }
  const answer = {
    results: stored.map(({ value, confidence, id }) => ({
      value: JSON.parse(value) as number[],
      confidence,
      pathway: 'exact',
      pattern_id: id,
    })),
    latency_ms: 0.25,
  }
  const stringified = () => JSON.stringify(answer)
  if (spliced() !== stringified()) throw new Error('The two texts of one answer differ')
  const bytes = Buffer.byteLength(spliced())
  return [
    measure(`text of ${results} stored values and its length`, (write) => Buffer.byteLength(write())),
    measure(`the same, as bytes`, (write) => Buffer.from(write())),
  ]

  function measure(name: string, use: (write: () => string) => unknown): AnswerText {
    const samples = { spliced: [] as number[], stringified: [] as number[] }
    for (let round = 0; round < rounds; round++) {
      samples.spliced.push(time(() => use(spliced)))
      samples.stringified.push(time(() => use(stringified)))
    }
    const [own, other] = [spread(samples.spliced), spread(samples.stringified)]
    return { name, bytes, spliced: own, stringified: other, ratio: other.min / own.min }
  }
}
