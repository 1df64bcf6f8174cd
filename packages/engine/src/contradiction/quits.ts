import { hasForm, type Lexicon } from './words.ts'

/** How a language says that one does something no more, or did not do it, by a verb instead of a word for "no". */
interface Quitting {
  /** Words that do, as the source of a regular expression, without case and accents. */
  readonly quits: string
  /** The same words where they are denied, if the word that denies them is no word of its own, or stands behind them. */
  readonly denied?: string
}

/** Ends of words of English that are no verbs. */
const notDoing =
  '(?!(?:[^ ]*thing|morning|evening|building|ceiling|king|ring|spring|string|wedding|meeting) )'
const quitting: Readonly<Record<string, Quitting>> = {
  en: {
    quits: `(?:stop(?:s|ped|ping)?|ceas(?:e|es|ed|ing)) (?:the )?${notDoing}[^ ]{2,}ing|(?<!it )quit(?:s|ting)?|giv(?:e|es|ing) up (?:on )?${notDoing}[^ ]{2,}ing|(?:gave|given) up (?!(?:the|a|an|my|your|his|her|its|our|their|on) )[^ ]+|(?:declin(?:e|es|ed|ing)|ceas(?:e|es|ed|ing)|fail(?:s|ed|ing)?|refus(?:e|es|ed|ing)|neglect(?:s|ed|ing)?|forgot|forgets?|forgotten) to`,
  },
  fr: {
    quits:
      '(?:cess[^ ]*|arret(?:e|es|ent|ons|ez|ait|a|er|ees?)|refus[^ ]*|omis) (?:de|d)|renonc[^ ]* (?:a|au|aux)',
  },
  de: {
    quits:
      'mit (?:[^ ]+ ){1,3}?auf(?:ge|zu)?hor[^ ]*|hor(?:t|te|e|en|ten|st) mit (?:[^ ]+ ){1,3}?auf|(?:auf(?:ge)?hor[^ ]*|hor(?:t|te|e|en|ten|st) (?:[^ ]+ ){0,2}?auf) (?:[^ ]+ ){0,4}?zu|es ab(?:ge|zu)?lehn[^ ]*|(?:ge)?weiger(?:t|te|n|ten) sich|sich (?:[^ ]+ ){0,3}?(?:ge)?weiger(?:t|te|n|ten)',
  },
  es: {
    quits:
      '(?:dej(?:o|a|as|an|e|amos|aron|aba|ado|ar|ando)|ces(?:o|a|ado|ar|aron)|par(?:o|e|ado|ar|aron)) de|se (?:ha |han )?(?:neg|nieg)[^ ]* a',
  },
  it: { quits: '(?:smett[^ ]*|smess[^ ]*|smis(?:e|i|ero)|cessat[^ ]*|rifiut[^ ]*) (?:di|d)' },
  pt: { quits: '(?:deix[^ ]*|par(?:ou|ei|ar|am|aram|ado)|cess[^ ]*) de|recus[^ ]* a' },
  nl: {
    quits:
      '(?:stop(?:t|pen|te|ten)?|gestopt|opgehouden|(?:hield(?:en)?|houdt?|houden) op) (?:met|te)|(?:geweigerd|weiger(?:t|de|den|en)) (?:[^ ]+ ){0,6}?te',
  },
  sv: { quits: '(?:slut(?:at|a|ade)|vagra(?:t|de|r)?) (?:att )?(?:[^ ]{2,}a|bo|ga|se|tro|sy|be|ge|fa)' },
  da: {
    quits:
      '(?:hold(?:t|er|e)|stoppe[dt]e?|stopper|slutte[dt]e?|slutter) (?:op )?med|slutte[dt]? a|(?:naegtede|naegter|nektet|nekter) (?:at|a)',
  },
  fi: { quits: 'lopetta(?:nut|neet|a)|lopet(?:ti|in|it|tivat)|lakan?nut|lakkasi[^ ]*|kieltaytyi[^ ]*' },
  pl: {
    quits:
      'przesta(?:l|la|lem|lam|li|ly|lo|je|ja|c|n)[^ ]*|rzuci(?:l|la|lem|lam|li|ly|c)[^ ]* (?:[^ ]+[nc]ie|prac[^ ]*|papieros[^ ]*|alkohol)|(?:odmowi|odmawia)(?:l|la|li|ly|lem|lam)? [^ ]+c',
  },
  cs: { quits: 'presta(?:l|la|li|t|n|v)[^ ]*|odmitl?[^ ]* [^ ]+t' },
  ro: { quits: 'renunt[^ ]* (?:la|sa)|(?:las|lasat|lasa) de|incet[^ ]* sa|refuz[^ ]* sa' },
  hu: { quits: 'abbahagy[^ ]*|leszok[^ ]*|felhagy[^ ]*' },
  tr: {
    quits:
      '(?:[^ ]{2,}m[ae]yi|sigara[^ ]*|icki[^ ]*|alkol[^ ]*) birak(?:t|iyor|acak|mis|ir|inca)[^ ]*|[^ ]{2,}m[ae]kt[ae]n vazgect[^ ]*',
    denied: 'birakma[dmyz][^ ]*|birakmiyor[^ ]*|vazgecme[dmyz][^ ]*',
  },
  vi: { quits: '(?:bỏ|cai) (?:thuốc|rượu|hút|uống)|(?:ngừng|thôi) (?:hút|uống|ăn|dùng|làm|học|chơi)' },
  id: { quits: 'berhenti (?:me|ber|minum|makan|kerja|main)[^ ]*|menolak untuk' },
  ru: {
    quits:
      'переста(?:л|ла|ли|ло|ть|н|ет|ю)[^ ]*|(?:бросил|бросила|бросили|бросить|прекратил|прекратила|прекратили|отказался|отказалась|отказались) (?:[^ ]+ть|[^ ]+ться|работу|учебу|курение)|увол(?:ился|илась|ились)',
  },
  uk: {
    quits:
      'переста(?:в|ла|ли|ло|ти|н)[^ ]*|(?:кинув|кинула|кинули|відмовився|відмовилася|відмовились) [^ ]+ти(?:ся)?|звільни(?:вся|лася|лись)',
  },
  bg: { quits: 'сп(?:ря|ира|рях|рял|ряла|ряха)[^ ]* да|отказа[^ ]* (?:се )?(?:да|цигари[^ ]*|пушене[^ ]*)' },
  el: {
    quits: '(?:σταματ[^ ]*|αρνηθηκ[^ ]*|αρνειται) να|(?:εκοψ[^ ]*|κοψει) το (?:καπνισμα|τσιγαρο|ποτο)',
  },
  ar: { quits: '(?:[يتا]?توقف[^ ]*|كف|كفت|امتنع[^ ]*|اقلع[^ ]*) عن|ترك[^ ]* التدخين|رفض[^ ]* ان' },
  fa: { quits: '(?:سیگار|الکل|مصرف) (?:[^ ]+ ){0,3}?(?:ترک|کنار)' },
  he: { quits: '(?:מ?הפסיק|מפסיק|חדל|סירב)(?:ה|ו|תי|ים|ות)? ל[^ ]+' },
  hi: {
    quits: '[^ ]+ना (?:छोड़|बंद कर|बन्द कर)[^ ]*|(?:सिगरेट|शराब|धूम्रपान|नौकरी) छोड़[^ ]*|[^ ]+ने से (?:इनकार|इंकार)',
    denied: '[^ ]+ (?:नहीं|नही|मत|न) (?:छोड़|बंद कर|बन्द कर)[^ ]*',
  },
  zh: {
    quits: '戒[烟煙酒赌賭毒糖掉了]|停止(?:吃|喝|抽|吸|服用|使用|工作|学习|學習|玩|看|做)',
    denied: '(?:没有?|沒有?|不|未|别|別)(?:能|肯|想|会|會|要|愿意?|曾)?(?:戒|停止)',
  },
  ja: {
    quits: '[をはも](?:やめ|辞め)|禁[煙酒]し',
    denied: '(?:やめ|辞め)(?:られ|てい?)?(?:な|ませ)|禁[煙酒]し(?:てい?)?(?:な|ませ)',
  },
  ko: {
    quits:
      '(?:담배|술|커피|고기|게임|마약)[^ ]* 끊[^ ]*|(?:[^ ]+ )?그만(?:두|뒀|둔|둘)[^ ]*|[^ ]+기를 (?:멈추|멈췄|중단|포기)[^ ]*',
    denied: '(?:끊|그만두|멈추)지 [않못][^ ]*|(?:안|못) (?:끊|그만)[^ ]*',
  },
  th: {
    quits: 'เลิก(?!งาน|เรียน|กัน)|หยุด(?:สูบ|กิน|ดื่ม|ทำงาน)',
    denied: 'ไม่(?:ยอม|ได้|เคย)?(?:เลิก|หยุด)',
  },
}

