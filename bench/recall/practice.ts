import { randomFrom, shuffled } from '../support/random.ts'
import type { Asked } from './spaces.ts'

/** How a space is used with some questions before others are measured. */
export interface Practice {
  /** Whether feedback follows each answer, one for each turn of the evidence. */
  feedback: boolean
  /** Share of questions whose feedback names a pattern of the answer instead that is none of the evidence. */
  wrongShare: number
}

/** The ways of use that are measured. */
export const practices: Readonly<Record<string, Practice>> = {
  asked: { feedback: false, wrongShare: 0 },
  'asked, with feedback': { feedback: true, wrongShare: 0 },
  'asked, feedback wrong for 20 %': { feedback: true, wrongShare: 0.2 },
}

/** How often each question is asked in practice. */
const rounds = 2

/** A space that can be asked and told. */
export interface Trainee {
  /** @returns the idx of the patterns that were answered, best first */
  ask(asked: Asked): Promise<number[]>
  /** Says that a pattern was useful for a question. */
  tell(asked: Asked, idx: number): Promise<void>
}

/** Asks all questions, twice over, as one actor. */
export async function practise(
  trainee: Trainee,
  questions: readonly Asked[],
  { feedback, wrongShare }: Practice,
  seed: number,
): Promise<void> {
  const random = randomFrom(seed)
  for (let round = 0; round < rounds; round++) {
    for (const asked of questions) {
      const answer = await trainee.ask(asked)
      if (!feedback) continue
      const others = answer.filter((idx) => !asked.wanted.includes(idx))
      const other = others[Math.floor(random() * others.length)]
      const isWrong = random() < wrongShare && other !== undefined
      for (const idx of isWrong ? [other] : asked.wanted) await trainee.tell(asked, idx)
    }
  }
}

/** A random half of the questions to practise with, and the other half to measure. */
export function halves(questions: readonly Asked[], seed: number): { practised: Asked[]; kept: Asked[] } {
  const order = shuffled(questions, randomFrom(seed))
  const middle = Math.ceil(order.length / 2)
  return { practised: order.slice(0, middle), kept: order.slice(middle) }
}
