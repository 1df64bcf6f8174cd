import { memo } from './memo.ts'
import { isSameFleeting, isSameStem } from './stems.ts'
import { hasForm, type Lexicon, wholeWords } from './words.ts'

/** How a language says that one does something no more, or did not do it, by a verb instead of a word for "no". */
interface Quitting {
  /** Words that do, as the source of a regular expression, without case and accents. */
  readonly quits: string
  /** The same words where they are denied, if the word that denies them is no word of its own, or stands behind them. */
  readonly denied?: string
  /** Words by which it says that something came to an end, but neither "no" nor what came to an end: left, retired. */
  readonly ends?: string
}

/** Ends of words of English that are no verbs. */
const notDoing =
  '(?!(?:[^ ]*thing|morning|evening|building|ceiling|king|ring|spring|string|wedding|meeting) )'
const quitting: Readonly<Record<string, Quitting>> = {
  en: {
    quits: `(?:stop(?:s|ped|ping)?|ceas(?:e|es|ed|ing)) (?:the )?${notDoing}[^ ]{2,}ing|(?<!it )quit(?:s|ting)?|giv(?:e|es|ing) up (?:on )?${notDoing}[^ ]{2,}ing|(?:gave|given) up (?!(?:the|a|an|my|your|his|her|its|our|their|on) )[^ ]+|(?:declin(?:e|es|ed|ing)|ceas(?:e|es|ed|ing)|fail(?:s|ed|ing)?|refus(?:e|es|ed|ing)|neglect(?:s|ed|ing)?|forgot|forgets?|forgotten) to`,
    ends: 'left|leav(?:e|es|ing)|resign[^ ]*|retir[^ ]*|cancel[^ ]*|drop(?:s|ped|ping)?|kick(?:s|ed)|(?:came|come|cut|turn(?:ed)?|clos(?:e|ed)|shut|broke|walk(?:ed)?) (?:off|out|down|up)|switch(?:es|ed)|non|sober|former|formerly|ex|without|end(?:s|ed)|finish(?:es|ed)|avoid[^ ]*|abstain[^ ]*|reject[^ ]*|(?:smoke|alcohol|sugar|gluten|dairy|meat|drug) free',
  },
  fr: {
    quits:
      '(?:cess[^ ]*|arret(?:e|es|ent|ons|ez|ait|a|er|ees?)|refus[^ ]*|omis) (?:de|d)|renonc[^ ]* (?:a|au|aux)',
    ends: 'quitt[^ ]*|demission[^ ]*|retraitee?|partie?|sobre|ex|ancien[^ ]*|abandonn[^ ]*',
  },
  de: {
    quits:
      'mit (?:[^ ]+ ){1,3}?auf(?:ge|zu)?hor[^ ]*|hor(?:t|te|e|en|ten|st) mit (?:[^ ]+ ){1,3}?auf|(?:auf(?:ge)?hor[^ ]*|hor(?:t|te|e|en|ten|st) (?:[^ ]+ ){0,2}?auf) (?:[^ ]+ ){0,4}?zu|es ab(?:ge|zu)?lehn[^ ]*|(?:ge)?weiger(?:t|te|n|ten) sich|sich (?:[^ ]+ ){0,3}?(?:ge)?weiger(?:t|te|n|ten)',
    ends: 'verlass[^ ]*|verliess[^ ]*|kundig[^ ]*|gekundigt|rente|ruhestand|trocken|ehemalig[^ ]*|ex|beend[^ ]*|ausgestiegen',
  },
  es: {
    quits:
      '(?:dej(?:o|a|as|an|e|amos|aron|aba|ado|ar|ando)|ces(?:o|a|ado|ar|aron)|par(?:o|e|ado|ar|aron)) de|se (?:ha |han )?(?:neg|nieg)[^ ]* a',
    ends: 'renunci[^ ]*|jubil[^ ]*|sobri[oa]|ex|abandon[^ ]*|sali|salio|deje|dejo el|dejo la',
  },
  it: {
    quits: '(?:smett[^ ]*|smess[^ ]*|smis(?:e|i|ero)|cessat[^ ]*|rifiut[^ ]*) (?:di|d)',
    ends: 'dimess[^ ]*|dimission[^ ]*|lasciat[^ ]*|pensione|sobri[oa]|ex|abbandonat[^ ]*',
  },
  pt: {
    quits: '(?:deix[^ ]*|par(?:ou|ei|ar|am|aram|ado)|cess[^ ]*) de|recus[^ ]* a',
    ends: 'demit[^ ]*|aposent[^ ]*|reform[^ ]*|sobri[oa]|ex|abandon[^ ]*|sai|saiu',
  },
  nl: {
    quits:
      '(?:stop(?:t|pen|te|ten)?|gestopt|opgehouden|(?:hield(?:en)?|houdt?|houden) op) (?:met|te)|(?:geweigerd|weiger(?:t|de|den|en)) (?:[^ ]+ ){0,6}?te',
    ends: 'ontslag|verlaten|verliet(?:en)?|pensioen|nuchter|ex|opgezegd|weg',
  },
  sv: {
    quits: '(?:slut(?:at|a|ade)|vagra(?:t|de|r)?) (?:att )?(?:[^ ]{2,}a|bo|ga|se|tro|sy|be|ge|fa)',
    ends: 'sa(?:de)? upp|lamna[^ ]*|pension[^ ]*|nykter|fore detta',
  },
  da: {
    quits:
      '(?:hold(?:t|er|e)|stoppe[dt]e?|stopper|slutte[dt]e?|slutter) (?:op )?med|slutte[dt]? a|(?:naegtede|naegter|nektet|nekter) (?:at|a)',
    ends: 'sagde op|sa opp|forlod|forlot|pension[^ ]*|aedru|edru',
  },
  fi: {
    quits: 'lopetta(?:nut|neet|a)|lopet(?:ti|in|it|tivat)|lakan?nut|lakkasi[^ ]*|kieltaytyi[^ ]*',
    ends: 'irtisano[^ ]*|jat(?:in|ti)|elakk[^ ]*|raitis',
  },
  pl: {
    quits:
      'przesta(?:l|la|lem|lam|li|ly|lo|je|ja|c|n)[^ ]*|rzuci(?:l|la|lem|lam|li|ly|c)[^ ]* (?:[^ ]+[nc]ie|prac[^ ]*|papieros[^ ]*|alkohol)|(?:odmowi|odmawia)(?:l|la|li|ly|lem|lam)? [^ ]+c',
    ends: 'odsze[^ ]*|odesz[^ ]*|zwoln[^ ]*|emerytur[^ ]*|trzezw[^ ]*|porzuc[^ ]*',
  },
  cs: {
    quits: 'presta(?:l|la|li|t|n|v)[^ ]*|odmitl?[^ ]* [^ ]+t',
    ends: 'odes[^ ]*|odis[^ ]*|vypoved[^ ]*|duchod[^ ]*|abstinent[^ ]*',
  },
  ro: {
    quits: 'renunt[^ ]* (?:la|sa)|(?:las|lasat|lasa) de|incet[^ ]* sa|refuz[^ ]* sa',
    ends: 'demis[^ ]*|plecat[^ ]*|pensi[^ ]*|parasit[^ ]*',
  },
  hu: {
    quits: 'abbahagy[^ ]*|leszok[^ ]*|felhagy[^ ]*',
    ends: 'felmond[^ ]*|kilep[^ ]*|nyugdij[^ ]*|otthagy[^ ]*',
  },
  tr: {
    quits:
      '(?:[^ ]{2,}m[ae]yi|sigara[^ ]*|icki[^ ]*|alkol[^ ]*) birak(?:t|iyor|acak|mis|ir|inca)[^ ]*|[^ ]{2,}m[ae]kt[ae]n vazgect[^ ]*',
    denied: 'birakma[dmyz][^ ]*|birakmiyor[^ ]*|vazgecme[dmyz][^ ]*',
    ends: 'ayril[^ ]*|istifa|emekli|ciktim|cikti',
  },
  vi: {
    quits: '(?:bỏ|cai) (?:thuốc|rượu|hút|uống)|(?:ngừng|thôi) (?:hút|uống|ăn|dùng|làm|học|chơi)',
    ends: 'nghỉ|rời|từ chức',
  },
  id: {
    quits: 'berhenti (?:me|ber|minum|makan|kerja|main)[^ ]*|menolak untuk',
    ends: 'keluar|mundur|pensiun|meninggalkan',
  },
  ru: {
    quits:
      'переста(?:л|ла|ли|ло|ть|н|ет|ю)[^ ]*|(?:бросил|бросила|бросили|бросить|прекратил|прекратила|прекратили|отказался|отказалась|отказались) (?:[^ ]+ть|[^ ]+ться|работу|учебу|курение)|увол(?:ился|илась|ились)',
    ends: 'уше[^ ]*|ушл[^ ]*|покину[^ ]*|оставил[^ ]*|пенси[^ ]*|завяз[^ ]*|трезв[^ ]*',
  },
  uk: {
    quits:
      'переста(?:в|ла|ли|ло|ти|н)[^ ]*|(?:кинув|кинула|кинули|відмовився|відмовилася|відмовились) [^ ]+ти(?:ся)?|звільни(?:вся|лася|лись)',
    ends: 'піш(?:ов|ла|ли)|покину[^ ]*|залиши[^ ]*|пенсі[^ ]*|тверез[^ ]*',
  },
  bg: {
    quits: 'сп(?:ря|ира|рях|рял|ряла|ряха)[^ ]* да|отказа[^ ]* (?:се )?(?:да|цигари[^ ]*|пушене[^ ]*)',
    ends: 'напусн[^ ]*|пенси[^ ]*|трезв[^ ]*',
  },
  el: {
    quits: '(?:σταματ[^ ]*|αρνηθηκ[^ ]*|αρνειται) να|(?:εκοψ[^ ]*|κοψει) το (?:καπνισμα|τσιγαρο|ποτο)',
    ends: 'παραιτ[^ ]*|εφυγ[^ ]*|συνταξ[^ ]*|αφησ[^ ]*',
  },
  ar: {
    quits: '(?:[يتا]?توقف[^ ]*|كف|كفت|امتنع[^ ]*|اقلع[^ ]*) عن|ترك[^ ]* التدخين|رفض[^ ]* ان',
    ends: 'استقال[^ ]*|تقاعد[^ ]*|غادر[^ ]*',
  },
  fa: { quits: '(?:سیگار|الکل|مصرف) (?:[^ ]+ ){0,3}?(?:ترک|کنار)', ends: 'استعفا|بازنشسته' },
  he: { quits: '(?:מ?הפסיק|מפסיק|חדל|סירב)(?:ה|ו|תי|ים|ות)? ל[^ ]+', ends: 'עזב[^ ]*|התפטר[^ ]*|פרש[^ ]*' },
  hi: {
    quits: '[^ ]+ना (?:छोड़|बंद कर|बन्द कर)[^ ]*|(?:सिगरेट|शराब|धूम्रपान|नौकरी) छोड़[^ ]*|[^ ]+ने से (?:इनकार|इंकार)',
    denied: '[^ ]+ (?:नहीं|नही|मत|न) (?:छोड़|बंद कर|बन्द कर)[^ ]*',
    ends: 'इस्तीफ[^ ]*|रिटायर|सेवानिवृत्त',
  },
  zh: {
    quits: '戒[烟煙酒赌賭毒糖掉了]|停止(?:吃|喝|抽|吸|服用|使用|工作|学习|學習|玩|看|做)',
    denied: '(?:没有?|沒有?|不|未|别|別)(?:能|肯|想|会|會|要|愿意?|曾)?(?:戒|停止)',
    ends: '辞|辭|离开|離開|退休|离职|離職',
  },
  ja: {
    quits: '[をはも](?:やめ|辞め)|禁[煙酒]し',
    denied: '(?:やめ|辞め)(?:られ|てい?)?(?:な|ませ)|禁[煙酒]し(?:てい?)?(?:な|ませ)',
    ends: '退社|退職|引退|離れ|離職|卒業|断',
  },
  ko: {
    quits:
      '(?:담배|술|커피|고기|게임|마약)[^ ]* 끊[^ ]*|(?:[^ ]+ )?그만(?:두|뒀|둔|둘)[^ ]*|[^ ]+기를 (?:멈추|멈췄|중단|포기)[^ ]*',
    denied: '(?:끊|그만두|멈추)지 [않못][^ ]*|(?:안|못) (?:끊|그만)[^ ]*',
    ends: '(?:퇴사|은퇴|퇴직|금연|금주|떠[나났]|나왔)[^ ]*',
  },
  th: {
    quits: 'เลิก(?!งาน|เรียน|กัน)|หยุด(?:สูบ|กิน|ดื่ม|ทำงาน)',
    denied: 'ไม่(?:ยอม|ได้|เคย)?(?:เลิก|หยุด)',
    ends: 'ลาออก|เกษียณ',
  },
}