/** Most words between one that denies and the verb. */
const wordsBetween = 3

/** Whether words say no: by a word for it, or by a verb such as "stop", unless one denies the other, as "did not stop" does. */
export function sayNo(words: string, lexicon: Lexicon): boolean {
  const patterns = patternsOf(lexicon)
  if (patterns === undefined) return hasForm(words, lexicon.negations)
  const left = words.replaceAll(patterns.denied, '\u0001')
  return hasForm(left, lexicon.negations) || patterns.quits.test(left)
}

interface Patterns {
  readonly quits: RegExp
  readonly denied: RegExp
}
const compiled = new Map<string, Patterns>()

function patternsOf(lexicon: Lexicon): Patterns | undefined {
  const { code, isDense, negations, joins } = lexicon
  const [language, known] = [quitting[code], compiled.get(code)]
  if (language === undefined || known !== undefined) return known
  const { quits, denied } = language
  const whole = (source: string, flags: string) =>
    new RegExp(isDense ? source : `(?<= )(?:${source})(?= )`, flags)
  const no = negations.map(({ text, at }) =>
    at === 'end' ? `[^ ]*${text}` : at === 'beginning' ? `${text}[^ ]*` : text,
  )
  const join = [...joins].filter((word) => /^\p{L}+$/u.test(word)).join('|')
  const before = `(?:${no.join('|')}) (?:(?!(?:${join}) )[^ ]+ ){0,${wordsBetween}}?(?:${quits})`
  const sources = [denied, isDense ? undefined : before].filter((source) => source !== undefined)
  const patterns = { quits: whole(quits, 'u'), denied: whole(sources.join('|'), 'gu') }
  compiled.set(code, patterns)
  return patterns
}
