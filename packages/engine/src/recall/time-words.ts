import {
  deContext,
  enContext,
  esContext,
  frContext,
  hanContext,
  itContext,
  koContext,
  nlContext,
  ptContext,
  ruContext,
  type TimeContext,
} from './time-contexts.ts'

/** Of calendars. */
export const timeUnits = ['day', 'week', 'month', 'year'] as const
export type TimeUnit = (typeof timeUnits)[number]

/** What a phrase says of time. */
export type PhraseKind =
  | 'today'
  | 'tomorrow'
  | 'yesterday'
  | 'dayBefore'
  | 'last'
  | 'beforeLast'
  | 'this'
  | 'next'
  | 'ago'
  | 'lastWeekday'
  | 'weekdayOfLastWeek'
  | 'weekday'
  | 'month'
  | 'bare'
  | 'monthOfYear'
  | 'date'
  | 'year'
  | 'bareYear'

/**
 * How a language names times: parts of regular expressions that are matched without case. In phrases `{n}`, `{weekday}`,
 * `{month}`, `{day}` and `{year}` stand for what the other words or digits name, `{unit}` for a week, month or year, `{units}`
 * for days too; a unit may also be a group of its name. A `bare` month or day is one only if a year as seen from another moment
 * follows: "before June last year". A `bareYear` is one only in a question about the past, and beside no other time.
 */
export interface TimeWords {
  /** Matched within words too: there is no white space between words, or other words are joined to them. */
  spaceless?: true
  /** What is in every time that is named so, other than days, where that is matched within words. */
  hint?: string
  /** From one on. */
  numbers: readonly string[]
  /** In the singular. */
  unit: Readonly<Partial<Record<TimeUnit, string>>>
  /** Singular and plural. */
  units: Readonly<Record<TimeUnit, string>>
  /** From Monday on. */
  weekdays: readonly string[]
  /** What stands before each of them, where they are numbers. */
  weekdayMark?: string
  months: readonly string[]
  phrases: Readonly<Partial<Record<PhraseKind, readonly string[]>>>
  context: TimeContext
}

/** A number behind these words is of a thing, not of a time. */
const unlessNumbered = (words: string): string => `(?<!(?<!\\p{L})(?:${words}) )`
/** Who asks when something was knows no year of it: "When did I read 1984?". */
const unlessAskedFor = (when: string): string => `(?<!(?<!\\p{L})${when}(?!\\p{L}).*)`

/** In most languages no other word is written as a month is. */
const bare = ['{month}', '{day}(?:er|[.º])?(?: de)? {month}']