/** Most words between one that denies and the verb. */
const wordsBetween = 3

/** How a text says no: in a word for it, or only by a verb such as "stop"; then among other words, of which it says what stops. */
export type Refusal = 'word' | Quit
interface Quit {
  readonly before: string
  readonly verb: string
  readonly after: string
}

/** How words say no, unless one word denies the other, as "did not stop" does. */
export function refusalIn(words: string, lexicon: Lexicon): Refusal | undefined {
  const patterns = patternsOf(lexicon)
  if (patterns === undefined) return hasForm(words, lexicon.negations) ? 'word' : undefined
  const left = words.replaceAll(patterns.denied, '\u0001')
  if (hasForm(left, lexicon.negations)) return 'word'
  const found = patterns.quits.exec(left)
  if (found === null) return undefined
  const { 0: verb, index } = found
  return { before: left.slice(0, index), verb, after: left.slice(index + verb.length) }
}

/**
 * Whether a text that doesn't say no says that what another stops goes on: it names the same in some form, and no end of it.
 * Else it may say the same in other words, as "I retired" does beside "I stopped working".
 */
export function goesOn(quit: Quit, otherWords: string, lexicon: Lexicon): boolean {
  if (patternsOf(lexicon)?.ends?.test(otherWords) === true) return false
  if (lexicon.isDense) return namesDense(quit, otherWords, lexicon.code)
  const others = contentOf(otherWords, lexicon)
  return stoppedBy(quit, lexicon).some((word) => others.some((other) => areOfOneStem(word, other, lexicon)))
}

