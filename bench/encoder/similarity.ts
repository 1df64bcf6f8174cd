/**
 * How well the encoder's cosines agree with people, with and without the part of characters that the model does not
 * know: Spearman's rank correlation, for each language and for its Latin letters written in a script that the model does
 * not know.
 *
 *   npm run bench -- similarity FOLDER [LANGUAGES] [PAIRS]
 *
 * The folder holds `stsb-LANGUAGE-dev.csv`; languages are separated by commas.
 */
import { fileURLToPath } from 'node:url'
import { openEncoder } from '../../packages/engine/src/encoder/encoder.ts'
import { readOptions, required } from '../../scripts/read-options.ts'
import { readPairs } from '../belief/pairs.ts'
import { spearman } from '../support/rank-correlation.ts'

const { positionals } = readOptions({ allowPositionals: true })
const [given, languages = 'en,fr,zh,ja', most = '1500'] = positionals
const folder = required('FOLDER', given, 'the folder of the sentence pairs')
const encoder = await openEncoder(fileURLToPath(new URL('../../models', import.meta.url)))

/** Latin letters as letters of Tifinagh. */
const unknownLetters = (text: string) =>
  text
    .toLowerCase()
    .replaceAll(/[a-z]/g, (letter) => String.fromCodePoint(0x2d30 + letter.charCodeAt(0) - 'a'.charCodeAt(0)))

for (const language of languages.split(',')) {
  const file = readPairs(folder, language, 'dev')
  if (file === undefined) throw new Error(`${folder} has no stsb-${language}-dev.csv`)
  const pairs = file.pairs.slice(0, Number(most))
  const agreement = async (write: (text: string) => string) => {
    const cosines: number[] = []
    for (const { first, second } of pairs) {
      const [a, b] = [await encoder.encode(write(first)), await encoder.encode(write(second))]
      cosines.push(a.reduce((sum, value, i) => sum + value * (b[i] as number), 0))
    }
    return spearman(
      cosines,
      pairs.map(({ score }) => score),
    ).toFixed(5)
  }
  console.log(
    JSON.stringify({
      language,
      pairs: pairs.length,
      spearman: await agreement((text) => text),
      unknownScript: await agreement(unknownLetters),
    }),
  )
}
await encoder.close()
