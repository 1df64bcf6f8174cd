/** How a language says that something is so, and that it was so, of states alone: not of what happens once. */
export interface Tenses {
  /**
   * States with `;` between, each as it is said of now, `~`, and of what was: sources of regular expressions of whole words in
   * lower case, with accents. Nothing before `~` stands for a state that has no word in the present, as in Russian.
   */
  readonly states: string
  /** Behind some words for "since", what is said in the past, or was so for a time, may go on. */
  readonly since?: string
  /** Behind these the same is told in either tense: he said that he lives, and that he lived. */
  readonly said?: string
}

/**
 * Behind "am" or "was": what is done, or done to somebody, at a time. Some participles tell of a state. Dutch has "is" and "was" as
 * well, so that its nouns and adjectives of such an end are among them.
 */
const doing =
  '(?! (?:not |still |now |just |also |[^ ]+ly )?(?!(?:married|engaged|divorced|retired|based|located|employed|enrolled|registered|insured|named|called|headquartered|widowed|separated|unemployed|disabled|addicted|closed|tired|koning|leerling|vluchteling|tweeling|goed) )(?:[^ ]+(?:ing|ed|wn|pt)|going|born|made|built|sold|sent|held|put|cut|paid|told|found|won|lost|left|met|taught|done|gone|given|taken|written|seen|set|hit|shot|caught|brought|bought|read|hurt|stolen|chosen|spoken|broken|beaten|eaten|driven) )'
/** Also what one thinks of something, which may be told in either tense. */
const thinking =
  '(?! (?:so |very |really |quite )?(?:great|good|bad|nice|fun|delicious|terrible|awful|excellent|fantastic|lovely|brilliant|wonderful|horrible|perfect|ok|okay|(?:a|the) (?:great|good|bad|nice|best|worst)) )'
/** What will be done, beside what has been: verbs of which the past has a form of its own. */
const irregular =
  'buy bought|sell sold|pay paid|send sent|leave left|write wrote|written|give gave|given|take took|taken|make made|build built|win won|lose lost|go went|gone|come came|bring brought|get got|gotten|choose chose|chosen|do did|done|hold held|begin began|begun|find found'
/** What stands before a verb for what one will do, or means to do: what is not done yet. */
const ahead =
  '(?:will|ll|shall|(?:(?:am|is|are|m|s|re) (?:going|planning|hoping)|plans?|wants?|hopes?|intends?|needs?|wish(?:es)?|(?:would|d) like) to)'
const willDo = irregular
  .split(/\|(?=[a-z]+ )/)
  .map((verb) => verb.replace(/^([a-z]+) (.*)$/, `${ahead} $1~(?:$2)`))
/** Behind "have" or "had": what helps another verb, and what comes to an end by itself. */
const having =
  '(?! (?:not |never |just |already |also |always |now |[^ ]+ly )?(?:to|been|[^ ]{2,}ed|[^ ]+wn|gone|made|built|sold|sent|held|put|cut|paid|told|found|won|lost|left|met|taught|done|given|taken|written|seen|set|hit|shot|caught|brought|bought|read|had|got|become|come|run|begun|eaten|forgotten|chosen|spoken|broken|beaten|driven|said|kept|heard|felt|thought|spent|understood) )(?! (?:(?:a|an|the|my|his|her|our|their|some) )?(?:[^ ]+ )?(?:baby|meeting|talk|chat|accident|operation|surgery|party|appointment|breakfast|lunch|dinner|drink|fun|time|look|call) )'
/** Verbs of saying and thinking. */
const said = 'said|says|told|tells|thought|knew|explained|reported|mentioned|confirmed|claimed|wrote'
/** At the end of a clause of German or Dutch: what is done. */
const done = '(?! .*ge[^ ]{2,}(?:t|en) $)(?! .*(?:iert|worden|geworden) $)'
const frenchDone =
  '(?! (?:déjà |pas |bien |jamais |souvent |tout )?(?!(?:marié|mariée|mariés|fiancé|fiancée|divorcé|divorcée|situé|située|retraité|retraitée|employé|employée) )(?:née?s?|[^ ]{2,}(?:ée?s?|ie?s?|ue?s?|ise?|ite?|erte?s?)) )'
const italianDone =
  '(?! (?:già |mai )?(?!sposat|divorziat|fidanzat|pensionat)[^ ]+(?:at|it|ut|tt|st|rt)[oaie] )'