/** What stops may stand before the verb. */
const verbLast: ReadonlySet<string> = new Set(['tr', 'hi', 'ko', 'fa', 'hu'])
const contentOf = (words: string, { common, determiners }: Lexicon): string[] =>
  words
    .split(' ')
    .filter((word) => word.length > 1 && !common.has(word) && !hasForm(` ${word} `, determiners))

/** The words that tell what stops: those that belong to the verb, and the next one where they end in a preposition or have no other. */
function stoppedBy({ before, verb, after }: Quit, lexicon: Lexicon): string[] {
  const own = contentOf(verb, lexicon)
  const last = verb.split(' ').at(-1) ?? ''
  const next = own.length < 2 || last.length < 4 ? contentOf(after, lexicon).slice(0, 1) : []
  const previous = verbLast.has(lexicon.code) ? contentOf(before, lexicon).slice(-1) : []
  return [...previous, ...own, ...next]
}

const areOfOneStem = (one: string, other: string, { code, inflects }: Lexicon): boolean =>
  isSameStem(plainStem(one), plainStem(other)) ||
  (inflects && isSameFleeting(one, other)) ||
  beginsWithVerb(other, one, nameEndings[code]) ||
  (code === 'ar' && rootOf(one).length > 2 && rootOf(one) === rootOf(other))
