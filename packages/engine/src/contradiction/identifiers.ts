import type { Counted } from './exchanged-numbers.ts'

/** A path of a file or a folder: from a root, a drive, the home or the current folder, or with the ending of a file. */
const path =
  /(?<![^\s"'`([=:])(?:(?:~|\.{1,2}|[a-z]:)(?:[\\/][\p{L}\p{N}_.@-]+)+|(?:[\\/][\p{L}\p{N}_.@-]+){2,}|[\p{L}\p{N}_.@-]+(?:[\\/][\p{L}\p{N}_.@-]+)+\.[a-z][a-z\d]{0,4}(?![\p{L}\p{N}]))/giu

/**
 * Endings by which a name alone is known as one of a file. None that products and sites have as well (Node.js, ASP.NET,
 * openai.com), nor words that a sentence may begin with where the space before it is missing (Lisbon.Go).
 */
const endings =
  'pdf|docx?|docm|dotx?|odt|ods|odp|rtf|txt|tex|md|markdown|epub|xlsx?|xlsm|csv|tsv|pptx?|json|jsonl|ndjson|ya?ml|toml|ini|cfg|conf|xml|html?|css|scss|sql|sqlite|db|parquet|bak|log|zip|gz|tgz|tar|bz2|xz|7z|rar|iso|dmg|exe|msi|deb|rpm|apk|jar|png|jpe?g|gif|svg|webp|bmp|tiff?|heic|psd|mp[34]|wav|flac|ogg|m4a|mkv|avi|mov|webm|eml|ics|vcf|py|ipynb|tsx?|jsx|mjs|cjs|java|kt|rs|rb|php|cpp|hpp|sh|bat|ps1|pem|crt'
/** An ending is in small letters or, as the whole name, in capitals: of "Lisbon.Doc" it begins a sentence. */
const bareName = new RegExp(
  String.raw`(?<![^\s"'“„«‘\x60([=:,;])[\p{L}\p{N}_][\p{L}\p{N}_.-]*\.(?:${endings}|${endings.toUpperCase()})(?![\p{L}\p{N}]|[.@/\\][\p{L}\p{N}])`,
  'gu',
)

const pathsOf = (text: string): string[] =>
  [...(text.match(path) ?? []), ...(text.match(bareName) ?? [])].map((each) =>
    each
      .toLowerCase()
      .replaceAll('\\', '/')
      .replace(/[.-]+$/, ''),
  )

/** A file may be named with its folder, or without. */
const isOfOne = (a: string, b: string): boolean =>
  a === b || (!a.includes('/') && b.endsWith(`/${a}`)) || (!b.includes('/') && a.endsWith(`/${b}`))

/** Whether each names a file or a folder that the other does not name. */
export function haveOtherPaths(one: string, other: string): boolean {
  const [a, b] = [pathsOf(one), pathsOf(other)]
  const isMissing = (paths: readonly string[]) => (each: string) => !paths.some((path) => isOfOne(each, path))
  return a.some(isMissing(b)) && b.some(isMissing(a))
}

/** Digits among letters, in capitals and small letters: what was made by chance, as a token, rather than a name with a number. */
const code =
  /(?<![\p{L}\p{N}])(?=\p{N}*\p{L}+\p{N}+\p{L}|\p{N}+\p{L}+\p{N})(?=[\p{L}\p{N}]*\p{Lu})(?=[\p{L}\p{N}]*\p{Ll})[\p{L}\p{N}]{4,}/gu

/** Words for a secret, as whole words or at their end, in several languages; `wide` is one that is also the key to success. */
const secret = String.raw`pass(?:word|phrase|code|wort)|(?:kenn|losungs)wort|mot de passe|contrase[ñn]a|(?:mi|tu|su) clave|clave (?:de acceso|secreta|privada)|(?<wide>clave)|senha|parola d['’]ordine|wachtwoord|has[łl]o|heslo|lösenord|adgangskode|парол\p{L}{0,3}|şifre\p{L}{0,4}|(?:api|access|secret|private|licen[cs]e)[ -]?key|(?:client|api|app|shared)[ -]secret|(?<!\p{L})(?:token|pwd|pw)|密码|密碼|口令|パスワード|비밀번호|암호|mật khẩu|รหัสผ่าน|كلمة (?:السر|المرور)|סיסמה|पासवर्ड`
/** What may stand behind such a word: for what the secret is. */
const purpose = String.raw` (?:for|of|to|für|zu[rm]?|vo[nm]|de|del|della|des?|du|do|da|pour|per|para|voor|till|til|do|от|для)(?: [\p{L}\p{N}.'’-]{1,30}){1,3}?`
/**
 * All that stands before a secret that is told. A secret that is only spoken of has no value, and what is written beside it
 * with inner capitals is the name of a product: the password manager on a MacBook.
 */
const beforeSecret = new RegExp(
  `(?:${secret})(?:${purpose})?(?: ?[:=] ?|,? (?:is|ist|es|est|è|é|är|er|jest|je|là|هي|היא)[ :] ?| ?(?:为|為|是|は|[는은]|—|–)[ :：]?)["'“„«(「]*`,
  'giu',
)
/** A letter or a digit, but of no script that writes words without spaces or with endings behind a code. */
const codeSign = String.raw`(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Hangul}\p{Script=Thai}])[\p{L}\p{N}])`
/** Letters with a digit, or with a capital behind a small letter; of the latter, which names of products have too, nothing may follow. */
const secretCode = new RegExp(
  String.raw`^(?:(?=${codeSign}*(?:\p{L}\p{N}|\p{N}\p{L}))${codeSign}{4,}|(?=${codeSign}*\p{Ll}\p{Lu})${codeSign}{4,}(?=[^\p{L}\p{N}\s]*(?:$|[.,;!?\n])))`,
  'u',
)
const words = new RegExp(`${codeSign}{4,}`, 'gu')

const secretsOf = (text: string): string[] =>
  [...text.matchAll(beforeSecret)].flatMap(({ 0: lead, index, groups }) => {
    const value = text.slice(index + lead.length).match(secretCode)?.[0]
    return value === undefined || (groups?.wide !== undefined && !/\p{N}/u.test(value)) ? [] : [value]
  })

/** Whether codes have the same letters and digits, but other capitals; a secret may be written without any there. */
export function haveOtherCapitals(one: string, other: string): boolean {
  // Where all letters are capitals they tell nothing.
  if (![one, other].every((text) => /\p{Ll}/u.test(text))) return false
  if (haveOtherCodes(one.match(code), other.match(code))) return true
  const isOther = (a: string, b: string) => haveOtherCodes(secretsOf(a), b.match(words))
  return isOther(one, other) || isOther(other, one)
}

function haveOtherCodes(codes: readonly string[] | null, others: readonly string[] | null): boolean {
  if (codes === null || others === null) return false
  return codes.some(
    (each) => !others.includes(each) && others.some((a) => a.toLowerCase() === each.toLowerCase()),
  )
}

/**
 * A name that signs are a part of, as those of programming languages: C++, C#. A blood group is written A+ or A positive; with a
 * number before it, a sign says that it is a number: 12#.
 */
const signed = /(?<![a-z\d])([a-z][a-z\d]*)(?:\+\+|#)(?![a-z\d+#])/gu
/** Signs as they are spoken, behind a letter. */
const spokenSigns: readonly [RegExp, string][] = [
  [/(?<=(?<![a-z\d])[a-z])[ -]?sharp(?![a-z])/gu, '#'],
  [/(?<=(?<![a-z\d])[a-z])[ -]?plus[ -]?plus(?![a-z])/gu, '++'],
]

/** Whether a name has such signs in one text, and stands without them, or with others, in the other. */
export function haveOtherSignedNames(one: string, other: string): boolean {
  const isOther = (a: string, b: string): boolean => {
    const names = [...a.toLowerCase().matchAll(signed)]
    if (names.length === 0) return false
    let signs = b.toLowerCase()
    for (const [spoken, sign] of spokenSigns) signs = signs.replaceAll(spoken, sign)
    const others: readonly string[] = signs.match(/[a-z\d]+(?:\+\+|#)?/gu) ?? []
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