const en: TimeWords = {
  numbers: [
    'an?|one',
    'two',
    'three',
    'four',
    'five',
    'six',
    'seven',
    'eight',
    'nine',
    'ten',
    'eleven',
    'twelve',
    'thirteen',
    'fourteen',
    'fifteen',
  ],
  unit: { week: 'week', month: 'month', year: 'year' },
  units: { day: 'days?', week: 'weeks?', month: 'months?', year: 'years?' },
  weekdays: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'],
  months: [
    ...['january|jan', 'february|feb', 'march|mar', 'april|apr', 'may', 'june|jun', 'july|jul', 'august|aug'],
    ...['september|sept?', 'october|oct', 'november|nov', 'december|dec'],
  ],
  phrases: {
    today: ['(?<!USA )today'],
    tomorrow: ['(?<!the day after )tomorrow'],
    yesterday: ['yesterday', '(?<!the )last night'],
    dayBefore: ['the day before yesterday'],
    // "The last week" are seven days, "the last week of June" is another one.
    last: [
      '(?<!(?:the|my|our|your|his|her|its|their) )last {unit}(?!,? (?:of|in|before|after))',
      '(?<!the )last (?<year>year)(?=,? in {month})',
    ],
    beforeLast: ['the {unit} before last'],
    next: ['(?<!the )next {unit}'],
    this: ['this {unit}'],
    ago: ['(?<!half ){n} {units} ago'],
    lastWeekday: ['last {weekday}'],
    weekday: [
      "on {weekday}(?!['’]|,? \\d|,? (?:the|of|after|before|(?:evening|morning|afternoon|night)s)(?!\\p{L}))",
    ],
    month: ['(?:in|during|last) {month}(?!,? ?\\d)'],
    // "Where was May last year?" asks of a friend.
    bare: [
      '(?<=(?:^|[,;]|before|prior to|after|since|until|till|by|from|up to|to|than|about|around|early|late|mid|of|the|and|or|except) ){month}',
      '{day}(?:st|nd|rd|th)?(?: of)? {month}',
      '{month} {day}(?:st|nd|rd|th)?',
    ],
    monthOfYear: ['{month}(?: of|,)? {year}'],
    date: [
      '{day}(?:st|nd|rd|th)?(?: of)? {month}(?:,? ?{year})',
      '{month} {day}(?:st|nd|rd|th)?,? ?{year}',
      '(?:on|of) (?:the )?{day}(?:st|nd|rd|th)?(?: of)? {month}(?!,? ?\\d)',
      '(?:on|of) {month} {day}(?:st|nd|rd|th)?',
      '{weekday},? (?:the )?{day}(?:st|nd|rd|th)?(?: of)? {month}(?!,? ?\\d)',
      '{weekday},? {month} {day}(?:st|nd|rd|th)?(?!,? ?\\d)(?=\\s*(?:[?.!,;]|$)| (?:at|in|with)(?!\\p{L}))',
      '{month} {day}(?:st|nd|rd|th)?(?=\\s*(?:[?.!,;]|$))',
    ],
    year: ['(?:(?:in|during) )?the year {year}', '(?:in|during) {year}'],
    // "Who was our coach 2024?" asks of a year, and "Who was in room 2024?" of a room.
    bareYear: [
      `${unlessNumbered('order|room|number|version|model|code|pin|ticket|page|flight|invoice|bus|line|gate|locker|route|chapter|article|issue|case|lot|box|unit|suite|extension|port|channel|part|item|size|train|track|platform|street|bill|account|form|law|type|series|apartment|flat|house|table|seat|book|novel|film|movie|song|album|painting|picture|read|watch|watched|saw|seen|in|at|on|than|to|or|and|of|about|over|for|by|with|me|us|him|her|them|you|it|paid|pay|costs?|owed?|spen[dt]|sold|ran|run|reached|counted|scored|earned|total|sum|amount|price|worth|exactly|only|nearly|almost|least|most')}(?<=(?<!\\p{L})(?:who|whom|whose|what|where|when|which|why|how|did)(?!\\p{L}).*\\p{L} ){year}(?=\\s*[?.!]*$)${unlessAskedFor('when')}`,
    ],
  },
  context: enContext,
}

const fr: TimeWords = {
  numbers: [
    'une?',
    'deux',
    'trois',
    'quatre',
    'cinq',
    'six',
    'sept',
    'huit',
    'neuf',
    'dix',
    'onze',
    'douze',
    'treize',
    'quatorze',
    'quinze',
  ],
  unit: { week: 'semaine', month: 'mois', year: 'année|an' },
  units: { day: 'jours?', week: 'semaines?', month: 'mois', year: 'années?|ans?' },
  weekdays: ['lundi', 'mardi', 'mercredi', 'jeudi', 'vendredi', 'samedi', 'dimanche'],
  months: [
    ...[
      'janvier',
      'f[ée]vrier',
      'mars',
      'avril',
      'mai',
      'juin',
      'juillet',
      'ao[ûu]t',
      'septembre',
      'octobre',
    ],
    ...['novembre', 'd[ée]cembre'],
  ],
  phrases: {
    today: ["aujourd['’]hui"],
    tomorrow: ['(?<!après-)demain'],
    // In German "hier" is a place.
    yesterday: [
      "d['’]hier",
      'hier (?:matin|soir|après-midi)',
      "(?<=(?<![\\p{L}])(?:j['’]ai|ai|as|a|avons|avez|ont|est|es|suis|sommes|sont|était|étais|fait|dit|qui|que|quoi|quand|où|le|la|les|je|tu|il|elle|nous|vous)(?![\\p{L}]).{0,200})hier",
      "hier(?=,? (?:j['’]|je|tu|il|elle|on|nous|vous|le|la|les|qu)(?![\\p{L}]{2}))",
    ],
    dayBefore: ['avant-hier'],
    last: ['{unit} (?:derni[èe]re?|pass[ée]e?)'],
    next: ['{unit} prochaine?'],
    this: ['(?:ce|cet|cette) {unit}'],
    ago: ['il y a {n} {units}(?! (?:qu|et demi))'],
    lastWeekday: ['{weekday} (?:dernier|pass[ée])'],
    weekday: [
      '(?<!(?<!\\p{L})(?:les?|ces?|du|des|un|chaque|tous|de|pour|à|et|ou) ){weekday}(?! \\d| (?:prochain|suivant|saint|noir|gras|des?)(?!\\p{L}))',
    ],
    month: ["(?:en|au mois d(?:e |['’])|courant) ?{month}(?! \\d)", '{month} (?:dernier|pass[ée])'],
    bare,
    monthOfYear: ['{month} {year}'],
    date: [
      '(?:le )?{day}(?:er)? {month} (?:dernier|pass[ée])',
      '{day}(?:er)? {month} {year}',
      '(?:le|{weekday},?(?: le)?) {day}(?:er)? {month}(?!,? ?\\d)',
    ],
    year: ["en (?:l['’]an )?{year}", "(?:en |dans )?l['’]année {year}"],
  },
  context: frContext,
}

