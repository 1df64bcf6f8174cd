import { type Found, listLength, measure } from '../support/evidence-recall.ts'
import { type Practice, practise } from './practice.ts'
import { RehearsedSpace, type Reweigh } from './rehearsed-space.ts'
import type { Asked, SpaceCase } from './spaces.ts'

/** Patterns that a practising caller asks for. */
const practiceLength = 10
/** Any time will do; it is the same in every run. */
const start = Date.UTC(2026, 0, 1)

/** How well a space that nobody has used answers. */
export async function measureUntouched(
  space: SpaceCase,
  questions: readonly Asked[],
  reweigh?: Reweigh,
): Promise<Found[]> {
  return measureAll(await RehearsedSpace.of(space.turns, start), space, questions, reweigh)
}

/** How well a space answers questions after it has been used with others. */
export async function measurePractised(
  space: SpaceCase,
  { practised, kept }: { practised: readonly Asked[]; kept: readonly Asked[] },
  { seed, pauseMs, ...practice }: Practice & { seed: number; pauseMs: number },
  reweigh?: Reweigh,
): Promise<{ found: Found[]; space: RehearsedSpace }> {
  const rehearsed = await RehearsedSpace.of(space.turns, start)
  const trainee = {
    async ask(asked: Asked) {
      rehearsed.advance(pauseMs)
      const answer = await rehearsed.use(asked, 'one', practiceLength, reweigh)
      return answer.map(({ idx }) => idx)
    },
    tell: (asked: Asked, idx: number) => rehearsed.tell(asked, 'one', idx, reweigh),
  }
  await practise(trainee, practised, practice, seed)
  return { found: await measureAll(rehearsed, space, kept, reweigh), space: rehearsed }
}

async function measureAll(
  rehearsed: RehearsedSpace,
  { ids }: SpaceCase,
  questions: readonly Asked[],
  reweigh?: Reweigh,
): Promise<Found[]> {
  const found: Found[] = []
  for (const asked of questions) {
    const scored = await rehearsed.recall(asked, reweigh)
    const ranking = scored.slice(0, listLength).map(({ idx }) => ids[idx] as string)
    found.push(measure(asked.question, ranking))
  }
  return found
}
