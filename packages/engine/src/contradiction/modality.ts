import { memo } from './memo.ts'
import { saysNo } from './polarity.ts'
import { isSmall, wordsApart } from './same-words.ts'
import type { Reading, Token } from './tokens.ts'
import { type Lexicon, lexiconsFor, wholeWords } from './words.ts'

/** How a language says that something has to be done, that it may be, and that it may not, in words with their accents. */
const modals: Readonly<Record<string, { must: string; may: string; forbidden?: string }>> = {
  en: {
    must: 'must|(?:has|have|had|need|needs|needed|got) to|(?:required|obliged|obligated) to',
    may: 'may|can|could|allowed to|permitted to',
    forbidden: 'forbidden|prohibited|banned',
  },
  fr: {
    must: 'dois|doit|devons|devez|doivent|devait|devaient|faut',
    may: 'peux|peut|pouvons|pouvez|peuvent|pouvait|pouvaient',
    forbidden: 'interdite?s?|défendu|prohibée?',
  },
  de: {
    must: 'muss|muß|musst|müssen|müsst|musste|mussten',
    may: 'darf|darfst|dürfen|dürft|durfte|durften|kann|kannst|können|könnt|konnte|konnten',
    forbidden: 'verboten|untersagt',
  },
  es: {
    must: 'debo|debes|debe|debemos|deben|(?:tengo|tienes|tiene|tenemos|tienen|hay) que',
    may: 'puedo|puedes|puede|podemos|pueden',
    forbidden: 'prohibid[oa]s?',
  },
  it: {
    must: 'devo|devi|deve|dobbiamo|dovete|devono|bisogna',
    may: 'posso|puoi|può|possiamo|potete|possono',
    forbidden: 'vietat[oa]|proibit[oa]',
  },
  pt: {
    must: 'devo|deves|deve|devemos|devem|(?:tenho|tens|tem|temos|têm) (?:de|que)',
    may: 'posso|podes|pode|podemos|podem',
    forbidden: 'proibid[oa]s?',
  },
  nl: {
    must: 'moet|moeten|moest|moesten',
    may: 'mag|mogen|mocht|mochten|kan|kunt|kunnen',
    forbidden: 'verboden',
  },
  sv: { must: 'måste', may: 'får|kan', forbidden: 'förbjudet' },
  pl: { must: 'musi|muszą|muszę|musisz|trzeba', may: 'może|mogą|mogę|możesz|można|wolno' },
  hi: { must: 'चाहिए|पड़ेगा|पड़ता', may: 'सकता|सकती|सकते', forbidden: 'मना|वर्जित|निषिद्ध' },
  ru: { must: 'должен|должна|должны|надо|нужно', may: 'может|могут|могу|можно' },
}

/** How a language says that something may come to be, and that it will, which may be left out. */
const chances: Readonly<Record<string, { perhaps: string; surely?: string }>> = {
  en: { perhaps: 'might|may|maybe|perhaps|possibly', surely: 'will|ll|shall|going to|definitely|certainly' },
  fr: { perhaps: 'peut être', surely: 'certainement|sûrement' },
  de: { perhaps: 'vielleicht|womöglich|möglicherweise|eventuell', surely: 'sicher|bestimmt|definitiv' },
  es: { perhaps: 'quizás?|tal vez|a lo mejor|posiblemente', surely: 'seguramente|seguro' },
  it: { perhaps: 'forse|probabilmente', surely: 'sicuramente|certamente' },
  pt: { perhaps: 'talvez|possivelmente', surely: 'certamente' },
  nl: { perhaps: 'misschien|wellicht|mogelijk', surely: 'zeker' },
  sv: { perhaps: 'kanske|möjligen', surely: 'säkert' },
  da: { perhaps: 'måske|kanskje', surely: 'helt sikkert' },
  fi: { perhaps: 'ehkä|kenties' },
  pl: { perhaps: 'być może|chyba', surely: 'na pewno' },
  cs: { perhaps: 'možná|snad', surely: 'určitě' },
  hu: { perhaps: 'talán|esetleg', surely: 'biztosan' },
  tr: { perhaps: 'belki', surely: 'kesinlikle' },
  vi: { perhaps: 'có lẽ' },
  id: { perhaps: 'mungkin|barangkali', surely: 'pasti' },
  ru: { perhaps: 'возможно|может быть|наверное', surely: 'точно|обязательно' },
  uk: { perhaps: 'можливо|може бути|мабуть', surely: 'точно|обовязково' },
  bg: { perhaps: 'може би', surely: 'със сигурност' },
  el: { perhaps: 'ίσως', surely: 'σίγουρα' },
  ar: { perhaps: 'ربما|قد', surely: 'بالتأكيد' },
  fa: { perhaps: 'شاید', surely: 'حتما' },
  he: { perhaps: 'אולי', surely: 'בטוח' },
  hi: { perhaps: 'शायद', surely: 'ज़रूर|जरूर' },
  ko: { perhaps: '아마|어쩌면', surely: '꼭' },
}