/**
 * Also the morning, in German and in Dutch, and in Danish and Norwegian, where tomorrow is "i morgen": all are looked for in a query
 * of any.
 */
const morgen =
  '(?<!(?<!\\p{L})(?:herr|frau|am|auf|vom|zum|bis|eines|jede[nrms]|diese[nrms]?|der|den|dem|des|ein(?:en|em|es)?|guten?|schönen|frühen|späten|nächsten|heute|gestern|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|sonnabend|de|een|elke|iedere|die|goede|’s|van|tot|over|(?:maan|dins|woens|donder|vrij|zater|zon)dag|god|hver|denne) )morgen'

const de: TimeWords = {
  numbers: [
    ...[
      'eine[mnr]?|ein',
      'zwei',
      'drei',
      'vier',
      'fünf',
      'sechs',
      'sieben',
      'acht',
      'neun',
      'zehn',
      'elf',
      'zwölf',
      'dreizehn',
      'vierzehn',
      'fünfzehn',
    ],
  ],
  unit: { week: 'woche', month: 'monats?', year: 'jahr(?:es)?' },
  units: { day: 'tag(?:e[n]?)?', week: 'wochen?', month: 'monat(?:e[n]?)?', year: 'jahr(?:e[n]?)?' },
  weekdays: ['montag', 'dienstag', 'mittwoch', 'donnerstag', 'freitag', 'samstag|sonnabend', 'sonntag'],
  months: [
    ...['januar|jänner', 'februar', 'märz', 'april', 'mai', 'juni', 'juli', 'august', 'september', 'oktober'],
    ...['november', 'dezember'],
  ],
  phrases: {
    today: ['heute'],
    tomorrow: [morgen],
    yesterday: ['gestern'],
    dayBefore: ['vorgestern'],
    last: ['(?:letzte|vergangene|vorige)[nrsm]? {unit}'],
    beforeLast: ['vorletzte[nrsm]? {unit}'],
    next: ['(?:nächste|kommende)[nrsm]? {unit}'],
    this: ['diese[nrsm]? {unit}'],
    ago: ['vor {n} {units}'],
    lastWeekday: ['(?:letzte|vergangene|vorige)[nr]? {weekday}'],
    weekday: [
      'am {weekday}(?:morgen|vormittag|mittag|nachmittag|abend)?(?!,? \\d|,? (?:de[nmrs]|nach|vor)(?!\\p{L}))',
    ],
    month: ['(?:im|letzten|vergangenen) {month}(?!,? ?\\d)'],
    bare,
    monthOfYear: ['{month} {year}'],
    date: ['{day}\\. ?{month} {year}', '(?:am|vom|{weekday},?(?: de[mnr])?) {day}\\. ?{month}(?!,? ?\\d)'],
    year: ['(?:im jahre?|in|das jahr|des jahres) {year}'],
    // "Wer war 2024 Trainer?" asks of a year, and "Was war Auftrag 2024?" of an order.
    bareYear: [
      `(?<=(?<!\\p{L})(?:war|waren|wurden?|hatten?|habe|hast|hat|haben|ging|gab|kam|kostete|kosteten|ich|du|er|sie|es|wir|ihr|man) ){year}(?= (?:unser|mein|dein|sein|ihr|euer|der|die|das|den|dem|ein|in|im|an|am|auf|bei|beim|mit|zu|zum|zur|nach|von|vom|für|los|noch|schon|nicht|alles)\\p{Ll}*(?!\\p{L}))${unlessAskedFor('wann')}`,
      `${unlessNumbered('\\p{L}*(?:nummer|zimmer|raum|auftrag|bestellung|rechnung|fach|konto|kunde|gleis|halle|wohnung|haus|zug|flug|paket|akte|vorgang|seite|kapitel|artikel|linie|platz|straße|tisch|buch|roman|film|lied|album|gemälde|bild)|nr|version|modell|ticket|bus|tor|code|pin|fall|größe|block|in|am|im|um|mit|als|oder|und|bis|von|für|über|mir|dir|ihm|uns|ihnen|gezahlt|bezahlt|nur|fast|etwa|genau|rund|betrag|summe|preis')}(?<=\\p{L} ){year}(?=\\s*[?.!]*$)${unlessAskedFor('wann')}`,
    ],
  },
  context: deContext,
}

