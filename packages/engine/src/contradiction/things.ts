import { fold } from '../lexical/tokenise.ts'
import { kinds, relativePrefixes } from './kinds.ts'
import { brandNames, chineseNames, knownNames } from './known-names.ts'
import { languages } from './languages.ts'
import { memo } from './memo.ts'
import { sharedBeginning, sharedEnding, withoutProclitic } from './stems.ts'
import type { Token } from './tokens.ts'
import type { Lexicon } from './words.ts'

/** What a word may stand for: things, each with its kind before a full stop; a name may be short for several. */
export type Things = ReadonlySet<string>

/** Words with what they stand for: as they are written, without accents, and by their beginning. */
interface Table {
  readonly written: Map<string, Set<string>>
  readonly plain: Map<string, Set<string>>
  readonly beginnings: Map<string, Set<string>>
}

const newTable = (): Table => ({ written: new Map(), plain: new Map(), beginnings: new Map() })
const nothing: Things = new Set()

function add(table: Table, form: string, thing: string): void {
  const insert = (words: Map<string, Set<string>>, word: string) =>
    words.set(word, (words.get(word) ?? new Set()).add(thing))
  if (form.endsWith('*')) return void insert(table.beginnings, fold(form.slice(0, -1)))
  insert(table.written, form.normalize('NFC'))
  insert(table.plain, fold(form))
}

const kindsOf = memo((code: string) => {
  const table = newTable()
  for (const [i, kind] of (kinds[code] ?? '').split(';').entries())
    for (const [j, forms] of kind.split('~').entries())
      for (const form of forms.split('|')) if (form !== '') add(table, form, `${i}.${j}`)
  const prefixes = relativePrefixes[code]?.split('|') ?? []
  const [relatives = ''] = (kinds[code] ?? '').split(';')
  // A word of its own, such as that for a grandfather, stays it.
  for (const prefix of prefixes)
    for (const [j, forms] of relatives.split('~').entries())
      for (const form of forms.split('|'))
        if (!table.plain.has(fold(prefix + form))) add(table, prefix + form, `0.${prefix}${j}`)
  return table
})

/** Names of all languages that have capitals together: people keep theirs where they go. */
const cased = 'cased'
const hasCapitals = (code: string): boolean =>
  ['Latin', 'Cyrillic', 'Greek'].includes(languages[code]?.script ?? '')
const namesOf = memo((code: string) => {
  const table = newTable()
  const lists = code === cased ? Object.keys(knownNames).filter(hasCapitals) : [code]
  const texts = lists.map((each) => knownNames[each] ?? '')
  for (const [i, text] of (code === cased ? [...texts, brandNames] : texts).entries())
    for (const [j, name] of text.trim().split(/\s+/).entries())
      for (const form of name.split('/')) if (form !== '') add(table, form, `name.${i}-${j}`)
  return table
})

/** What a relative's or an animal's word stands for; its accents tell where others have the same letters. */
export function thingsOf(token: Pick<Token, 'lower' | 'key'>, lexicon: Lexicon | undefined): Things {
  if (lexicon === undefined) return nothing
  const { code } = lexicon
  const { written, plain, beginnings } = kindsOf(code)
  for (const key of [token.key, ...(proclitic.has(code) ? [withoutProclitic(token.key)] : [])]) {
    const found = written.get(token.lower) ?? (code === 'vi' ? undefined : plain.get(key))
    if (found !== undefined) return found
    for (let length = key.length; length >= leastBeginning; length--) {
      const begun = beginnings.get(key.slice(0, length))
      if (begun !== undefined) return begun
    }
  }
  return nothing
}
const proclitic = new Set(['ar', 'he'])
/** A syllable of Hangul is a word already. */
const leastBeginning = 1

/** Letters that the names of a language lose and get with their place in a sentence. */
const longestEnding = 4
const vowels = /[aeiouyąęěůáéíýаеиоуыіїюяьй]$/u
const fleeting = /[eеo](?=[kclrnлцкрв]$)/u
const stemsOf = memo((code: string) => {
  const stems = new Map<string, Set<string>>()
  for (const [name, things] of namesOf(code).plain) {
    // A vowel before the last letter may go: Wojtek, Wojtka.
    for (const stem of [name.replace(vowels, ''), name.replace(fleeting, '')])
      if (stem.length >= leastStem) stems.set(stem, new Set([...(stems.get(stem) ?? []), ...things]))
  }
  return stems
})
const leastStem = 3
const nameEnding =
  /^(?:[aeiouyąęůáéíý]|owi|ovi|em|iem|ie|om|ou|ów|u|nak|nek|n|lle|lla|ssa|lta|sta|[аеёиіїйоуыьюяє]|ом|ем|ём|ой|ей|ою|ею|єю|ові|еві)$/u

