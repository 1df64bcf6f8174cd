import { diffWordsWithSpace } from 'diff'

export interface WordChange {
  /** Where it begins in the two texts together. */
  at: number
  value: string
  added: boolean
  removed: boolean
}

/**
 * How many words and spaces may be others. The work grows with its square: for the longest texts this many take milliseconds,
 * and without a limit a page would stand still for half a minute.
 */
const maxEditLength = 200

/**
 * What was added, what removed, and what stayed. Where too much is another, it is what lies between the beginning and the
 * end that both have: as of a paragraph that was added.
 */
export function wordChanges(old: string, text: string): WordChange[] {
  let at = 0
  const changes = diffWordsWithSpace(old, text, { maxEditLength }) ?? betweenEnds(old, text)
  return changes.map(({ value, added, removed }) => {
    const change = { at, value, added, removed }
    at += value.length
    return change
  })
}

/** Cut between words. */
function betweenEnds(old: string, text: string): Omit<WordChange, 'at'>[] {
  const most = Math.min(old.length, text.length)
  let begin = 0
  while (begin < most && old[begin] === text[begin]) begin++
  while (begin > 0 && !isSpace(old[begin - 1]) && !(isEdge(old[begin]) && isEdge(text[begin]))) begin--
  let end = 0
  while (end < most - begin && old.at(-1 - end) === text.at(-1 - end)) end++
  while (end > 0 && !isSpace(old.at(-end)) && !(isEdge(old.at(-1 - end)) && isEdge(text.at(-1 - end)))) end--
  const changes = [
    { value: old.slice(0, begin), added: false, removed: false },
    { value: old.slice(begin, old.length - end), added: false, removed: true },
    { value: text.slice(begin, text.length - end), added: true, removed: false },
    { value: old.slice(old.length - end), added: false, removed: false },
  ]
  return changes.filter(({ value }) => value !== '')
}

const isSpace = (character = ''): boolean => /\s/.test(character)

/** Whether a word ends there: at white space, or with the text. */
const isEdge = (character: string | undefined): boolean => character === undefined || isSpace(character)