const iberianDone = '(?! (?!casad|divorciad|jubilad|aposentad|noiv)[^ ]+[aií]d[oa]s? )'
const swedishDone = '(?! (?:redan |inte |aldrig |just |alltid )?(?!ett )[^ ]+(?:at|it|tt|rt|ört|lt) )'
/** Endings of Polish verbs in the past. */
const polishPast = '(?:ł|ła|ło|li|ły|łem|łam|liśmy|łyśmy)'

export const tenses: Readonly<Record<string, Tenses>> = {
  en: {
    states: [
      `(?:am|is|are|m|re|(?<= (?:he|she|it|there|who) )s)${doing}${thinking}~(?:was|were)${doing}${thinking}`,
      `(?:have|has|ve)${having}~had${having}`,
      ...[
        'lives?|living~lived',
        'works?|working~worked',
        'owns?~owned',
        'belongs?~belonged',
        'resides?~resided',
        'heads?~headed',
        'manages?~managed',
        'teach(?:es)?~taught',
        'stud(?:y|ies)~studied',
        'rents?~rented',
        'smokes?~smoked',
      ].map(
        (state) => `${state.replace('~', '~(?<! (?:have|has|had|ve) )(?<! (?:have|has|had|ve) [^ ]+ )(?:')})`,
      ),
      ...willDo,
    ].join(';'),
    since: 'since',
    said,
  },
  de: {
    states: `(?:bin|bist|ist|sind|seid)${done}~(?:war|warst|waren|wart)${done}|gewesen;(?:habe?|hast|hat|haben|habt)${done}~(?:hatte|hattest|hatten|hattet)${done}|gehabt;wohn(?:e|st|t|en)~wohnten?|gewohnt;leb(?:e|st|t|en)~lebten?|gelebt;arbeite(?:st|t|n)?~arbeiteten?|gearbeitet;gehör(?:e|st|t|en)~gehörten?;besitz(?:e|t|en)~besaß(?:en)?|besessen;leite(?:t|n)?~leiteten?|geleitet;unterrichte(?:t|n)?~unterrichteten?;studier(?:e|t|en)~studierten?;rauch(?:e|st|t|en)~rauchten?|geraucht;heiß(?:e|t|en)~hieß(?:en)?`,
    since: 'seit|seitdem',
    said: 'sagte|gesagt|sagt|dass|erzählte|erzählt',
  },
  fr: {
    states: `(?:suis|es|est|sommes|êtes|sont)${frenchDone}~(?:étais|était|étions|étiez|étaient)${frenchDone};(?:ai|as|a|avons|avez|ont)${frenchDone}~(?:avais|avait|avions|aviez|avaient)${frenchDone};habit(?:e|es|ons|ez|ent)~habit(?:ais|ait|ions|iez|aient|é);vi(?:s|t|vons|vez|vent)~vi(?:vais|vait|vions|viez|vaient)|vécu;travaill(?:e|es|ons|ez|ent)~travaill(?:ais|ait|ions|iez|aient|é);poss[èé]d(?:e|es|ons|ez|ent)~posséd(?:ais|ait|ions|aient|é);appartien(?:s|t|nent)~apparten(?:ais|ait|aient)|appartenu;dirig(?:e|es|ent|eons)~dirige(?:ais|ait|aient)|dirigé;enseign(?:e|es|ent)~enseign(?:ais|ait|aient|é);étudi(?:e|es|ent)~étudi(?:ais|ait|aient|é);fum(?:e|es|ent|ons)~fum(?:ais|ait|ions|aient)`,
    since: 'depuis',
    said: 'dit|disait|expliqué|raconté|confirmé|annoncé|déclaré|affirmé',
  },
  es: {
    states: `(?:es|soy|eres|somos|son)(?! [^ ]+[ai]d[oa]s? por )~(?:era|eras|éramos|eran)(?! [^ ]+[ai]d[oa]s? por )|(?:fue|fui|fueron)${iberianDone};(?:está|estoy|estás|estamos|están)(?! [^ ]+ndo )~(?:estaba|estabas|estábamos|estaban|estuvo)(?! [^ ]+ndo );(?:tengo|tienes|tiene|tenemos|tienen)(?! que )~ten(?:ía|ías|íamos|ían)(?! que );viv(?:o|es|e|imos|en)~viv(?:ía|ías|íamos|ían|ió|í);trabaj(?:o|as|a|amos|an)~trabaj(?:aba|abas|ábamos|aban|ó|é);pertene(?:zco|ces|ce|cemos|cen)~pertenec(?:ía|ías|ían|ió);diri(?:jo|ges|ge|gen)~dirig(?:ía|ían|ió);enseñ(?:o|as|a|an)~enseñ(?:aba|aban|ó);estudi(?:o|as|a|an)~estudi(?:aba|aban|ó);fum(?:o|as|a|an)~fum(?:aba|abas|aban)`,
    since: 'desde',
    said: 'dijo|dijeron|dije|explicó|contó|confirmó|declaró|afirmó|anunció',
  },
  it: {
    states: `(?:è|sono|sei|siamo|siete)${italianDone}~(?:ero|eri|era|eravamo|erano)${italianDone}|(?<=(?:è|sono|siamo) )stat[oaie]${italianDone};(?:ho|hai|ha|abbiamo|hanno)${italianDone}~(?:avevo|avevi|aveva|avevamo|avevano)${italianDone};viv(?:o|i|e|iamo|ono)~viv(?:evo|eva|evamo|evano)|vissuto;abit(?:o|i|a|iamo|ano)~abit(?:avo|ava|avamo|avano|ato);lavor(?:o|i|a|iamo|ano)~lavor(?:avo|ava|avamo|avano|ato);possied(?:o|e|ono)~possed(?:evo|eva|evano);appart(?:engo|iene|engono)~apparten(?:evo|eva|evano);dirig(?:o|e|ono)~dirig(?:evo|eva|evano);insegn(?:o|a|ano)~insegn(?:avo|ava|avano);studi(?:o|a|ano)~studi(?:avo|ava|avano);fum(?:o|a|ano)~fum(?:avo|ava|avano)`,
    said: 'detto|disse|diceva|spiegato|raccontato|confermato|annunciato|dichiarato',
  },
  pt: {
    states: `(?:é|sou|és|somos|são)(?! [^ ]+[ai]d[oa]s? (?:por|pel[oa]s?) )~(?:era|eras|éramos|eram)(?! [^ ]+[ai]d[oa]s? (?:por|pel[oa]s?) )|(?:foi|fui|foram)${iberianDone};(?:está|estou|estás|estamos|estão)(?! (?:[^ ]+ndo|a) )~(?:estava|estavas|estávamos|estavam|esteve)(?! (?:[^ ]+ndo|a) );(?:tenho|tens|tem|temos|têm)(?! (?:que|de|[^ ]+[ai]do) )~(?:tinha|tinhas|tínhamos|tinham)(?! (?:que|de|[^ ]+[ai]do) );viv(?:o|es|e|emos|em)~viv(?:ia|ias|íamos|iam|eu|i);mor(?:o|as|a|amos|am)~mor(?:ava|avas|ávamos|avam|ou|ei);trabalh(?:o|as|a|amos|am)~trabalh(?:ava|avas|ávamos|avam|ou|ei);pertenc(?:e|em)~pertenc(?:ia|iam|eu);dirig(?:e|em)~dirig(?:ia|iam|iu);ensin(?:o|a|am)~ensin(?:ava|avam|ou);estud(?:o|a|am)~estud(?:ava|avam|ou);fum(?:o|a|am)~fum(?:ava|avas|avam)`,
    since: 'desde',
    said: 'disse|disseram|explicou|contou|confirmou|declarou|afirmou|anunciou',
  },
  nl: {
    states: `(?:ben|bent|is|zijn)${done}${doing}${thinking}(?! aan het )~(?:was|waren)${done}${doing}${thinking}(?! aan het )|geweest;(?:heb|hebt|heeft|hebben)${done}~(?:had|hadden)${done}|gehad;wo(?:on|ont|nen)~woonden?|gewoond;le(?:ef|eft|ven)~leefden?|geleefd;werk(?:t|en)?~werkten?|gewerkt;bezit(?:ten)?~bezat(?:en)?;behoort~behoorde;leidt?~leidde;studeer(?:t)?~studeerden?;rook(?:t)?|roken~rookten?|gerookt`,
    since: 'sinds|sedert|al',
    said: `zei|gezegd|dat|vertelde|verteld|${said}`,
  },
  sv: {
    states: `är(?! [^ ]+(?:ad|ade|at|född) )~var(?! [^ ]+(?:ad|ade|at|född) )|varit;har${swedishDone}~hade${swedishDone};bor~bodde|bott;lever~levde;jobbar~jobbade|jobbat;arbetar~arbetade|arbetat;äger~ägde|ägt;tillhör~tillhörde;leder~ledde;undervisar~undervisade;studerar~studerade;röker~rökte`,
    since: 'sedan|sen',
    said: 'sa|sade|sagt|att',
  },
  da: {
    states: `er(?! [^ ]+(?:et|[øgklr]d?t) )~var(?! [^ ]+(?:et|[øgklr]d?t) )|været|vært;har${swedishDone.replace('ett', 'e[tn]')}(?! [^ ]{3,}et )~(?:havde|hadde)${swedishDone.replace('ett', 'e[tn]')}(?! [^ ]{3,}et );bor~boede|bodde|boet|bodd;lever~levede|levde;arbejder~arbejdede|arbejdet;arbeider~arbeidet;jobber~jobbede|jobbet;ejer~ejede;eier~eide;ryger~røg;røyker~røykte`,
    since: 'siden',
    said: 'sagde|sa|sagt|at',
  },
  fi: {
    states:
      '(?:on|olen|olet|olemme|ovat)(?! [^ ]+(?:n[uy]t|neet) )~(?:oli|olin|olit|olimme|olivat)(?! [^ ]+(?:n[uy]t|neet) );asu(?:u|n|t|mme|vat)~asui(?:n|t|mme|vat)?|asunut;työskentele(?:e|n|mme|vät)~työskenteli(?:n|mme|vät)?;omista(?:a|n|vat)~omisti(?:n|vat)?;kuulu(?:u|n|vat)~kuului(?:n|vat)?;opiskele(?:e|n|vat)~opiskeli(?:n|vat)?;opetta(?:a|vat)|opetan~opetti(?:vat)?|opetin;johta(?:a|vat)~johti(?:vat)?',
    since: 'lähtien|asti|saakka',
    said: 'sanoi|kertoi|että',
  },
  pl: {
    states: `(?:jest|jestem|jesteś|jesteśmy|są)(?! [^ ]+(?:an|on|ęt|yt)[yaeio] )~by${polishPast}(?! [^ ]+(?:an|on|ęt|yt)[yaeio] );m(?:am|a|asz|amy|ają)~mia${polishPast}|miel(?:i|iśmy);mieszka(?:m|sz|my|ją)?~mieszka${polishPast};pracuj(?:e|ę|esz|emy|ą)~pracowa${polishPast};należ(?:y|ę|ą|ymy)~należa${polishPast};prowadz(?:i|ę|ą|imy)~prowadzi${polishPast};ucz(?:y|ę|ą)~uczy${polishPast};studiuj(?:e|ę|ą)~studiowa${polishPast};pal(?:i|ę|ą)~pali${polishPast};żyj(?:e|ę|ą|emy)~ży${polishPast}`,
    since: 'od',
  },
  cs: {
    states:
      '(?:je|jsem|jsi|jsme|jsou)(?! [^ ]+(?:án|en|ěn|it)[aoiy]? )~byl[aioy]?(?! [^ ]+(?:án|en|ěn|it)[aoiy]? );m(?:á|ám|áme|ají)~měl[aioy]?;bydl(?:í|ím|íme)~bydlel[aiy]?;pracuj(?:e|i|u|eme|í)~pracoval[aiy]?;žij(?:e|i|u|eme|í)~žil[aiy]?;vlastní(?:m)?~vlastnil[aiy]?;patří(?:m)?~patřil[aioy]?;vede|vedu~vedl[aiy]?;studuj(?:e|i|u|í)~studoval[aiy]?;kouří(?:m)?~kouřil[aiy]?;učí(?:m)?~učil[aiy]?',
    since: 'od',
  },
  ro: {
    states:
      '(?:este|e|sunt|suntem|ești)(?! [^ ]+(?:at|it|ut)ă? )~er(?:a|am|au|ai)(?! [^ ]+(?:at|it|ut)ă? );(?:am|are|ai|avem|au)(?! [^ ]+(?:at|it|ut|s) )~ave(?:a|am|au|ai)(?! [^ ]+(?:at|it|ut|s) );locui(?:esc|ește|eşte|m)~locuia(?:m|u)?|locuit;lucr(?:ez|ează|ăm)~lucra(?:m|u)?|lucrat;trăi(?:esc|ește|eşte|m)~trăia(?:m|u)?',
    since: 'din|de',
  },
  hu: {
    states:
      'van|vagyok|vannak|vagyunk~volt(?:am|ak|unk)?;lak(?:ik|om|nak|unk)~lak(?:ott|tam|tak|tunk);dolgoz(?:ik|om|nak|unk)~dolgoz(?:ott|tam|tak|tunk);él(?:ek|nek|ünk)?~élt(?:em|ek|ünk)?;~volt(?:am|ak|unk)?',
    since: 'óta',
  },
  ru: {
    states:
      'есть~был[аои]?;жив(?:у|ёт|ет|ут|ём|ем)~жил[аои]?;проживает?ю?~проживал[аи]?;работа(?:ю|ет|ют|ем)~работал[аи]?;владе(?:ю|ет|ют)~владел[аи]?;принадлежит~принадлежал[аои]?;уч(?:усь|ится|атся)~учил(?:ся|ась|ись);руковод(?:ит|ят)|руковожу~руководил[аи]?;препода(?:ю|ёт|ет|ют)~преподавал[аи]?;кур(?:ит|ят)|курю~курил[аи]?;явля(?:юсь|ется|ются)~являл(?:ся|ась|ось|ись);состо(?:ю|ит|ят)~состоял[аи]?;~был[аои]?(?! [^ ]*(?:[еёая]н[аоы]?|ыт[аоы]?|(?:взя|приня|нача|сня|заня|уби)т[аоы]?) )',
    since: 'с|со',
    said: 'сказал|сказала|сказали|что|сообщил|сообщила',
  },
  uk: {
    states:
      'є~(?:був|бул[аои]);жив(?:у|е|уть|емо)~жи(?:в|ла|ли);мешка(?:ю|є|ють)~мешка(?:в|ла|ли);працю(?:ю|є|ють|ємо)~працюва(?:в|ла|ли);належ(?:у|ить|ать)~належа(?:в|ла|ло|ли);навча(?:юсь|юся|ється|ються)~навча(?:вся|лася|лись|лися);ма(?:ю|є|ють|ємо)~ма(?:в|ла|ли);керу(?:ю|є|ють)~керува(?:в|ла|ли);викладає~виклада(?:в|ла);кур(?:ю|ить|ять)~кури(?:в|ла|ли);~(?:був|бул[аои])(?! [^ ]+(?:ен|ан|ят|ит|ут)[аоиі]? )',
    since: 'з|із|від',
    said: 'сказав|сказала|сказали|що',
  },
  bg: {
    states:
      '(?:е|съм|са|сме)~(?:беше|бях|бяха|бяхме);живе(?:я|е|ят|ем)~живее(?:ше|х|ха);работ(?:я|и|ят|им)~работе(?:ше|х|ха);има|имам|имат|имаме~има(?:ше|х|ха)',
    since: 'от',
  },
  el: {
    states:
      'είναι|είμαι|είμαστε~ήταν|ήμουν|ήμασταν;(?:έχω|έχει|έχουμε|έχουν)(?! [^ ]+ει )~(?:είχα|είχε|είχαμε|είχαν)(?! [^ ]+ει );μέν(?:ω|ει|ουμε|ουν)~έμεν(?:α|ε|αν)|μέναμε;ζ(?:ω|ει|ούμε|ουν)~ζούσ(?:α|ε|αμε|αν);δουλεύ(?:ω|ει|ουμε|ουν)~δούλευ(?:α|ε|αν)|δουλεύαμε;εργάζ(?:ομαι|εται|ονται)~εργαζ(?:όμουν|όταν|όνταν)',
    since: 'από',
  },
  // "Was" before a noun alone may tell of now as well.
  ar: {
    states:
      '(?:هو|هي|هم|أنا|انا|نحن)~(?:كان|كانت|كنت|كنا|كانوا);~كنت|كنا|(?:كان|كانت)(?= (?:لدي|عندي|لديه|عنده|لديها|عندها|لدينا|عندنا) )',
    since: 'منذ',
    said: 'قال|قالت|ان|إن|أن',
  },
  he: { states: 'יש~(?:היה|הייתה|היתה|היו);~(?:היה|הייתה|היתה|הייתי|היינו|היו)', since: 'מאז' },
  fa: {
    states:
      '(?:است|هستم|هست|هستند)~(?:بود|بودم|بودند);دار(?:م|د|ند)~داشت(?:م|ند)?;(?<= می )کن(?:م|د|ند)~(?<= می )کرد(?:م|ند)?',
  },
  hi: {
    states:
      '(?<! [^ ]*(?:या|यी|ये|गई|गए|की|किए|हुआ|हुई|हुए|चुका|चुकी|चुके|रहा|रही|रहे) )(?<!ने .*)(?:है|हैं|हूँ|हूं|हो)~(?<! [^ ]*(?:या|यी|ये|गई|गए|की|किए|हुआ|हुई|हुए|चुका|चुकी|चुके|रहा|रही|रहे) )(?<!ने .*)(?:था|थी|थे|थीं)',
    said: 'कहा|बताया|कि',
  },
  ko: {
    states:
      '(?:산다|살아요|삽니다|살고 있다|살고 있어요|살고 있습니다)~(?:살았다|살았었다|살았어요|살았습니다|살았었어요|살고 있었다|살고 있었어요);(?:일한다|일해요|일합니다|일하고 있다|일하고 있어요)~(?:일했다|일했었다|일했어요|일했었어요|일했습니다|일하고 있었다);있(?:다|어요|습니다)~있었(?:다|어요|습니다|었다);다(?:닌다|녀요|닙니다)~다녔(?:다|었다|어요|습니다);가르(?:친다|쳐요|칩니다)~가르쳤(?:다|었다|어요|습니다);운영(?:한다|해요|합니다)~운영했(?:다|었다|어요|습니다);(?:피운다|피워요|피웁니다)~피웠(?:다|었다|어요|습니다)',
  },
}