const es: TimeWords = {
  numbers: [
    'una?',
    'dos',
    'tres',
    'cuatro',
    'cinco',
    'seis',
    'siete',
    'ocho',
    'nueve',
    'diez',
    'once',
    'doce',
    'trece',
    'catorce',
    'quince',
  ],
  unit: { week: 'semana', month: 'mes', year: 'año' },
  units: { day: 'd[íi]as?', week: 'semanas?', month: 'mes(?:es)?', year: 'años?' },
  weekdays: ['lunes', 'martes', 'mi[ée]rcoles', 'jueves', 'viernes', 's[áa]bado', 'domingo'],
  months: [
    ...['enero', 'febrero', 'marzo', 'abril', 'mayo', 'junio', 'julio', 'agosto', 'sep?tiembre', 'octubre'],
    ...['noviembre', 'diciembre'],
  ],
  phrases: {
    today: ['hoy'],
    // The morning is written so too.
    tomorrow: ['(?<!(?<!\\p{L})(?:la|las|una|cada|esta|esa|aquella|otra|de|media|pasado) )mañana'],
    yesterday: ['ayer', 'anoche'],
    dayBefore: ['anteayer|antier', 'antes de ayer'],
    last: ['{unit} pasad[oa]', 'pasad[oa] {unit}'],
    beforeLast: ['{unit} antepasad[oa]'],
    next: ['próxim[oa] {unit}', '{unit} (?:próxim[oa]|que viene)'],
    this: ['est[ae] {unit}'],
    ago: ['hace {n} {units}(?! (?:que|y (?:medio|pico)))'],
    lastWeekday: ['{weekday} pasado', 'pasado {weekday}'],
    weekday: [
      '(?<!(?<!\\p{L})(?:para|hasta|desde|de|en|por) )el {weekday}(?! \\d| (?:que viene|próximo|siguiente|santo|del?)(?!\\p{L}))',
    ],
    month: ['(?:en|durante) (?:el mes de )?{month}(?! (?:de |del )?\\d)', '{month} pasado'],
    bare,
    monthOfYear: ['{month} (?:del? )?{year}'],
    date: [
      '(?:(?:el|del) )?{day} de {month} pasado',
      '{day} de {month} (?:del?|,) ?{year}',
      '(?:el|del|{weekday},?(?: el| d[íi]a)?) {day} de {month}(?! (?:del? )?\\d)',
    ],
    year: ['(?:en|durante) {year}', '(?:(?:en|durante) )?(?:el|del) año {year}'],
  },
  context: esContext,
}