/** Whose a name is, in a form that it has in its place; where there are capitals it must have one. */
export function bearersOf({ raw, key }: Token, lexicon: Lexicon | undefined): Things {
  const code = lexicon === undefined || hasCapitals(lexicon.code) ? cased : lexicon.code
  if (code === cased && (!/\p{Lu}/u.test(raw) || lexicon?.common.has(key))) return nothing
  const { plain } = namesOf(code)
  const found = plain.get(key) ?? (proclitic.has(code) ? plain.get(withoutProclitic(key)) : undefined)
  if (found !== undefined) return found
  if (code === 'ko') return plain.get(key.replace(particles, '')) ?? nothing
  return lexicon?.inflects === true ? bearersByStem(key) : nothing
}
const particles =
  /(?<=^\p{L}{2,})(?:에게서?|한테서?|에서|으?로|이?랑|이[가는를]?|가|을|를|은|는|의|와|과|에|도|야|아|씨)$/u

function bearersByStem(key: string): Things {
  for (let length = 1; length <= longestEnding; length++)
    if (nameEnding.test(key.slice(-length))) {
      const things = stemsOf(cased).get(key.slice(0, -length))
      if (things !== undefined) return things
    }
  return nothing
}

/** Whether two words stand for different things of one kind. */
export function areOthers(one: Things, other: Things): boolean {
  const kindOf = (thing: string) => thing.slice(0, thing.indexOf('.'))
  const others = new Set([...other].map(kindOf))
  return [...one].some((thing) => others.has(kindOf(thing))) && ![...one].some((thing) => other.has(thing))
}

/**
 * Words of which the accents alone tell what they stand for (avó, avô), by their letters: each as it is written. Of all languages
 * together: a short text does not tell its own, and no other has such a word for something else.
 */
const toldByAccents = memo((): ReadonlyMap<string, ReadonlyMap<string, Things>> => {
  const words = new Map<string, Map<string, Things>>()
  for (const code of Object.keys(kinds)) {
    const { written, plain } = kindsOf(code)
    for (const [form, things] of written) {
      const key = fold(form)
      // Some words hold for several, whatever their accents.
      if (things.size === plain.get(key)?.size) continue
      words.set(
        key,
        new Map([...(words.get(key) ?? []), [form, new Set([...things].map((each) => `${code}${each}`))]]),
      )
    }
  }
  return words
})

/** Whether a word of which the accents alone tell what it stands for has others in the other text. */
export function haveOtherAccents(one: readonly Token[], other: readonly Token[]): boolean {
  const words = toldByAccents('all')
  const [some, others] = [one, other].map((tokens) => tokens.filter(({ key }) => words.has(key))) as [
    Token[],
    Token[],
  ]
  const [token, otherToken] = [some[0], others[0]]
  if (token === undefined || otherToken === undefined || some.length + others.length > 2) return false
  const thingsIn = ({ key, lower }: Token): Things => words.get(key)?.get(lower) ?? nothing
  return areOthers(thingsIn(token), thingsIn(otherToken))
}

interface Finder {
  readonly pattern: RegExp
  readonly things: ReadonlyMap<string, Things>
}

/** Finds names and things of a language that sets no words apart. */
const finderOf = memo((code: string): Finder => {
  const things = new Map([...namesOf(code).plain, ...kindsOf(code).plain])
  const listed = [...things.keys()].sort((a, b) => b.length - a.length)
  const { family, given } = chineseNames
  const composed = code === 'zh' ? [`[${family}][${given}]{1,2}`, `[小老阿][${family}${given}]`] : []
  return { pattern: new RegExp([...composed, ...listed].join('|'), 'gu'), things }
})

/** Whether two texts without spaces are the same but for a name or a thing, in the place of another of its kind. */
export function haveOtherDenseThings(one: string, other: string, { code }: Lexicon): boolean {
  const { pattern, things } = finderOf(code)
  const before = sharedBeginning(one, other)
  const after = sharedEnding(one, other)
  // Around what differs the texts are the same.
  const found = (text: string) =>
    [...text.matchAll(pattern)]
      .map(({ 0: word, index }) => ({ word, index, rest: text.length - index - word.length }))
      .filter(({ index, rest }) => index <= before && rest <= after)
  const standsFor = (word: string) => things.get(word) ?? new Set([`name.${word}`])
  const others = new Map(found(other).map(({ word, index, rest }) => [`${index} ${rest}`, word]))
  return found(one).some(({ word, index, rest }) => {
    const otherWord = others.get(`${index} ${rest}`)
    return otherWord !== undefined && areOthers(standsFor(word), standsFor(otherWord))
  })
}
