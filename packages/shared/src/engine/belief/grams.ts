import { parameters } from '../parameters.ts'

const { gramCharacters, textCharacters } = parameters.belief

/** Letters of scripts whose words are not set apart, or are one or two letters long. */
const dense =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
/** Whether a run is of a script that does not set words apart. */
export const isDense = (run: string): boolean => dense.test(run)

const runs = new RegExp(`${dense.source}+|(?:(?!${dense.source})[\\p{L}\\p{N}])+`, 'gu')

/**
 * The parts of a text by which it is compared with others, without a resource of any language: the 4-grams of its words,
 * a space before and after each; of scripts that do not set words apart, pairs of characters. Case, accents and
 * punctuation make no difference. Only the beginning of a long text counts.
 */
export function textGrams(text: string): Set<string> {
  const grams = new Set<string>()
  for (const run of foldedRuns(text)) {
    if (isDense(run)) addGrams(grams, run, 2)
    else addGrams(grams, ` ${run} `, gramCharacters)
  }
  return grams
}

/** Words, or runs of characters where words are not set apart, without case and accents, in their order. */
export function foldedRuns(text: string): string[] {
  const folded = text
    .slice(0, textCharacters)
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .normalize('NFC')
    .toLowerCase()
  return folded.match(runs) ?? []
}

/** The numbers that are written in a text, as written but without separators within. */
export function numbersIn(text: string): Set<string> {
  const found =
    text
      .slice(0, textCharacters)
      .normalize('NFKC')
      .match(/\p{Nd}+(?:[.,:/]\p{Nd}+)*/gu) ?? []
  return new Set(found.map((number) => number.replaceAll(/[.,:/]/g, '')))
}

/** Halves of characters outside the basic plane are as good a part as any: both texts have the same. */
function addGrams(grams: Set<string>, run: string, length: number): void {
  if (run.length <= length) grams.add(run)
  for (let i = 0; i + length <= run.length; i++) grams.add(run.slice(i, i + length))
}
