import { parameters } from '../parameters.ts'

/** The distinct words of a text: by their folded form, as they are written there. */
export type TextWords = ReadonlyMap<string, string>

/**
 * The words that tell each group of texts from the others, most telling first: by the share of its texts that have a word,
 * times the logarithm of how many times greater that is than the share of all others (the word's part of the relative
 * entropy). Of a single group those that most of its texts have. A word of a single text names a group only where no
 * word is in two, and one that is too long to be read names none.
 * @param wanted words of each group at most
 */
export function tellingWords(groups: readonly (readonly TextWords[])[], wanted: number): string[][] {
  const counts = groups.map((texts) => countTexts(texts))
  const all = new Map<string, number>()
  for (const group of counts)
    for (const [word, { texts }] of group) all.set(word, (all.get(word) ?? 0) + texts)
  const total = groups.reduce((sum, texts) => sum + texts.length, 0)
  return counts.map((group, at) => {
    const own = groups[at]?.length ?? 0
    const others = total - own
    const scored = Array.from(group.values(), ({ written, texts, folded }) => {
      const share = texts / own
      const elsewhere = ((all.get(folded) ?? 0) - texts + 0.5) / (others + 1)
      return { written, texts, score: others === 0 ? share : share * Math.log(share / elsewhere) }
    }).filter(({ score }) => score > 0)
    const repeated = scored.filter(({ texts }) => texts > 1)
    return (repeated.length > 0 ? repeated : scored)
      .sort((a, b) => b.score - a.score || (a.written < b.written ? -1 : 1))
      .slice(0, wanted)
      .map(({ written }) => written)
  })
}

function countTexts(texts: readonly TextWords[]) {
  const counts = new Map<string, { folded: string; written: string; texts: number }>()
  for (const words of texts) {
    for (const [folded, written] of words) {
      if (written.length > parameters.map.longestWord) continue
      const known = counts.get(folded)
      if (known === undefined) counts.set(folded, { folded, written, texts: 1 })
      else known.texts++
    }
  }
  return counts
}
