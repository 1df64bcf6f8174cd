import {
  type BeliefClass,
  type BeliefModel,
  beliefClasses,
  classify,
  mostProbable,
} from '../../packages/engine/src/belief/model.ts'
import type { Case } from './cases.ts'

export interface Judged extends Case {
  answer: BeliefClass
  probabilities: Record<BeliefClass, number>
}

export function judge(cases: readonly Case[], model: BeliefModel): Judged[] {
  return cases.map((one) => {
    const probabilities = classify(one.features, model)
    return { ...one, probabilities, answer: mostProbable(probabilities) }
  })
}

export interface Figures {
  cases: number
  macroF1: number
  f1: Record<BeliefClass, number>
  /** Expected calibration error of the probability of the class answered, and of `exact_match + composition / 2`. */
  calibrationError: number
  knownCalibrationError: number
  /** Mean negative logarithm of the probability of the truth. */
  logLoss: number
}

export function figuresOf(judged: readonly Judged[]): Figures {
  const f1 = Object.fromEntries(beliefClasses.map((name) => [name, f1Of(judged, name)])) as Record<
    BeliefClass,
    number
  >
  return {
    cases: judged.length,
    macroF1: mean(Object.values(f1)),
    f1,
    calibrationError: calibrationError(
      judged.map(({ probabilities, answer, truth }) => ({
        said: probabilities[answer],
        was: answer === truth ? 1 : 0,
      })),
    ),
    knownCalibrationError: calibrationError(
      judged.map(({ probabilities, truth }) => ({
        said: probabilities.exact_match + probabilities.composition / 2,
        was: truth === 'exact_match' ? 1 : truth === 'composition' ? 0.5 : 0,
      })),
    ),
    logLoss: mean(judged.map(({ probabilities, truth }) => -Math.log(probabilities[truth]))),
  }
}

/** How many of each kind of query were answered with each class. */
export function confusions(judged: readonly Judged[]): Record<string, Record<BeliefClass, number>> {
  const counts: Record<string, Record<BeliefClass, number>> = {}
  for (const { kind, truth, answer } of judged) {
    const name = `${truth}: ${kind}`
    counts[name] ??= { exact_match: 0, composition: 0, novel: 0 }
    counts[name][answer]++
  }
  return Object.fromEntries(Object.entries(counts).sort())
}

function f1Of(judged: readonly Judged[], name: BeliefClass): number {
  const right = judged.filter(({ truth, answer }) => truth === name && answer === name).length
  const given = judged.filter(({ answer }) => answer === name).length
  const wanted = judged.filter(({ truth }) => truth === name).length
  return given + wanted === 0 ? 0 : (2 * right) / (given + wanted)
}

/** Mean distance between what was said and what was, over ten bins of equal width (Naeini et al., AAAI 2015). */
function calibrationError(answers: readonly { said: number; was: number }[]): number {
  const bins = Map.groupBy(answers, ({ said }) => Math.min(9, Math.floor(said * 10)))
  return [...bins.values()].reduce((sum, bin) => {
    const distance = Math.abs(mean(bin.map(({ said }) => said)) - mean(bin.map(({ was }) => was)))
    return sum + (distance * bin.length) / answers.length
  }, 0)
}

function mean(values: readonly number[]): number {
  return values.reduce((a, b) => a + b, 0) / values.length
}
