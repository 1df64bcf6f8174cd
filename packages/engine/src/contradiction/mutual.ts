import { memo } from './memo.ts'
import type { Token } from './tokens.ts'
import { keyIn, type Lexicon } from './words.ts'

/** How a language says that of two each is to the other what the other is to it, or that they do something with each other. */
interface Mutual {
  /** Patterns are of words without accents. Between the two, or behind the second: married, near, as old as. */
  readonly relations?: string
  /** Right before the second: with, next to. */
  readonly withs?: string
  /** What makes these words say what only one of the two feels or does: angry with, keep up with. */
  readonly oneSided?: string
  /** Right behind the second, where the word for "with" stands there. */
  readonly behind?: string
}

const mutual: Readonly<Record<string, Mutual>> = {
  en: {
    relations:
      'married|marries|engaged|related|met|meets?|near|beside|alongside|next to|resembl[^ ]*|(?:look|sound|be|is|are|was|were)s? like|(?:the )?same [^ ]+ as|as (?!(?:soon|long|far|if|though) )[^ ]+ as',
    withs: 'with|next to',
    oneSided:
      'angry|mad|cross|furious|happy|unhappy|pleased|satisfied|disappointed|delighted|annoyed|upset|bored|fed|patient|strict|honest|gentle|love|obsessed|jealous|put|puts|keeps?|kept|catch(?:es)?|caught|broke|breaks?|deals?|dealt|copes?|coped|help[^ ]*|trust[^ ]*|provid[^ ]*|suppl[^ ]*|entrust[^ ]*|replac[^ ]*|won|wins?|lost|loses?',
  },
  fr: {
    relations:
      'mariee?s?|epouse|proche|pres|a cote|ressembl[^ ]*|(?:aussi|autant) (?:[^ ]+ )?que?|meme [^ ]+ que?',
    withs: 'avec',
    oneSided: 'fachee?|contente?|patiente?|severe|gentil(?:le)?|mechante?|honnete|aide[^ ]*',
  },
  de: {
    relations:
      'verheiratet|heiratet|heiratete|verwandt|befreundet|neben|(?:so|gleich) [^ ]+ wie|ahnel[^ ]*|ahnlich',
    withs: 'mit|neben',
    oneSided:
      'zufrieden|unzufrieden|geduldig|ungeduldig|streng|einverstanden|geholfen|gewonnen|gewann|gewinnt|verloren|verlor|verliert',
  },
  es: {
    relations: 'casad[oa]|cerca|al lado|junto|(?:tan|tanto) (?:[^ ]+ )?como|mism[oa] [^ ]+ que|parec[^ ]* a',
    withs: 'con',
    oneSided: 'enfadad[oa]|enojad[oa]|content[oa]|feliz|satisfech[oa]|paciente|sever[oa]|amable|ayud[^ ]*',
  },
  it: {
    relations:
      'sposat[oa]|vicin[oa]|accanto|(?:cosi|tanto) [^ ]+ (?:come|quanto)|[^ ]+ (?:come|quanto)|somigli[^ ]*',
    withs: 'con',
    oneSided: 'arrabbiat[oa]|content[oa]|soddisfatt[oa]|paziente|sever[oa]|gentile|onest[oa]|aiut[^ ]*',
  },
  pt: {
    relations:
      'casad[oa]|perto|ao lado|junto|(?:tao|tanto) (?:[^ ]+ )?(?:como|quanto)|mesm[oa] [^ ]+ que|parec[^ ]* com',
    withs: 'com',
    oneSided: 'zangad[oa]|irritad[oa]|content[ea]|feliz|satisfeit[oa]|paciente|sever[oa]|ajud[^ ]*',
  },
  nl: {
    relations: '(?<=^ )met(?= $)|getrouwd|naast|vlakbij|verwant|(?:net zo|even) [^ ]+ als|lijkt? op',
    withs: 'met|naast',
    oneSided: 'tevreden|blij|geduldig|streng|eerlijk|geholpen|help[^ ]*',
  },
  sv: {
    relations: 'gift|bredvid|nara|slakt|lika [^ ]+ som|likn[^ ]*|traffa[^ ]*|mott[^ ]*',
    withs: 'med|bredvid',
    oneSided: 'nojd|missnojd|talmodig|strang|arlig|hjalp[^ ]*',
  },
  da: {
    relations:
      'gift|naer|naerheden|beslaegtet|lige sa [^ ]+ som|like [^ ]+ som|lign[^ ]*|modt[^ ]*|motte[^ ]*',
    withs: 'med|ved siden af|ved siden av',
    oneSided: 'tilfreds|fornoyd|utilfreds|talmodig|streng|hjalp[^ ]*|hjelp[^ ]*',
  },
  fi: { relations: 'naimisissa|lahella|vieressa|yhta [^ ]+ kuin', behind: 'kanssa|vieressa|lahella' },
  pl: {
    relations: 'obok|blisko|(?:tak|rownie) [^ ]+ jak',
    withs: 'z|ze',
    oneSided: 'zadowol[^ ]*|szczer[^ ]*',
  },
  cs: {
    relations: 'vedle|blizko|(?:tak|stejne) [^ ]+ jako',
    withs: 's|se',
    oneSided: 'spokoj[^ ]*|trpel[^ ]*',
  },
  ro: {
    relations: 'casatorit[^ ]*|maritat[^ ]*|langa|aproape|la fel de [^ ]+ ca|seaman[^ ]*',
    withs: 'cu|langa',
    oneSided: 'suparat[^ ]*|multumit[^ ]*|sever[^ ]*|ajut[^ ]*',
  },
  hu: { relations: 'mellett|kozel|olyan [^ ]+ mint', behind: 'mellett|egyutt' },
  ru: {
    relations: 'рядом|около|возле|женат|замужем|встре[^ ]*|похож[^ ]*|(?:так|такои|такая) (?:же )?[^ ]+ как',
    withs: 'с|со|рядом с',
    oneSided: 'строг[^ ]*|честн[^ ]*|справи[^ ]*',
  },
  uk: {
    relations: 'поруч|поряд|біля|одружен[^ ]*|заміжня|зустрі[^ ]*|схож[^ ]*|так[^ ]* (?:же |само )?[^ ]+ як',
    withs: 'з|із|зі',
    oneSided: 'чесн[^ ]*|впора[^ ]*',
  },
  bg: { relations: 'женен|омъжена|близо|прилича[^ ]*|(?:толкова|също) [^ ]+ колкото', withs: 'с|със|до' },
  el: { relations: 'παντρεμεν[^ ]*|κοντα|διπλα|μοιαζ[^ ]*|τοσο [^ ]+ οσο', withs: 'με' },
  tr: { relations: 'evli|kadar', behind: 'ile|yle|yla|le|la|birlikte|beraber|kadar|evli' },
  id: { relations: 'dekat|menikah|mirip|bertemu|di sebelah', withs: 'dengan|sama|bersama' },
  vi: { relations: 'gặp|gần|giống|cạnh|bên cạnh', withs: 'với|cùng' },
  ar: { relations: 'متزوج[^ ]*|قريب|بجانب|التق[^ ]*|يشبه|تشبه', withs: 'مع' },
  fa: { withs: 'با' },
  hi: { behind: 'के साथ|के पास|के बराबर|जितना|जितनी|से शादीशुदा|से मिला|से मिली' },
}