const patternsOf = memo((code: string) => {
  const whole = (source: string | undefined) => (source === undefined ? undefined : wholeWords(source))
  const { must, may, forbidden } = modals[code] ?? {}
  const { perhaps, surely } = chances[code] ?? {}
  return {
    must: whole(must),
    may: whole(may),
    forbidden: whole(forbidden),
    perhaps: whole(perhaps),
    surely: whole(surely),
  }
})

/** Whether one text says that what the other says may be done has to be done, or is forbidden; or perhaps what the other says. */
export function haveOtherModality(one: Reading, other: Reading, lexicon: Lexicon | undefined): boolean {
  if (one.tokens.length > mostWords || other.tokens.length > mostWords) return false
  // "Must not" is "may not".
  const isDenied = (each: Lexicon) => saysNo(one, each) || saysNo(other, each)
  if (lexicon !== undefined && isDenied(lexicon)) return false
  // These words are of one language each, which short texts may not tell.
  return lexiconsFor(`${one.text} ${other.text}`).some(
    (each) =>
      (isOtherwiseAllowed(one, other, each) ||
        isOtherwiseAllowed(other, one, each) ||
        isPerhaps(one, other, each) ||
        isPerhaps(other, one, each)) &&
      !isDenied(each),
  )
}
/** A rule is told in few words; longer texts tell more than one. */
const mostWords = 60

const wordsOf = ({ tokens }: Reading): string => ` ${tokens.map(({ lower }) => lower).join(' ')} `

/** Whether one text says that perhaps there is what the other says. */
function isPerhaps(open: Reading, other: Reading, lexicon: Lexicon): boolean {
  const { perhaps, surely } = patternsOf(lexicon.code)
  const [words, otherWords] = [wordsOf(open), wordsOf(other)]
  const found = perhaps?.exec(words)?.[0].split(' ')
  if (found === undefined || perhaps?.test(otherWords) === true) return false
  const sure = `${surely?.exec(words)?.[0] ?? ''} ${surely?.exec(otherWords)?.[0] ?? ''}`.split(' ')
  const says = (token: Token) =>
    found.includes(token.lower) || sure.includes(token.lower) || isSmall(token, lexicon)
  return wordsApart(open.tokens, other.tokens, lexicon).flat().every(says)
}

function isOtherwiseAllowed(allowed: Reading, other: Reading, lexicon: Lexicon): boolean {
  const { must, may, forbidden } = patternsOf(lexicon.code)
  const [words, otherWords] = [wordsOf(allowed), wordsOf(other)]
  const bound = [must, forbidden].find((pattern) => pattern?.test(otherWords))
  if (bound === undefined || may?.test(words) !== true) return false
  if (may.test(otherWords) || must?.test(words) === true || forbidden?.test(words) === true) return false
  const [left, otherLeft] = wordsApart(allowed.tokens, other.tokens, lexicon)
  const isModal = (lower: string, pattern: RegExp) =>
    pattern
      .exec(words + otherWords)?.[0]
      .split(' ')
      .includes(lower)
  return (
    left.every((token) => isModal(token.lower, may) || isSmall(token, lexicon)) &&
    otherLeft.every((token) => isModal(token.lower, bound) || isSmall(token, lexicon))
  )
}