const it: TimeWords = {
  numbers: [
    "un[oa’']?",
    'due',
    'tre',
    'quattro',
    'cinque',
    'sei',
    'sette',
    'otto',
    'nove',
    'dieci',
    'undici',
    'dodici',
    'tredici',
    'quattordici',
    'quindici',
  ],
  unit: { week: 'settimana', month: 'mese', year: 'anno' },
  units: { day: 'giorn[oi]', week: 'settiman[ae]', month: 'mes[ei]', year: 'ann[oi]' },
  weekdays: ['luned[ìi]', 'marted[ìi]', 'mercoled[ìi]', 'gioved[ìi]', 'venerd[ìi]', 'sabato', 'domenica'],
  months: [
    ...[
      'gennaio',
      'febbraio',
      'marzo',
      'aprile',
      'maggio',
      'giugno',
      'luglio',
      'agosto',
      'settembre',
      'ottobre',
    ],
    ...['novembre', 'dicembre'],
  ],
  phrases: {
    today: ['oggi'],
    tomorrow: ['(?<!dopo )domani'],
    yesterday: ['ieri'],
    dayBefore: ["l['’]altro ?ieri", 'altroieri|avantieri'],
    last: ['{unit} (?:scors|passat)[oa]', 'scors[oa] {unit}'],
    next: ['prossim[oa] {unit}', '{unit} prossim[oa]'],
    this: ["quest(?:[oa] |['’]){unit}"],
    ago: ['{n} {units} fa'],
    lastWeekday: ['{weekday} (?:scors|passat)[oa]', 'scors[oa] {weekday}'],
    weekday: [
      '(?<!(?<!\\p{L})(?:il|la|al|di|ogni|quest[oa]|per|un|una|prossim[oa]|e|o) ){weekday}(?! \\d| (?:prossim[oa]|seguente|sant[oa]|di)(?!\\p{L}))',
    ],
    month: [
      '(?:in|ad?|nel|nel mese di|durante) {month}(?! (?:del )?\\d)',
      '(?:{month} scorso|scorso {month})',
    ],
    bare,
    monthOfYear: ['{month} (?:del )?{year}'],
    date: [
      '(?:(?:il|del) )?{day}º? {month} scorso',
      '{day}º? {month} (?:del )?{year}',
      "(?:il|del|l['’]|{weekday},?(?: il| l['’])?) ?{day}º? {month}(?! (?:del )?\\d)",
    ],
    year: ['nel {year}', "(?:nel)?l['’]anno {year}"],
  },
  context: itContext,
}

const pt: TimeWords = {
  numbers: [
    'uma?',
    'dois|duas',
    'três',
    'quatro',
    'cinco',
    'seis',
    'sete',
    'oito',
    'nove',
    'dez',
    'onze',
    'doze',
    'treze',
    'quatorze|catorze',
    'quinze',
  ],
  unit: { week: 'semana', month: 'mês|mes', year: 'ano' },
  units: { day: 'dias?', week: 'semanas?', month: 'm[êe]s(?:es)?', year: 'anos?' },
  weekdays: [
    ...[
      'segunda(?:-feira)?',
      'terça(?:-feira)?',
      'quarta(?:-feira)?',
      'quinta(?:-feira)?',
      'sexta(?:-feira)?',
    ],
    ...['sábado', 'domingo'],
  ],
  months: [
    ...['janeiro', 'fevereiro', 'março', 'abril', 'maio', 'junho', 'julho', 'agosto', 'setembro', 'outubro'],
    ...['novembro', 'dezembro'],
  ],
  phrases: {
    today: ['hoje'],
    tomorrow: ['(?<!depois de )amanhã'],
    yesterday: ['ontem'],
    dayBefore: ['anteontem', 'antes de ontem'],
    last: ['{unit} passad[oa]'],
    beforeLast: ['{unit} retrasad[oa]'],
    next: ['próxim[oa] {unit}', '{unit} (?:próxim[oa]|que vem)'],
    this: ['n?est[ea] {unit}'],
    ago: ['(?:há|faz) {n} {units}(?! (?:que|atrás|e mei[oa]))', 'há {n} {units} atrás', '{n} {units} atrás'],
    lastWeekday: ['{weekday} passad[oa]', '(?:na|no) últim[ao] {weekday}'],
    // "Na segunda" may be the second, and "na quinta" on the farm.
    weekday: [
      '(?:na (?=\\p{L}+-)|no ){weekday}(?! \\d| (?:que vem|próxim[oa]|seguinte|sant[oa]|d[eo])(?!\\p{L}))',
    ],
    month: ['(?:em|durante) {month}(?! (?:de )?\\d)', 'no mês de {month}(?! (?:de )?\\d)', '{month} passado'],
    bare,
    monthOfYear: ['{month} (?:de )?{year}'],
    date: [
      '(?:(?:em|no dia|dia) )?{day}º? de {month} passado',
      '{day}º? de {month} de {year}',
      '(?:em|no dia|dia|{weekday},?(?: (?:no )?dia)?) {day}º? de {month}(?! (?:de )?\\d)',
    ],
    year: ['em {year}', '(?:n?o|do) ano (?:de )?{year}'],
  },
  context: ptContext,
}

