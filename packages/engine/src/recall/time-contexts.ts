/**
 * Words of one language around a time that say that not exactly this time is meant, and words that say which tense a question is
 * in. Parts of regular expressions, matched without regard to case.
 */
export interface TimeContext {
  /** Whether the language is written without white space between words. */
  spaceless?: true
  /** Words before a time that only bounds the one that is meant, or is excluded: "before May 2024", "except in 2024". */
  bounds: string
  /** Such words after a time: "May 2024 or later". */
  boundsAfter?: string
  /** Articles and the like between a bound or a joiner and the time. */
  small: string
  /** Between the parts of a list or a range: "3 and 4 May". */
  joiners: string
  /** Number words that another may follow: "twenty two". */
  tens: string
  /** Words that surely say that the question is about the past. */
  past: string
  /** Words that surely say that the question is about the future, or may be. */
  future: string
}

export const enContext: TimeContext = {
  bounds:
    "before|prior to|preceding|after|following|since|until|till|up (?:to|till|until)|by|through|from|as of|(?<!(?:the|an?|its|new) )(?:starting|beginning|ending)|between|between .{1,40}|\\p{L}+ than|over|under|at (?:the )?(?:latest|earliest|least|most)|latest|earliest|except|excepting|excluding|besides|apart from|aside from|outside of|instead of|unlike|not|but not|\\p{L}+n['’]t|without|(?:every|each|any|that|the same) year,?",
  boundsAfter:
    ',? (?:(?:or|and) (?:later|earlier|before|after|since|onwards?|beyond)|onwards?|at the (?:latest|earliest)|excepted|excluded|(?:of )?(?:every|each|any|that|the (?:same|previous|following)) year)',
  small: 'the|in|on|at|during|of|for|from|to|as|around|about|early|late|mid|end|start|beginning|month|year',
  joiners: 'and|or|and/or|to|till|until|through|nor|compared (?:to|with)|against|versus|vs\\.?',
  tens: 'thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|couple|few|several',
  past: "did|didn['’]t|was|were|wasn['’]t|weren['’]t|had|used to|ago|last|previous|happened|occurred|took|came|went|said|told|saw|met|made|got|gave|bought|ate|rang|brought|wrote|won|lost|paid|sent|sat|(?:who|what|that|i|we|you|he|she|it|they) \\p{L}+[b-df-z]ed",
  future:
    "will|\\p{L}+['’]ll|won['’]t|shall|would|going to|gonna|plans?|upcoming|coming|next(?! to)|planned|scheduled|booked|reserved|due|(?:do|does) \\p{L}+ (?:take|fly|leave|depart|arrive|start|travel|have (?:to|on|in|planned))",
}

export const frContext: TimeContext = {
  bounds:
    "avant|après|depuis|jusqu[’'](?:en|à|au|aux)|jusque|dès|entre|entre .{1,40}|à partir d(?:e|u|['’])|à compter d(?:e|u|['’])|d['’]ici|au plus (?:tard|tôt)|plus (?:tard|tôt) qu(?:e|['’])|(?:plus|moins) d(?:e|['’])|sauf|excepté|hormis|hors|à part|en dehors d(?:e|['’])|pas|chaque année|tous les ans",
  boundsAfter:
    ',? (?:(?:ou|et) (?:plus tard|plus tôt|après|avant)|au plus (?:tard|tôt)|excepté|(?:de )?(?:chaque|la même|cette) année|tous les ans)',
  small: "le|la|l['’]|les|en|au|du|de|d['’]|mois|début|fin|mi",
  joiners: 'et|ou|au?|à|et/ou|ni|par rapport (?:à|au)|contre|comparé(?:e?s?) (?:à|avec)|versus|vs\\.?',
  tens: 'vingt|trente|quarante|cinquante|soixante|cent|quelques',
  past: '(?:ai|as|a|avons|avez|ont|suis|es|est|sommes|êtes|sont)(?:-t)?(?:-\\p{L}+)? (?:pas |tous |toutes )?(?:\\p{L}+ée?s?|fait|dit|vue?s?|eu|prise?s?|mis|venue?s?|bu|lu|reçu|nés?)|étai(?:s|t|ent)|étions|avai(?:s|t|ent)|avions|faisai(?:s|t|ent)|habitai(?:s|t|ent)|derni[èe]re?s?',
  future:
    '(?:vais|vas|va|allons|allez|vont)(?:-\\p{L}+)* \\p{L}+(?:er|ir|re)|ser(?:ai|as|a|ons|ez|ont)|aur(?:ai|as|a|ons|ez|ont)|fer(?:ai|as|a|ons|ez|ont)|ir(?:ai|as|a|ons|ez|ont)|prochaine?s?|prévue?s?|réservée?s?|planifiée?s?|à venir',
}

