/**
 * How well the categories of facts are told, on those that nothing was fitted on:
 *
 *   npm run bench -- categories
 */
import { classifyFact } from '../packages/engine/src/categories/classify.ts'
import { readOptions } from '../scripts/read-options.ts'
import { classNames, type Fact, readFacts } from './categories/facts.ts'
import { classScores, type Judgement, macroF1 } from './categories/scores.ts'
import { environmentLine, readEnvironment } from './support/environment.ts'
import { table, writeResult } from './support/results.ts'

readOptions({})
const environment = readEnvironment()
console.log(`${environmentLine(environment)}\n`)
const facts = [...(await readFacts('test')), ...(await readFacts('held-out'))]
const judgements = facts.map(judge)
const byClass = classNames.map((name) => ({ name, ...classScores(judgements, name) }))
const languages = [...new Set(facts.map(({ language }) => language))]
const byLanguage = languages.map((language) => {
  const own = judgements.filter((each) => each.language === language)
  return { name: language, facts: own.length, right: share(own), f1: macroF1(own) }
})
const personal = judgements.map(({ truth, answer }) => ({
  truth: truth !== 'none',
  answer: answer !== 'none',
}))
const overall = {
  facts: facts.length,
  macroF1: macroF1(judgements),
  right: share(judgements),
  factsTakenForNone: personal.filter(({ truth, answer }) => truth && !answer).length,
  noneTakenForFacts: personal.filter(({ truth, answer }) => !truth && answer).length,
}
const costUs = timeOne(facts)
const figure = (value: number) => value.toFixed(3)
console.log(
  table(
    ['category', 'facts', 'precision', 'recall', 'F1'],
    byClass.map(({ name, facts, precision, recall, f1 }) => [
      name,
      String(facts),
      figure(precision),
      figure(recall),
      figure(f1),
    ]),
  ),
)
console.log(
  `\n${table(
    ['language', 'facts', 'right', 'macro-F1'],
    byLanguage.map(({ name, facts, right, f1 }) => [name, String(facts), figure(right), figure(f1)]),
  )}`,
)
console.log(
  `\nMacro-F1 ${figure(overall.macroF1)}, right ${figure(overall.right)} of ${overall.facts} facts; ` +
    `${overall.factsTakenForNone} facts taken for none, ${overall.noneTakenForFacts} the other way; ` +
    `${costUs.toFixed(1)} microseconds a text beside its embedding`,
)
writeResult('categories', environment, { overall, costUs, byClass, byLanguage })

function judge({ category, language, text, embedding }: Fact): Judgement & { language: string } {
  return { truth: category, answer: classifyFact(text, embedding) ?? 'none', language }
}

function share(of: readonly Judgement[]): number {
  return of.filter(({ truth, answer }) => truth === answer).length / Math.max(1, of.length)
}

/** Microseconds for one text: the median of rounds over all facts, after some to warm up. */
function timeOne(all: readonly Fact[]): number {
  const rounds = Array.from({ length: 60 }, () => {
    const started = performance.now()
    for (const { text, embedding } of all) classifyFact(text, embedding)
    return ((performance.now() - started) * 1000) / all.length
  })
  return rounds.slice(10).toSorted((a, b) => a - b)[25] ?? 0
}