const nl: TimeWords = {
  numbers: [
    'een|één',
    'twee',
    'drie',
    'vier',
    'vijf',
    'zes',
    'zeven',
    'acht',
    'negen',
    'tien',
    'elf',
    'twaalf',
    'dertien',
    'veertien',
    'vijftien',
  ],
  unit: { week: 'week', month: 'maand', year: 'jaar' },
  units: { day: 'dag(?:en)?', week: 'we(?:e)?k(?:en)?', month: 'maand(?:en)?', year: 'jaar|jaren' },
  weekdays: ['maandag', 'dinsdag', 'woensdag', 'donderdag', 'vrijdag', 'zaterdag', 'zondag'],
  months: [
    ...['januari', 'februari', 'maart', 'april', 'mei', 'juni', 'juli', 'augustus', 'september', 'oktober'],
    ...['november', 'december'],
  ],
  phrases: {
    today: ['vandaag'],
    tomorrow: [morgen],
    yesterday: ['gisteren', 'gister(?:ochtend|middag|avond|nacht)'],
    dayBefore: ['eergisteren'],
    last: ['(?:vorige?|verleden|(?<!(?:de|het) )afgelopen) {unit}'],
    beforeLast: ['(?:voorvorige?|eervorige?) {unit}'],
    next: ['(?:volgende?|komende?) {unit}'],
    this: ['(?:deze|dit) {unit}'],
    ago: ['{n} {units} geleden'],
    lastWeekday: ['(?:afgelopen|vorige) {weekday}'],
    weekday: [
      '(?<!(?<!\\p{L})(?:de|een|elke|iedere|volgende|komende|voor|tot|van|en|of) )(?:op )?{weekday}(?:ochtend|middag|avond)?(?!,? \\d|,? (?:de|na|voor|die)(?!\\p{L}))',
    ],
    weekdayOfLastWeek: ['vorige week {weekday}'],
    month: ['(?:in|afgelopen) {month}(?!,? ?\\d)'],
    bare,
    monthOfYear: ['{month} {year}'],
    date: ['{day} {month} {year}', '(?:op|{weekday},?(?: de)?) {day} {month}(?!,? ?\\d)'],
    year: ['in {year}', '(?:in )?het jaar {year}'],
  },
  context: nlContext,
}

const hanHint = '[年月日周週天星礼曜]'
const hanNumbers = ['一', '二|两|兩', '三', '四', '五', '六', '七', '八', '九', '十', '十一', '十二']
const hanMonths = hanNumbers.map((number, i) => `${number}|0?${i + 1}`)

