import type { Conversation } from '../support/locomo.ts'
import { randomFrom } from '../support/random.ts'

/** A conversation and the embeddings of its turns. */
export interface Space {
  conversation: Conversation
  keys: readonly Float32Array[]
}

/** A query of a space, and the patterns that it is for. */
export interface Asked {
  kind: 'question' | 'repeat' | 'noise'
  vector: Float32Array
  /** Undefined for a query that is a vector alone. */
  text: string | undefined
  wanted: ReadonlySet<number>
}

/** Of each conversation: texts that are asked for as they stand, and keys at each ratio of their norm to noise. */
const repeats = 100
const noisyPerRatio = 25
/** Square of a key's norm to the expected one of the noise. */
const signalToNoise = [2, 1, 0.5, 0.25]

/** A conversation's questions, exact repeats of its texts, and its keys with Gaussian noise; the same in every run. */
export function queriesOf({ conversation, keys }: Space, questions: readonly Float32Array[]): Asked[] {
  const random = randomFrom(conversation.turns.length)
  const pick = () => Math.floor(random() * keys.length)
  const { turns } = conversation
  return [
    ...conversation.questions.map(({ text, evidence }, i): Asked => {
      const wanted = new Set(evidence.map((id) => turns.findIndex((turn) => turn.id === id)))
      return { kind: 'question', vector: questions[i] as Float32Array, text, wanted }
    }),
    ...Array.from({ length: repeats }, (): Asked => {
      const idx = pick()
      const text = turns[idx]?.text as string
      const wanted = new Set([...turns.keys()].filter((at) => turns[at]?.text === text))
      return { kind: 'repeat', vector: keys[idx] as Float32Array, text, wanted }
    }),
    ...signalToNoise.flatMap((ratio) =>
      Array.from({ length: noisyPerRatio }, (): Asked => {
        const idx = pick()
        const vector = withNoise(keys[idx] as Float32Array, ratio, random)
        return { kind: 'noise', vector, text: undefined, wanted: new Set([idx]) }
      }),
    ),
  ]
}

function withNoise(key: Float32Array, ratio: number, random: () => number): Float32Array {
  const deviation = 1 / Math.sqrt(ratio * key.length)
  const noisy = key.map((value) => value + deviation * gaussian(random))
  const length = Math.hypot(...noisy)
  return noisy.map((value) => value / length)
}

/** Box and Muller, 1958. */
function gaussian(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}
