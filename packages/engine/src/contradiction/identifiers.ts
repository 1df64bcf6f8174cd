import type { Counted } from './exchanged-numbers.ts'

/** A path of a file or a folder: from a root, a drive, the home or the current folder, or with the ending of a file. */
const path =
  /(?<![^\s"'`([=:])(?:(?:~|\.{1,2}|[a-z]:)(?:[\\/][\p{L}\p{N}_.@-]+)+|(?:[\\/][\p{L}\p{N}_.@-]+){2,}|[\p{L}\p{N}_.@-]+(?:[\\/][\p{L}\p{N}_.@-]+)+\.[a-z][a-z\d]{0,4}(?![\p{L}\p{N}]))/giu

const pathsOf = (text: string): string[] =>
  (text.match(path) ?? []).map((each) =>
    each
      .toLowerCase()
      .replaceAll('\\', '/')
      .replace(/[.-]+$/, ''),
  )

/** Whether each names a file or a folder that the other does not name. */
export function haveOtherPaths(one: string, other: string): boolean {
  const [a, b] = [pathsOf(one), pathsOf(other)]
  return a.some((each) => !b.includes(each)) && b.some((each) => !a.includes(each))
}

/** Digits among letters, in capitals and small letters: what was made by chance, as a token, rather than a name with a number. */
const code =
  /(?<![\p{L}\p{N}])(?=\p{N}*\p{L}+\p{N}+\p{L}|\p{N}+\p{L}+\p{N})(?=[\p{L}\p{N}]*\p{Lu})(?=[\p{L}\p{N}]*\p{Ll})[\p{L}\p{N}]{4,}/gu

/** Whether codes have the same letters and digits, but other capitals. */
export function haveOtherCapitals(one: string, other: string): boolean {
  const codes: readonly string[] = one.match(code) ?? []
  const others: readonly string[] = other.match(code) ?? []
  return codes.some(
    (each) => !others.includes(each) && others.some((a) => a.toLowerCase() === each.toLowerCase()),
  )
}

/** Names of few characters, as of gates, roads and seats: capitals with a number. */
const short = /(?<![\p{L}\p{N}-])\p{Lu}{1,3}-?\d{1,4}(?![\p{L}\p{N}])/gu
/** A word with a letter behind a hyphen, as of servers and variants. */
const lettered = /(?<![\p{L}\p{N}])[\p{L}\p{N}]+-[A-Za-z](?![\p{L}\p{N}'’-])/gu
/** Where that letter is a pronoun: comprei-o, vas-y. */
const languagesOfPronouns = new Set(['pt', 'fr', 'es', 'it'])

/** B07, B7 and B-7 are one. */
export function shortNames({ text, language = '' }: Pick<Counted, 'text' | 'language'>): Set<string> {
  const names = text.match(short) ?? []
  const others = languagesOfPronouns.has(language) ? [] : (text.match(lettered) ?? [])
  return new Set([
    ...names.map((each) => each.toLowerCase().replace(/-?0*(?=\d)/, '')),
    ...others.map((each) => each.toLowerCase()),
  ])
}