interface Patterns {
  readonly relations: RegExp | undefined
  readonly withs: RegExp | undefined
  readonly oneSided: RegExp | undefined
  readonly behind: RegExp | undefined
}

const patternsOf = memo((code: string): Patterns => {
  const { relations, withs, oneSided, behind } = mutual[code] ?? {}
  const pattern = (source: string | undefined, rest: string) =>
    source === undefined ? undefined : new RegExp(rest.replace('…', `(?:${source})`), 'u')
  return {
    relations: pattern(relations, ' … '),
    // An article or a possessive may stand before the second.
    withs: pattern(withs, '[^ ] … (?:[^ ]+ )?$'),
    oneSided: pattern(oneSided, ' … '),
    behind: pattern(behind, '^(?: [^ ]+)? … '),
  }
})

/** Most words behind the second of two among which may stand what tells that they are in a mutual relation. */
const wordsBehind = 3

/**
 * Whether two parties in a sentence, the first of which ends before `from` and the second of which begins at `to` and ends before
 * `end`, are in a relation that is the same whichever of them comes first.
 */
export function areMutual(
  tokens: readonly Token[],
  [from, to, end]: readonly [from: number, to: number, end: number],
  lexicon: Lexicon | undefined,
): boolean {
  // A text too short to tell its language may be of any.
  const codes = lexicon === undefined ? Object.keys(mutual) : [lexicon.code]
  return codes.some((code) => {
    const { relations, withs, oneSided, behind } = patternsOf(code)
    const wordsIn = (start: number, stop: number) =>
      [' ', ...tokens.slice(start, stop).map((token) => `${keyIn(code, token)} `)].join('')
    const [between, after] = [wordsIn(from, to), wordsIn(end, end + wordsBehind)]
    if (relations?.test(between) === true || behind?.test(after) === true) return true
    return withs?.test(between) === true && oneSided?.test(between + after) !== true
  })
}