/** What is replaced in a text: first of all that it says of the past, then in what is left. */
interface Rewriting {
  /** What tells of the past alone, and what stands for it then. */
  readonly past: readonly (readonly [RegExp, string])[]
  /** Other ways to say the same of now. */
  readonly now: readonly (readonly [RegExp, string])[]
}

/** In these languages a text about now is, but for endings at its end or particles, the one about the past. */
export const rewritings: Readonly<Record<string, Rewriting>> = {
  // What will be done has not been done yet.
  en: {
    past: [[/ (?:(?:have|has|ve) )?(?:already )?([a-z]+?)ed /u, ' +$1 ']],
    now: [[new RegExp(` ${ahead} ([a-z]+?)e? `, 'u'), ' +$1 ']],
  },
  tr: {
    past: [
      [/[ıiuü]yordu(?:m|n|k|nuz|lar)? $|m[ıiuü]şt[ıiuü](?:m|n|k|lar|ler)? $/u, '+'],
      [/(?<=.)y?[dt][ıiuü](?:m|n|k|lar|ler)? $/u, '='],
    ],
    now: [
      [/[ıiuü]yor(?:um|sun|uz|sunuz|lar)? $/u, '+'],
      [/(?:y[ıiuü][mz]|d[ıiuü]r)? $/u, '='],
    ],
  },
  ja: {
    past: [
      [
        /(?<=(?:住ん|持っ|働い|勤め|属し|通っ|飼っ|し|暮らし|教え|使っ|知っ|付き合っ|吸っ)[でて])い(?:た|ました)$/u,
        '+',
      ],
      [/(?<=[がはに])(?:い|あり|あっ)(?:た|ました)$/u, '='],
      [/(?:でした|だった|であった)$/u, '*'],
    ],
    now: [
      [/(?<=[でて])い(?:る|ます)$/u, '+'],
      [/(?<=[がはに])(?:い|あ)(?:る|ります|ます)$/u, '='],
      [/(?:です|だ|である)$/u, '*'],
    ],
  },
  ko: {
    past: [[/(?:이었|였)(?:다|습니다|어요|었다) $/u, '=']],
    now: [[/(?:이다|다|입니다|이에요|예요) $/u, '=']],
  },
  zh: { past: [[/曾(?=是|有|在|住|任|当|當|为|為|拥有|擁有)/u, '']], now: [] },
  th: { past: [[/(?<!ไม่)เคย(?=เป็น|อยู่|อาศัย|ทำงาน|มี|เรียน|สอน)/u, '']], now: [] },
  vi: {
    past: [[/(?<!(?:chưa|không|chẳng|đã) )(?:(?<= )đã )?từng (?=(?:là|có|sống|làm|ở|học|dạy|sở hữu) )/u, '']],
    now: [],
  },
  id: {
    past: [
      [/(?<= )(?:(?:dulu|dulunya|dahulu) (?!$)|pernah (?=(?:menjadi|tinggal|bekerja|punya|memiliki) ))/u, ''],
    ],
    now: [],
  },
}
