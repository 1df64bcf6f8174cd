import { expect, it } from 'vitest'
import { demoFacts, demoQuestions } from '../../apps/cli/src/demo-facts.ts'

it('has facts in many languages, each once', () => {
  expect(demoFacts.length).toBeGreaterThanOrEqual(40)
  expect(new Set(demoFacts.map(({ lang }) => lang)).size).toBeGreaterThanOrEqual(10)
  expect(new Set(demoFacts.map(({ id }) => id)).size).toBe(demoFacts.length)
  expect(new Set(demoFacts.map(({ text }) => text)).size).toBe(demoFacts.length)
})

it.each(demoQuestions)('asks “$text” in another language than the answer', ({ lang, answer }) => {
  const fact = demoFacts.find(({ id }) => id === answer)
  expect(fact).toBeDefined()
  expect(fact?.lang).not.toBe(lang)
})