export const deContext: TimeContext = {
  bounds:
    'vor|nach|seit|bis|ab|zwischen|zwischen .{1,40}|(?:\\p{L}+er|mehr|anders) als|spätestens|frühestens|beginnend|außer|ausser|ausgenommen|ohne|außerhalb|nicht|statt|anstatt|jede[ns] jahr(?:es)?',
  boundsAfter:
    ',? (?:(?:oder|und) (?:später|früher|danach|davor|vorher)|spätestens|frühestens|ausgenommen|jede[sn] jahr(?:es)?|(?:des gleichen|desselben|jenes) jahres|an(?=\\s*[?.!,]|$))',
  small: 'zum|zur|dem|den|der|des|die|das|im|in|am|an|mit|einschließlich|anfang|mitte|ende',
  joiners:
    'und|oder|bis|bis zum|und/oder|noch|sowie|respektive|bzw\\.|gegenüber|verglichen mit|im vergleich (?:zu|zum|mit)|gegen|versus|vs\\.?',
  tens: 'zwanzig|dreißig|vierzig|fünfzig|hundert|einigen|paar',
  past: 'war|waren|warst|wart|hatte[nt]?|wurden?|gab|kam|kamen|ging|gingen|geschah|passierte|lebte[nt]?|wohnte[nt]?|letzte[nrsm]?|vergangene[nrsm]?|(?:habe?|hast|hat|haben|habt|bin|bist|ist|sind|seid)(?!\\p{L}).{0,100}(?<!\\p{L})(?:(?:an|ab|auf|aus|ein|mit|zu|vor)?ge\\p{L}{2,}(?:t|n)|(?:be|er|ver)\\p{L}+t|\\p{L}+iert)(?=\\s*(?:[?.!,]|$))',
  future:
    'werden?|wirst|wird|werdet|nächste[nrsm]?|kommende[nrsm]?|künftig\\p{L}*|bevor|bevorsteh\\p{L}+|ansteh\\p{L}+|geplant|gebucht|vorgesehen|reserviert|angesetzt',
}

export const esContext: TimeContext = {
  bounds:
    'antes de|antes del|después de|después del|desde|hasta|entre|entre .{1,40}|a partir de|a partir del|a más tardar|como (?:tarde|pronto)|como muy (?:tarde|pronto)|más (?:tarde|temprano|allá) de|más de|menos de|excepto|salvo|menos|fuera de|aparte de|no en|cada año|todos los años',
  boundsAfter:
    ',? (?:(?:o|y) (?:después|antes|más tarde)|en adelante|de (?:cada|ese|aquel) año|cada año|todos los años|a más tardar|como (?:muy )?tarde)',
  small: 'el|la|del?|en|a|al|mes|principios|finales|mediados',
  joiners:
    'y|e|o|u|al?|hasta|ni|y/o|frente a(?:l)?|comparad[oa]s? con|en comparación con|respecto a(?:l)?|contra|versus|vs\\.?',
  tens: 'veinte|treinta|cuarenta|cincuenta|cien|ciento|unos|unas',
  past: 'fue|fueron|fui|fuimos|fuiste|era|eran|estuv\\p{L}+|hice|hizo|hicimos|hicieron|tuvimos|vino|vimos|dijo|había|pasad[oa]|\\p{L}{2,}(?:ó|aron|ieron|aba|aban)',
  future:
    '(?:voy|vas|va|vamos|vais|van) a|\\p{L}{2,}r(?:é|ás|á|emos|án)|próxim[oa]s?|previst[oa]s?|planead[oa]s?|programad[oa]s?|reservad[oa]s?',
}

