/**
 * The probability that the nearest text answers a question: how well it is calibrated on LoCoMo conversations that it was
 * not fitted on, and the weights that fit them all (`answered` in the engine's parameters).
 *
 *   npm run bench -- answers --data dev.json
 *
 * Of each question, spaces of 6, 30 and 150 turns are drawn, which hold the evidence in 7 of 10 cases, and the whole
 * conversation. Questions that the conversation does not answer are left out: their labels name turns all the same.
 */
import { join } from 'node:path'
import { beliefFeatures } from '../packages/engine/src/belief/features.ts'
import { classify } from '../packages/engine/src/belief/model.ts'
import { openEncoder } from '../packages/engine/src/encoder/encoder.ts'
import { answerFeatures } from '../packages/engine/src/explain/confidence.ts'
import type { Candidate } from '../packages/engine/src/explain/select.ts'
import { kernels } from '../packages/engine/src/kernels/kernels.ts'
import { parameters } from '../packages/engine/src/parameters.ts'
import { readOptions, required } from '../scripts/read-options.ts'
import { type Example, fitLogistic, probability } from './answers/logistic.ts'
import { environmentLine, readEnvironment, repository } from './support/environment.ts'
import { type Conversation, readConversations } from './support/locomo.ts'
import { randomFrom, shuffled } from './support/random.ts'
import { table, writeResult } from './support/results.ts'

const { values: options } = readOptions({ options: { data: { type: 'string' } } })
const data = required('data', options.data, 'the LoCoMo conversations, see bench/README.md')
const environment = readEnvironment()
console.log(`${environmentLine(environment)}\n`)

const sizes = [6, 30, 150, Number.POSITIVE_INFINITY]
const evidenceShare = 0.7
const random = randomFrom(1)
const encoder = await openEncoder(join(repository, 'models'))

interface Case extends Example {
  conversation: string
  belief: number
}

const cases: Case[] = []
for (const conversation of readConversations(data)) cases.push(...(await casesOf(conversation)))
await encoder.close()

const weightsWithout = new Map(
  [...new Set(cases.map(({ conversation }) => conversation))].map((name) => [
    name,
    fitLogistic(cases.filter(({ conversation }) => conversation !== name)),
  ]),
)
const judged = {
  'fitted on the other conversations': cases.map(({ conversation, features, isTrue }) => ({
    p: probability(weightsWithout.get(conversation) ?? [], features),
    isTrue,
  })),
  belief: cases.map(({ belief, isTrue }) => ({ p: belief, isTrue })),
}
const figures = Object.entries(judged).map(([name, list]) => ({ name, ...calibration(list) }))
console.log(
  table(
    ['probability', 'cases', 'true', 'Brier score', 'calibration error'],
    figures.map(({ name, count, share, brier, error }) => [
      name,
      String(count),
      ...[share, brier, error].map((value) => value.toFixed(3)),
    ]),
  ),
)
const [intercept, cosine, lead, logPatterns, sharedGrams] = fitLogistic(cases)
const weights = { intercept, cosine, lead, logPatterns, sharedGrams }
console.log('\nWeights fitted on all:', weights)
writeResult('answers', environment, { figures, weights })

async function casesOf({ name, turns, questions }: Conversation): Promise<Case[]> {
  const texts: Omit<Candidate, 'cosine'>[] = []
  for (const [idx, { text }] of turns.entries()) texts.push({ idx, text, vector: await encoder.encode(text) })
  const list: Case[] = []
  for (const { text, category, evidence } of questions) {
    if (category === 'adversarial') continue
    const vector = await encoder.encode(text)
    const isEvidence = (each: { idx: number }) => evidence.includes(turns[each.idx]?.id ?? '')
    for (const size of sizes) {
      const rest = sample(
        texts.filter((each) => !isEvidence(each)),
        size,
      )
      const hasEvidence = size === Number.POSITIVE_INFINITY || random() < evidenceShare
      const space = hasEvidence ? [...rest, ...texts.filter(isEvidence)] : rest
      const candidates = space
        .map((each) => ({ ...each, cosine: kernels.cosine(vector, each.vector) }))
        .sort((a, b) => b.cosine - a.cosine || a.idx - b.idx)
        .slice(0, parameters.belief.candidates)
      const { exact_match, composition } = classify(
        beliefFeatures({ text, vector }, candidates, space.length),
      )
      list.push({
        conversation: name,
        features: answerFeatures(text, candidates, space.length),
        isTrue: candidates.slice(0, 1).some(isEvidence),
        belief: exact_match + composition / 2,
      })
    }
  }
  console.error(`Conversation ${name}: ${list.length} cases`)
  return list
}

/** Brier score, and the mean distance between probability and share in ten groups of equal size. */
function calibration(list: readonly { p: number; isTrue: boolean }[]) {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const sorted = list.toSorted((a, b) => a.p - b.p)
  const groups = Array.from({ length: 10 }, (_, i) =>
    sorted.slice((i * sorted.length) / 10, ((i + 1) * sorted.length) / 10),
  )
  return {
    count: list.length,
    share: mean(list.map(({ isTrue }) => Number(isTrue))),
    brier: mean(list.map(({ p, isTrue }) => (p - Number(isTrue)) ** 2)),
    error: mean(
      groups.map((group) =>
        Math.abs(mean(group.map(({ p }) => p)) - mean(group.map(({ isTrue }) => Number(isTrue)))),
      ),
    ),
  }
}

function sample<T>(list: readonly T[], count: number): T[] {
  return shuffled(list, random).slice(0, count)
}
