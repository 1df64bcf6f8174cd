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

/** What tells that a text holds a secret, as whole words or at their end, in several languages. */
const secret =
  /pass(?:word|phrase|code|wort)(?!\p{L})|(?:kenn|losungs)wort|mot de passe|contrase[ñn]a|clave|senha|parola d['’]ordine|wachtwoord|has[łl]o|heslo|lösenord|adgangskode|парол|şifre|(?:api|access|secret|private|licen[cs]e)[ -]?key|(?<!\p{L})(?:token|secret|credentials?|pwd|pw)(?!\p{L})|密码|密碼|口令|パスワード|비밀번호|암호|mật khẩu|รหัสผ่าน|كلمة (?:السر|المرور)|סיסמה|पासवर्ड/iu
/** Letters with a digit, or with a capital behind a small letter: among the names of products too, so of a secret alone. */
const secretCode =
  /(?<![\p{L}\p{N}])(?=[\p{L}\p{N}]*(?:\p{L}\p{N}|\p{N}\p{L}|\p{Ll}\p{Lu}))[\p{L}\p{N}]{4,}/gu
const words = /[\p{L}\p{N}]{4,}/gu

/** Whether codes have the same letters and digits, but other capitals; a secret may be written without any there. */
export function haveOtherCapitals(one: string, other: string): boolean {
  // Where all letters are capitals they tell nothing.
  if (![one, other].every((text) => /\p{Ll}/u.test(text))) return false
  if (!secret.test(one) && !secret.test(other)) return haveOtherCodes(one.match(code), other.match(code))
  const isOther = (a: string, b: string) => haveOtherCodes(a.match(secretCode), b.match(words))
  return isOther(one, other) || isOther(other, one)
}

function haveOtherCodes(codes: readonly string[] | null, others: readonly string[] | null): boolean {
  if (codes === null || others === null) return false
  return codes.some(
    (each) => !others.includes(each) && others.some((a) => a.toLowerCase() === each.toLowerCase()),
  )
}

/** A name that signs are a part of, as those of programming languages: C++, C#. A blood group is written A+ or A positive. */
const signed = /(?<![a-z\d])([a-z\d]+)(?:\+\+|#)(?![a-z\d+#])/gu

/** Whether a name has such signs in one text, and stands without them, or with others, in the other. */
export function haveOtherSignedNames(one: string, other: string): boolean {
  const isOther = (a: string, b: string): boolean => {
    const names = [...a.toLowerCase().matchAll(signed)]
    if (names.length === 0) return false
    const others: readonly string[] = b.toLowerCase().match(/[a-z\d]+(?:\+\+|#)?/gu) ?? []
    return names.some(
      ([name, word = '']) =>
        !others.includes(name) && others.some((each) => each.replace(/[+#]+$/, '') === word),
    )
  }
  return isOther(one, other) || isOther(other, one)
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