export const itContext: TimeContext = {
  bounds:
    "prima d(?:i|el|ell['’])|prima|dopo|da|dal|dall['’]|fino|entro|tra|fra|(?:tra|fra) .{1,40}|a partire da|a partire dal|al più (?:tardi|presto)|non oltre|oltre|più (?:tardi|di)|meno di|tranne|eccetto|salvo|escluso|non|ogni anno",
  boundsAfter:
    ",? (?:(?:o|e) (?:dopo|prima|più tardi)|in poi|al più tardi|escluso|(?:di )?(?:ogni|quell[’']) ?anno)",
  small: "il|lo|la|l['’]|del|dell['’]|di|a|ad|al|in|nel|nell['’]|mese|inizio|fine|metà",
  joiners: 'e|ed|o|od|oppure|al?|ad|fino al?|né|e/o|rispetto al?|confrontat[oaie] con|contro|versus|vs\\.?',
  tens: 'venti|trenta|quaranta|cinquanta|cento|qualche',
  past: '(?:ho|hai|ha|abbiamo|avete|hanno|è|sei|siamo|siete|sono) \\p{L}+(?:t|ss|s)[oaie]|ero|eri|era|erano|eravamo|aveva|avevano|avevo|viveva|abitava|scors[oa]',
  future:
    '\\p{L}+(?:rò|rà|remo|ranno)|prossim[oaie]|previst[oaie]|prenotat[oaie]|programmat[oaie]|in programma',
}

export const ptContext: TimeContext = {
  bounds:
    'antes d[eoa]|depois d[eoa]|após|desde|até|entre|entre .{1,40}|a partir d[eo]|o mais tardar|no máximo|mais tardar|mais tarde (?:do )?que|mais de|menos de|exceto|excepto|salvo|menos|fora d[eoa]|tirando|não|cada ano|todos os anos|todo ano',
  boundsAfter:
    ',? (?:(?:ou|e) (?:depois|antes|mais tarde)|em diante|o mais tardar|(?:de )?(?:cada|todos os|todo|desse|daquele) anos?)',
  small: 'o|a|os|em|no|na|d[eoa]|ao|dia|mês|início|fim|final|meados',
  joiners: 'e|ou|ao?|até|nem|e/ou|em comparação (?:com|a)|comparad[oa]s? (?:com|a)|contra|versus|vs\\.?',
  tens: 'vinte|trinta|quarenta|cinquenta|cem|cento|uns|umas',
  past: 'foi|foram|fui|fomos|era|eram|estava|estavam|estive\\p{L}*|veio|vieram|tinha|fiz|fez|fizemos|fizeram|vivia|passad[oa]|(?!museu)\\p{L}{3,}(?:ou|eu|iu|aram|eram|iram)',
  future:
    '(?:vou|vais|vai|vamos|vão) \\p{L}+r|\\p{L}{2,}r(?:ei|ás|á|emos|ão)|próxim[oa]s?|previst[oa]s?|planead[oa]s?|marcad[oa]s?|reservad[oa]s?',
}

