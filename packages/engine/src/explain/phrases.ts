import type { ExplanationLanguage } from './languages.ts'

/** How near a text is to a query: bands of their cosine, see `parameters.explain.bands`. */
export type Band = 'same' | 'veryClose' | 'close' | 'loose'

/** What was searched, and what is left out of what was found. */
export interface Searched {
  /** Whether only a part of the memory was searched, so that nothing can be said of the rest. */
  isNarrowed: boolean
  /** Whether something that only asks what the query asks is nearer than what is quoted. */
  isAskedNearer: boolean
  /** Why what is quoted first comes before what is nearer. */
  precedence?: Precedence | undefined
}

/**
 * It is newer than all that is nearer, alone among that of the time that the query asks for, newer than what of that time is nearer,
 * or has the identifier that the query names; `other`: none of these holds of all that is nearer.
 */
export type Precedence = 'newest' | 'ofTime' | 'newestOfTime' | 'named' | 'other'

/** What explanations in a language are made of. */
export interface Phrases {
  /** The text in quotation marks that it does not have within. */
  quote(text: string): string
  /** Two decimals, as the language writes them. */
  number(value: number): string
  band: Readonly<Record<Band, string>>
  /** How much of a text is quoted: so many of its sentences, or 0 where one of them is cut. */
  part(sentences: number, of: number): string
  words(words: readonly string[]): string
  associated: string
  /** What is said of a quote, in brackets. */
  reasons(parts: readonly string[]): string
  similarity(number: string): string
  nearest(quote: string, reasons: string, among: Searched): string
  /** Of a quote that is evidence only because it has the words of the query. */
  withWords(quote: string, reasons: string, among: Searched): string
  further(quote: string, reasons: string, isSecond: boolean): string
  emptySpace: string
  nothingNear(among: Searched): string
  /** Before a quote that only asks what the query asks. */
  onlyAsked(among: Searched): string
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

export const phrases: Readonly<Record<ExplanationLanguage, Phrases>> = {
  en: {
    quote: (text) => (/[“”]/u.test(text) ? `‘${text}’` : `“${text}”`),
    number: (value) => value.toFixed(2),
    band: {
      same: 'nearly the same as the query in meaning',
      veryClose: 'very close to the query in meaning',
      close: 'close to the query in meaning',
      loose: 'loosely related to the query',
    },
    part: (sentences, of) => {
      if (sentences === 0) return 'part of a longer text'
      return `${sentences === 1 ? '1 sentence' : `${sentences} sentences`} of ${of}`
    },
    words: (words) => `${words.length === 1 ? 'shared word' : 'shared words'}: ${words.join(', ')}`,
    associated: 'often used shortly before or after the first',
    reasons: (parts) => ` (${parts.join('; ')}).`,
    similarity: (number) => `similarity ${number}`,
    nearest: (quote, reasons, { isNarrowed, isAskedNearer, precedence }) => {
      const nearest = {
        newest: `the newest of the nearest memories${isNarrowed ? ' searched' : ''}`,
        ofTime: `the nearest ${isNarrowed ? 'of the memories searched' : 'memory'} of the time asked for`,
        newestOfTime: `the newest of the nearest memories${isNarrowed ? ' searched' : ''} of the time asked for`,
        named: `the ${isNarrowed ? 'memory of those searched' : 'memory'} that has what the query names`,
        other: `one of the nearest memories${isNarrowed ? ' searched' : ''}`,
        none: isNarrowed ? 'the nearest of the memories searched' : 'the nearest memory',
      }[precedence ?? 'none']
      const start = isAskedNearer ? 'leaving aside what only asks the same, ' : ''
      return `${capital(`${start}${nearest}`)} is ${quote}${reasons}`
    },
    withWords: (quote, reasons, { isNarrowed, isAskedNearer }) => {
      const none = isNarrowed ? 'none of the texts searched' : 'no text in memory'
      const start = isAskedNearer ? 'leaving aside what only asks the same, ' : ''
      return `${capital(`${start}${none}`)} is close to the query in meaning, but this one has its words: ${quote}${reasons}`
    },
    further: (quote, reasons, isSecond) => `${isSecond ? 'There is also' : 'And'} ${quote}${reasons}`,
    emptySpace: 'No text is in memory, so there is no evidence for this query.',
    nothingNear: ({ isNarrowed }) =>
      `${isNarrowed ? 'None of the texts searched' : 'No text in memory'} is close enough to this query to be evidence for it.`,
    onlyAsked: ({ isNarrowed }) =>
      `A question like this is ${isNarrowed ? 'among the texts searched' : 'in memory'}, but no text that is close enough to answer it. `,
  },
  fr: {
    // Within guillemets and before a colon or semicolon, French sets a space at which no line ends.
    quote: (text) => (/[«»]/u.test(text) ? `“${text}”` : `«\u00a0${text}\u00a0»`),
    number: (value) => value.toFixed(2).replace('.', ','),
    band: {
      same: 'presque identique à la requête par le sens',
      veryClose: 'très proche de la requête par le sens',
      close: 'proche de la requête par le sens',
      loose: 'lié de loin à la requête',
    },
    part: (sentences, of) => {
      if (sentences === 0) return 'extrait d’un texte plus long'
      return `${sentences === 1 ? '1 phrase' : `${sentences} phrases`} sur ${of}`
    },
    words: (words) => `${words.length === 1 ? 'mot commun' : 'mots communs'}\u00a0: ${words.join(', ')}`,
    associated: 'souvent consulté peu avant ou après le premier',
    reasons: (parts) => ` (${parts.join('\u00a0; ')}).`,
    similarity: (number) => `similarité ${number}`,
    nearest: (quote, reasons, { isNarrowed, isAskedNearer, precedence }) => {
      const nearest = {
        newest: `le plus récent des souvenirs les plus proches${isNarrowed ? ' parmi ceux parcourus' : ''}`,
        ofTime: `le ${isNarrowed ? 'plus proche des souvenirs parcourus' : 'souvenir le plus proche'} de l’époque demandée`,
        newestOfTime: `le plus récent des souvenirs les plus proches, parmi ceux ${isNarrowed ? 'parcourus ' : ''}de l’époque demandée,`,
        named: `le souvenir${isNarrowed ? ', parmi ceux parcourus,' : ''} qui a ce que la requête nomme`,
        other: `l’un des souvenirs les plus proches${isNarrowed ? ' parmi ceux parcourus' : ''}`,
        none: isNarrowed ? 'le plus proche des souvenirs parcourus' : 'le souvenir le plus proche',
      }[precedence ?? 'none']
      const start = isAskedNearer ? 'hormis ce qui pose la même question, ' : ''
      return `${capital(`${start}${nearest}`)} est ${quote}${reasons}`
    },
    withWords: (quote, reasons, { isNarrowed, isAskedNearer }) => {
      const none = isNarrowed ? 'aucun des textes parcourus' : 'aucun texte en mémoire'
      const start = isAskedNearer ? 'hormis ce qui pose la même question, ' : ''
      return `${capital(`${start}${none}`)} n’est proche de la requête par le sens, mais celui-ci en a les mots\u00a0: ${quote}${reasons}`
    },
    further: (quote, reasons, isSecond) => `${isSecond ? 'Il y a aussi' : 'Et'} ${quote}${reasons}`,
    emptySpace: 'Aucun texte n’est en mémoire, il n’y a donc pas d’élément de réponse à cette requête.',
    nothingNear: ({ isNarrowed }) =>
      `${isNarrowed ? 'Aucun des textes parcourus' : 'Aucun texte en mémoire'} n’est assez proche de cette requête pour en être un élément de réponse.`,
    onlyAsked: ({ isNarrowed }) =>
      `Une question semblable est ${isNarrowed ? 'parmi les textes parcourus' : 'en mémoire'}, mais aucun texte assez proche pour y répondre. `,
  },
}
