import { setImmediate as turnOfOthers } from 'node:timers/promises'
import { type Said, saidWithin } from '@memory/engine/belief/said-within'
import { everyWordOf } from '@memory/engine/explain/every-word'
import { kernels } from '@memory/engine/kernels/kernels'
import { fold } from '@memory/engine/lexical/tokenise'
import { parameters } from '@memory/engine/parameters'
import type { Caller } from '@memory/shared/catalogue/operation'
import type { MemoryContext } from '../context.ts'
import type { NearText, Wanted } from './near-text.ts'

/** Characters of texts that are looked through in one turn of the event loop, if it is more than one text: a few ms. */
const charactersOfTurn = 10_000

/** A sentence is as near to a query as a whole text can be, but one that is the query itself comes first. */
const sentenceMax = 1 - 1e-6

/**
 * Represents each text that states a query among other sentences by the sentence, if that is nearer: the more stands around it,
 * the farther is the whole. Those of the query's own words have its embedding; of others those most like it are embedded.
 * @param found the nearest texts, and others that share words with the query: of these only such as state it, or have an identifier of
 *   it or every word that says what it is about, are taken
 * @returns best first
 */
export async function inSentences(
  { compute }: Pick<MemoryContext, 'compute'>,
  caller: Caller,
  query: Wanted,
  { nearest, lexical }: { nearest: readonly NearText[]; lexical: readonly NearText[] },
): Promise<NearText[]> {
  const hasEveryWord = everyWordOf(query.text)
  const { names = [] } = query
  const hasWords = (text: string) => {
    if (hasEveryWord(text)) return true
    const folded = names.length === 0 ? '' : fold(text)
    return names.some(({ isIn }) => isIn(folded))
  }
  const sayOf = saidWithin(query.text)
  const known = new Set(nearest.map(({ idx }) => idx))
  const texts: { text: NearText; said: Said | undefined; isNear: boolean }[] = []
  let characters = 0
  for (const one of [...nearest, ...lexical.filter(({ idx }) => !known.has(idx))]) {
    // What its nearest passage lacks, a text may say elsewhere.
    const whole = one.whole ?? one.text
    characters += whole.length
    if (characters > charactersOfTurn) {
      await turnOfOthers()
      characters = whole.length
    }
    const text = { ...one, hasWords: hasWords(whole) }
    texts.push({ text, said: sayOf(whole), isNear: known.has(one.idx) })
  }
  // Where a sentence is the query itself, no other is nearer.
  const isFound = texts.some(({ said }) => said?.isSame)
  const likest = texts
    .flatMap(({ said }) => (said === undefined || isFound ? [] : [said]))
    .sort((a, b) => b.shared - a.shared)
    .slice(0, parameters.belief.sentences)
  const vectors = new Map<Said, Float32Array>(
    await Promise.all(
      likest.map(async (said) => [said, await compute.embed(caller, said.text, 'search')] as const),
    ),
  )
  return texts
    .flatMap(({ text, said, isNear }) => {
      const vector = said?.isSame ? query.vector : said && vectors.get(said)
      if (said === undefined || vector === undefined) return isNear || text.hasWords ? [text] : []
      const cosine = Math.min(sentenceMax, kernels.cosine(query.vector, vector))
      const sentence = { ...text, text: said.text, vector, cosine, whole: text.whole ?? text.text }
      return [cosine > text.cosine ? sentence : text]
    })
    .sort((a, b) => b.cosine - a.cosine || a.idx - b.idx)
}