/** Ends of what names a doing, in languages whose verbs may have few letters more: içmeyi, içiyor; picie, pije. */
const nameEndings: Readonly<Record<string, RegExp>> = {
  tr: /(?<=..)m[ae](?:yi|kt[ae]n)$/,
  pl: /(?<=..)(?:[cn]ie|c)$/,
}
const beginsWithVerb = (word: string, name: string, ending: RegExp | undefined): boolean =>
  ending?.test(name) === true && word.startsWith(name.replace(ending, ''))
/** With a letter that is doubled in some forms once: roken, rookt; swimming, swims; and one suffix of Slavic verbs for the other. */
const plainStem = (word: string): string =>
  word
    .replaceAll(/(\p{L})\1/gu, '$1')
    .replace(slavicSuffix, (_, latin?: string) => (latin === undefined ? 'у' : 'u'))
/** It is another one in the present: pracować, pracuje. */
const slavicSuffix = /(?<=..)(?:(o)[wv]a|[оу]ва)(?=\p{L}{1,3}$)/u
/** The consonants of a word of Arabic that its forms share. */
const rootOf = (word: string): string =>
  word.replace(/^(?:و?ال|[يتانم])(?=.{3})/u, '').replace(/^[تيم](?=.{3})|[اويةى]/gu, '')

