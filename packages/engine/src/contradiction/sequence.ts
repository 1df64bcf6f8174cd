import { foldFor, keyIn, type Worded } from './words.ts'

/** Words before what comes later, then, after `~`, those that say no more than that it does. */
const sequences: Readonly<Record<string, string>> = {
  en: 'then|afterwards|afterward~first|and',
  fr: 'puis|ensuite~d|abord|et',
  de: 'dann|danach|anschließend~zuerst|erst|und',
  es: 'luego|después~primero|y',
  it: 'poi|dopo~prima|e',
  pt: 'depois~primeiro|e',
  nl: 'daarna|dan~eerst|en',
  sv: 'sedan~först|och',
  da: 'derefter|deretter|så~først|og',
  pl: 'potem|następnie~najpierw|i|a',
  cs: 'potom|pak~nejdřív|nejprve|a',
  ru: 'потом|затем~сначала|и|а',
  uk: 'потім~спочатку|і|а',
}

/** Whether what comes first in one text comes last in the other: lock the door, then set the alarm. */
export function isOtherSequence(one: Worded, other: Worded): boolean {
  const [steps, otherSteps] = [stepsOf(one), stepsOf(other)]
  if (steps === undefined || otherSteps === undefined) return false
  const [first, last] = steps
  const [otherFirst, otherLast] = otherSteps
  return first !== last && first === otherLast && last === otherFirst
}

/** The words of the two steps of a text, each in their alphabetical order. */
function stepsOf({ reading, lexicon }: Worded): [first: string, last: string] | undefined {
  const [later = '', fillers = ''] = foldFor(lexicon.code, sequences[lexicon.code] ?? '').split('~')
  const keys = reading.tokens.map((token) => keyIn(lexicon.code, token))
  const at = keys.findIndex((key) => later.split('|').includes(key))
  if (at < 0) return undefined
  const content = (words: string[]) =>
    words
      .filter((word) => !fillers.split('|').includes(word))
      .toSorted()
      .join(' ')
  return [content(keys.slice(0, at)), content(keys.slice(at + 1))]
}