const zh: TimeWords = {
  spaceless: true,
  hint: hanHint,
  numbers: hanNumbers,
  unit: {},
  units: { day: '[天日]', week: '(?:个|個)?(?:星期|礼拜)|[周週]', month: '(?:个|個)月', year: '年' },
  weekdays: ['一', '二', '三', '四', '五', '六', '[日天]'],
  weekdayMark: '[期拜周週]',
  months: hanMonths,
  phrases: {
    today: ['今天'],
    tomorrow: ['明天'],
    yesterday: ['昨天', '昨[晚夜]'],
    // 目前天气 is the weather at present, 大前天 a day earlier.
    dayBefore: ['(?<![大目之以空提年月天日周期])前天'],
    last: [
      '上(?:个|個)?(?<week>星期|礼拜|[周週])(?![一二三四五六日天末])',
      '上(?:个|個)(?<month>月)|(?<![以早晚马])上(?<month>月)',
      '(?<![失过過])(?<year>去年)',
    ],
    beforeLast: ['(?<![大目之以空提年月天日周期])(?<year>前年)'],
    next: [
      '(?<year>明年)',
      '(?<![下楼樓线線以乡鄉地])下(?:个|個)?(?<week>星期|礼拜|[周週])(?![一二三四五六日天末围圍边邊期年转轉])',
      '(?<![下以])下(?:个|個)(?<month>月)',
    ],
    this: [
      '(?:本|这个?|這個?)(?<week>星期|礼拜|[周週])(?![一二三四五六日天末])',
      '(?:本|这个|這個)(?<month>月)',
      '(?<year>今年)',
    ],
    ago: ['{n}{units}(?:之|以)?前(?![半面])'],
    weekdayOfLastWeek: ['上(?:个|個)?(?:[周週]|星期|礼拜){weekday}'],
    weekday: [
      '(?<![上下这這本每个個隔色那数整全一二三四五六七八九十两兩几幾\\d])(?:星期|礼拜|[周週]){weekday}(?![至到和或、及与與直])',
    ],
    month: ['{month}月份?(?![\\d一二三四五六七八九十])'],
    monthOfYear: ['{year}年{month}月份?(?![\\d一二三四五六七八九十])'],
    date: ['{year}年{month}月{day}[日号號]', '{month}月{day}[日号號]'],
    year: ['{year}年(?![\\d代间間来])'],
  },
  context: hanContext,
}

const ja: TimeWords = {
  spaceless: true,
  hint: hanHint,
  numbers: hanNumbers,
  unit: {},
  units: { day: '日', week: '週間', month: '[かカヶケ箇]月', year: '年' },
  weekdays: ['月曜日?', '火曜日?', '水曜日?', '木曜日?', '金曜日?', '土曜日?', '日曜日?'],
  months: hanMonths,
  phrases: {
    // こんにちは may be written so.
    today: ['今日(?!は[、。!！]|こそ)', '本日'],
    // 明日香 is a name.
    tomorrow: ['明日(?!香)', 'あした'],
    yesterday: ['(?<![一昨々])昨日', 'きのう', '(?<!一)昨[夜晩]', 'ゆうべ'],
    dayBefore: ['一昨日', '(?<!さき)おととい'],
    last: ['先(?<week>週)(?!の?[月火水木金土日]曜|末)', '先(?<month>月)', '(?<!一)昨(?<year>年)'],
    beforeLast: ['(?<year>一昨年|おととし)'],
    next: [
      '(?<!再)(?<year>来年)',
      '(?<!再)来(?<week>週)(?!の?[月火水木金土日]曜|末)',
      '(?<!再)来(?<month>月)',
    ],
    this: ['今(?<week>週)(?!の?[月火水木金土日]曜|末)', '今(?<month>月)'],
    ago: ['{n}{units}前(?![半面])'],
    weekdayOfLastWeek: ['先週の?{weekday}'],
    weekday: ['(?<![先今来毎各隔前次週末の]){weekday}(?:[には]|の(?:朝|昼|夜|晩|午前|午後|夕方))'],
  },
  context: hanContext,
}

