/**
 * Writes the table that languages are told by from that of `eld`:
 *
 *   node scripts/letter-statistics.ts
 *
 * Little-endian: the counts of languages and of grams (uint32), the score of most texts in each language and the grams in
 * ascending order (float64), the codes of the languages (2 bytes each), in how many languages each gram is, in which, and
 * what it counts there (bytes).
 */
import { writeFileSync } from 'node:fs'
import { begins, ends, gramNumber } from '../packages/memory/src/lexical/letter-statistics.ts'

const eld = new URL('../node_modules/eld/src/', import.meta.url)
const { ngramsData } = await import(new URL('ngrams/extrasmall.js', eld).href)
const { dictionary } = await import(new URL('dictionary.js', eld).href)
const { avgScore } = await import(new URL('avgScore.js', eld).href)

/** The package writes each byte beyond ASCII as a character of its own. */
const byteOf = new Map<string, number>()
for (const [byte, character] of (dictionary as string[]).entries()) {
  if (byte >= 0x80 && character !== ' ') byteOf.set(character, byte)
}
const isAscii = (character: string) => /^[a-z'`]$/.test(character)

const codes = Object.values<string>(ngramsData.languages)
const grams = Object.entries<Record<string, number>>(ngramsData.ngrams)
  .map(([gram, weights]) => {
    const bytes = [...gram.trim()].map((one) =>
      isAscii(one) ? one.charCodeAt(0) : (byteOf.get(one) as number),
    )
    const flags = (gram.startsWith(' ') ? begins : 0) + (gram.endsWith(' ') ? ends : 0)
    return { number: gramNumber(Uint8Array.from(bytes), 0, bytes.length) + flags, weights }
  })
  .sort((a, b) => a.number - b.number)
const known = grams.flatMap(({ weights }) => Object.entries(weights))

writeFileSync(
  new URL('../packages/memory/src/lexical/letter-statistics.bin', import.meta.url),
  Buffer.concat([
    Buffer.from(Uint32Array.of(codes.length, grams.length).buffer),
    Buffer.from(Float64Array.from(codes, (code) => avgScore[code]).buffer),
    Buffer.from(Float64Array.from(grams, ({ number }) => number).buffer),
    Buffer.from(codes.join(''), 'latin1'),
    Uint8Array.from(grams, ({ weights }) => Object.keys(weights).length),
    Uint8Array.from(known, ([language]) => Number(language)),
    Uint8Array.from(known, ([, weight]) => weight),
  ]),
)
console.log(`${grams.length} grams of ${codes.length} languages`)