/** Where words are not set apart: the characters beside the verb that say what stops. */
function namesDense({ before, verb, after }: Quit, otherWords: string, code: string): boolean {
  const own = verb.replace(/^(?:戒|停止|เลิก|หยุด|[をはも]?(?:やめ|辞め)|禁)|[了し]$/gu, '')
  if (own !== '') return [...own].some((sign) => otherWords.includes(sign) || smoked(sign, otherWords))
  const stopped = code === 'ja' ? before.replace(/(?:の|こと)$/u, '') : after.replace(/^了/u, '')
  const near = code === 'ja' ? stopped.slice(-4) : stopped.slice(0, code === 'th' ? 4 : 2)
  const han = near.match(/\p{Script=Han}+/gu)?.at(-1)
  return otherWords.includes(han ?? (code === 'ja' ? near.slice(-2) : near))
}
/** Tobacco is smoke in one word of Chinese and Japanese alone. */
const smoked = (sign: string, words: string): boolean =>
  /[煙烟]/u.test(sign) && /たばこ|タバコ|吸|抽/u.test(words)

interface Patterns {
  readonly quits: RegExp
  readonly denied: RegExp
  readonly ends: RegExp | undefined
}

const patternsOf = memo(({ code, isDense, negations, joins }: Lexicon): Patterns | undefined => {
  const language = quitting[code]
  if (language === undefined) return undefined
  const { quits, denied, ends } = language
  const whole = (source: string, flags: string) =>
    isDense ? new RegExp(source, flags) : wholeWords(source, flags)
  const no = negations.map(({ text, at }) =>
    at === 'end' ? `[^ ]*${text}` : at === 'beginning' ? `${text}[^ ]*` : text,
  )
  const join = [...joins].filter((word) => /^\p{L}+$/u.test(word)).join('|')
  const before = `(?:${no.join('|')}) (?:(?!(?:${join}) )[^ ]+ ){0,${wordsBetween}}?(?:${quits})`
  const sources = [denied, isDense ? undefined : before].filter((source) => source !== undefined)
  return {
    quits: whole(quits, 'u'),
    denied: whole(sources.join('|'), 'gu'),
    ends: ends === undefined ? undefined : whole(ends, 'u'),
  }
})