const ru: TimeWords = {
  numbers: [
    'од(?:ин|ну|ного)',
    'дв[ае]|двух',
    'тр(?:и|ёх|ех)',
    'четыре',
    'пять',
    'шесть',
    'семь',
    'восемь',
    'девять',
    'десять',
  ],
  unit: { week: 'недел[еюяи]', month: 'месяц[ае]?', year: 'год[ау]?' },
  units: { day: 'день|дня|дней', week: 'недел[юьи]', month: 'месяц(?:а|ев)?', year: 'год[а]?|лет' },
  weekdays: ['понедельник', 'вторник', 'сред[ау]', 'четверг', 'пятниц[ау]', 'суббот[ау]', 'воскресенье'],
  months: [
    ...['январ[ьея]', 'феврал[ьея]', 'март[ае]?', 'апрел[ьея]', 'ма[йея]', 'июн[ьея]', 'июл[ьея]'],
    ...['август[ае]?', 'сентябр[ьея]', 'октябр[ьея]', 'ноябр[ьея]', 'декабр[ьея]'],
  ],
  phrases: {
    today: ['сегодня'],
    tomorrow: ['завтра'],
    yesterday: ['вчера'],
    dayBefore: ['позавчера'],
    last: ['(?:прошл|минувш)(?:ой|ая|ую|ом|ем|ый|ий|его|ого) {unit}'],
    beforeLast: ['позапрошл(?:ой|ую|ом|ый|ого) {unit}'],
    next: ['(?:следующ|будущ)(?:ей|ую|ем|ий|его) {unit}'],
    this: ['эт(?:ой|у|ом|от|ого) {unit}'],
    ago: ['{n} {units} назад'],
    lastWeekday: ['прошл(?:ый|ую|ое) {weekday}'],
    month: ['(?:в|за) {month}(?! \\d)', 'прошл(?:ый|ом|ого) {month}'],
    bare,
    monthOfYear: ['{month} {year}(?:-?го)?(?: года?)?'],
    date: ['{day}(?:-?го)? {month} {year}(?: года?)?', '{day}(?:-?го)? {month}(?!,? ?\\d)'],
    // "За 2000" is a price, "в 2014 квартире" a number of a flat.
    year: [
      'в {year}(?:-?м)?(?=\\s*(?:[?.!,;]|$))',
      '(?:в|за) {year}(?:-?м)?(?: году?| ?г\\.)',
      '{year}(?:-?(?:м|го|й))? год[ау]?',
    ],
  },
  context: ruContext,
}

const ko: TimeWords = {
  spaceless: true,
  hint: '[년월주]|지난|전',
  numbers: ['한', '두', '세', '네', '다섯', '여섯', '일곱', '여덟', '아홉', '열'],
  unit: {},
  units: { day: '일', week: '주', month: '개월|달', year: '년' },
  weekdays: ['월요일', '화요일', '수요일', '목요일', '금요일', '토요일', '일요일'],
  months: Array.from({ length: 12 }, (_, i) => (i < 9 ? `0?${i + 1}` : `${i + 1}`)),
  phrases: {
    today: ['오늘'],
    tomorrow: ['(?<![\\p{L}])내일'],
    yesterday: ['어제'],
    dayBefore: ['(?<!그)그저께', '(?<!그)그제(?!야|서)'],
    last: ['지난 ?(?<week>주)(?!말|년)', '지난 ?(?<month>달)', '(?<year>작년|지난해)'],
    beforeLast: ['(?<year>재작년)'],
    next: ['다음 ?(?<week>주)(?!말)', '다음 ?(?<month>달)', '(?<year>내년)'],
    this: ['이번 ?(?<week>주)(?!말)', '이번 ?(?<month>달)', '(?<year>올해)'],
    ago: ['{n} ?{units} ?전(?=에|의|[\\s,.?]|$)'],
    weekdayOfLastWeek: ['지난 ?주 ?{weekday}'],
    month: ['{month}월(?! ?\\d)(?=에|의|달|[\\s,.?]|$)'],
    monthOfYear: ['{year}년 ?{month}월(?! ?\\d)'],
    date: ['{year}년 ?{month}월 ?{day}일', '{month}월 ?{day}일'],
    year: ['{year}년(?=에|의|도|엔|[\\s,.?]|$)(?! ?\\d)'],
  },
  context: koContext,
}

/** Of all languages that are read. */
export const timeWords: readonly TimeWords[] = [en, fr, de, es, it, pt, nl, ru, zh, ja, ko]