export const nlContext: TimeContext = {
  bounds:
    'voor|na|sinds|tot|tot en met|t/m|vanaf|tussen|tussen .{1,40}|\\p{L}+er dan|anders dan|uiterlijk|ten laatste|op zijn (?:laatst|vroegst)|behalve|uitgezonderd|zonder|niet|(?:elk|ieder) jaar',
  boundsAfter:
    ',? (?:(?:of|en) (?:later|eerder|daarna|daarvoor)|uiterlijk|(?:van )?(?:elk|ieder|dat) jaar|af(?=\\s*[?.!,]|$))',
  small: 'de|het|in|op|van|met|begin|eind|einde|half|maand',
  joiners: 'en|of|tot|tot en met|t/m|en/of|noch|vergeleken met|in vergelijking met|tegenover|versus|vs\\.?',
  tens: 'twintig|dertig|veertig|vijftig|honderd|paar',
  past: 'was|waren|had|hadden|werd|werden|gebeurde|ging|gingen|kwam|kwamen|deed|deden|kocht|kochten|woonde|woonden|belde|zei|vorige?|afgelopen|geleden|(?:heb|hebt|heeft|hebben|ben|bent|is|zijn)(?!\\p{L}).{0,100}(?<!\\p{L})(?:aan|af|op|uit|in|mee)?ge\\p{L}{2,}(?:d|t|n)(?=\\s*(?:[?.!,]|$))',
  future:
    'zal|zult|zullen|ga|gaat|gaan|volgende?|komende?|aanstaande|gepland|geboekt|gereserveerd|staat|staan',
}

/** Of Chinese and Japanese, whose months and dates are written alike. */
export const hanContext: TimeContext = {
  spaceless: true,
  bounds: '除了?|(?<!来)自从?|自從|[从從]|每年的?|毎年の?|截至|直到|不是|不在',
  boundsAfter:
    '之?前|以前|之?[后後]|以[后後]|以[来來]|より前|より後|以降|までに?|から|至|到|起(?=[，。？,?]|$)|以外|之外|を除|ではな|除外',
  small: '在',
  joiners: '和|与|與|及|或者?|[还還]是|、|到|至|と|か|や|・|～|〜|~',
  tens: '[几幾两兩]',
  past: '(?<![除为為])了|(?<![通不超经經])[过過](?![年节節])|曾|た(?!い)|だった|でした|ました',
  future:
    '打算|[计計][划劃]|[预預]定|接下[来來]|即[将將]|[将將][会會要来來]|[会會](?=有|去|做|发生|在|来)|予定|つもり|来る|下[个個周週次]',
}

export const ruContext: TimeContext = {
  bounds:
    'до|после|перед|с|со|от|к|ко|по|между|между .{1,40}|начиная с|(?:не )?(?:позже|раньше|позднее)|кроме|исключая|помимо|не|не в|больше|меньше|более|менее|кажд(?:ый|ого|ом) год(?:у|а)?',
  boundsAfter: ',? (?:(?:или|и) (?:позже|раньше|после|до|далее)|каждого года|исключая)',
  small: 'в|во|на|за|начал[аео]|конц[аеу]|середин[аеы]|месяц[ае]?|год[ау]?',
  joiners: 'и|или|либо|до|по|и/или|по сравнению с|против',
  tens: 'двадцать|тридцать|сорок|пятьдесят|сто|тысяч[аи]?|несколько|пару',
  past: 'был[аио]?|прошл\\p{L}+|назад|(?!канал|журнал|отдел|материал|персонал|филиал)\\p{L}{2,}[аеиоуыя]л(?:а|и|о|ся|ась|ись|ось)?(?<!школа|сила|села|стола|дела|пола|стола|угла)|(?:при|у|вы|за|по|до|на)?(?:шёл|шла|шли)',
  future:
    'буд(?:у|ешь|ет|ем|ете|ут)|следующ\\p{L}+|будущ\\p{L}+|запланирован\\p{L}*|намечен\\p{L}*|собира\\p{L}+',
}

/** Its particles stand behind the time: 2024년부터 is "since 2024". */
export const koContext: TimeContext = {
  spaceless: true,
  bounds: '매년 ?|해마다 ?',
  boundsAfter:
    '부터|까지| ?(?:이전|이후|전까지|전에|후에|이래)|을 제외|를 제외| ?제외| ?빼고|이 아니|가 아니|마다| ?동안|에서',
  small: ' ',
  joiners: ' ?(?:부터|에서|[~-]|와|과|또는|이나|나|및|하고|,) ?',
  tens: '[몇수]',
  past: '[았었했였갔왔됐샀봤렸났]|지난|작년|어제|전에',
  future: '예정|계획|겠|다음|내년|내일|[할될갈올] ?(?:거|것|까)',
}
