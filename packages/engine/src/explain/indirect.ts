import {
  anyOf,
  asksForValue,
  asksValueWithin,
  list,
  questionPattern,
  saidSentences,
  wordEnd,
} from './asking.ts'
import { fold } from './terms.ts'

/** A sentence that tells of a question, and does not answer it: "The customer asked whether we ship to Malta." */
export interface Report {
  /** Who asks, and whom, as far as it is said beside what tells of it: "the customer us"; empty where the speaker does. */
  by: string
  /** What tells that it is a question: "asked". */
  verb: string
  /** What is asked, from the word that asks on: "whether we ship to Malta". */
  asked: string
  /** What is wanted: a value, a yes or no, or what a thing is that is named only, "the IBAN of the landlord". */
  kind: 'value' | 'choice' | 'thing'
}

/**
 * A pattern of phrases in which "(a/b)" is one of both, "~" any ending of a word, and "_" before a space a word or none. To compile
 * classes of letters so often would take seconds.
 */
const phrases = (some: string): string =>
  anyOf(list(some))
    .replaceAll('/', '|')
    .replaceAll('~', String.raw`[^\s,.:;!?]*`)
    .replaceAll('_ ', String.raw`(?:[^\s,.:;!?]+\s)?`)

/**
 * What tells of a question before it: that somebody asks, wants to know, forgot, can't remember, does not know, wonders, is not sure
 * or looks for it. By language, of those that have it before what is asked.
 */
const tellings = phrases(`
  (can't/cannot/can not/can no longer/couldn't/could not/don't/do not/doesn't/does not/didn't/did not/never) _ (remember/recall/know/figure out/find out/work out/understand)|
  do you (know/remember/recall/happen to know)|forg[eo]t|forgets|forgotten|keeps? forgetting|(seem/seems/seemed) to have forgotten|(anyone/anybody/someone/somebody) _ (know/knows/remember/remembers)|not _ (sure/certain/clear) (to (me/us/him/her/them))?|not _ (sure/certain/clear)|any idea|(isn't/aren't/wasn't) _ (sure/certain/clear)|unsure|uncertain|
  no idea|no clue|wonder|wonders|wondered|wondering|curious|interested to know|to (know/find out/learn/ask/check/figure out/look up/hear/remember/recall)|
  asks|asked|asking|ask|inquired|inquires|enquired|enquires|inquiring|find out|finding out|look up|looking up|checking|(slipped/escapes/escaped) _ (mind/me)|(could/can) tell me|(?<=^the )question is|figure out|figuring out|
  (ne )?_ (sais/sait/savons/savent/savais/savait) (pas/plus)|(ne )?_ me _ (rappelle/souviens) (pas/plus)|ne _ se (rappelle/souvient) (pas/plus)|
  (me/se) (souvenir/rappeler) _ (de)?|me (souvenir/rappeler)|question est de savoir|oublie|demande|demandent|demandait|se demande si|veut savoir|veux savoir|aimerait savoir|aimerais savoir|voudrait savoir|voudrais savoir|voulait savoir|souhaite savoir|cherche a savoir|pas _ (sur/sure/certain/certaine)|(aucune/pas/moindre) idee (de)?|(aucune/pas/moindre) idee|(j'ignore/ignore/ignorait)|impossible de me (rappeler/souvenir)|curieux de savoir|curieuse de savoir|
  (weiß/wissen/wusste/weiss) _ nicht|(weiß/wissen/wusste/weiss) _ nicht (mehr/genau)|keine ahnung|(nicht/nicht mehr/nicht ganz) (sicher/erinnern)|erinnere mich nicht|erinnere mich nicht mehr|vergessen|vergaß|fragt|fragte|fragen|gefragt|frage mich|wissen|erfahren|herausfinden|neugierig|unsicher|nicht ein|entfallen|(?<=^die )frage ist|erkundigt sich|erkundigte sich|
  no _ (recuerdo/recuerda/recordamos/recordo/sé/sabe/sabemos/sabía)|no _ (acuerdo/acuerda) _ de|no _ (acuerdo/acuerda)|(olvidé/olvidó/olvidado)|(quiero/quiere/quería/quisiera/gustaría/desea/necesito/necesita) saber|pregunta|preguntó|preguntaba|preguntan|preguntando|me pregunto|no _ (seguro/segura) _ de|no _ (seguro/segura)|(ni/ninguna/menor) idea _ de|(ni/ninguna/menor) idea|no _ (logro/consigo/puedo) recordar|curiosidad por saber|averiguar|
  non _ (ricordo/ricorda/ricordiamo/so/sa/sappiamo/sapeva)|non _ ricordo _ più|non so _ più|(dimenticato/scordato/dimenticai)|(voglio/vuole/vorrei/vorrebbe/voleva/desidera/piacerebbe) sapere|chiede|ha chiesto|chiedeva|chiedono|mi chiedo|si chiede|non _ (sicuro/sicura)|(nessuna/minima/ho) idea di|(nessuna/minima/ho) idea|non _ riesco a ricordare|curioso di sapere|scoprire|
  não _ (lembro/lembra/recordo/sei/sabe/sabemos/sabia) _ de|não _ (lembro/lembra/recordo/sei/sabe/sabemos/sabia)|(esqueci/esqueceu/esquecido) _ de|(esqueci/esqueceu/esquecido)|(esqueci/esqueceu/lembro/lembra)-(me/se) de|(quero/quer/queria/gostaria de/gostava de/deseja/preciso) saber|perguntou|pergunta|perguntava|pergunto-me|me pergunto|não _ certeza _ de|não _ certeza|(faço/tenho/menor) ideia de|(faço/tenho/menor) ideia|não _ consigo _ lembrar|descobrir|
  (weet/weten/wist) _ niet|(weet/weten) niet _ meer|(vergeten/vergat)|herinner me niet _ meer|herinner me niet|(wil/wilt/wilde/wou/zou graag/willen) _ (weten)|vraagt _ zich af|vraag me af|vraagt|vroeg|gevraagd|niet _ zeker|geen _ idee|(kan/kon) me niet _ herinneren|niet herinneren|benieuwd|
  nie (pamięta~/wiem/wie/wiedział~)|zapomnia~|zapomn~|(chcę/chce/chciał~/chciałbym/chciałabym) _ (wiedzieć/się dowiedzieć/dowiedzieć się)|(za)?pyta|(za)?pytał~|pytają|zastanawia~ się|nie _ (pewien/pewna/pewny)|ciekaw~|nie (mam/ma) _ pojęcia|nie _ (mogę/może) sobie przypomnieć|
  (nepamatuj~/nevím/neví/nevěděl~)|(zapomněl~/zapomněla)|(chci/chce/chtěl~) _ vědět|(ze)?ptá _ se|(ze)?ptal~ _ se|se _ (ze)?ptá|se _ (ze)?ptal~|(nemám/nemá) (tušení/ponětí)|(nemůžu/nemohu) si vzpomenout|zajímá|nejsem si jist~|není si jist~|
  (minns/vet/kommer) _ inte _ (ihåg)|(minns/vet) _ inte|(glömt/glömde) _ (bort)|(glömt/glömde)|(vill/ville/skulle vilja) _ veta|frågar|frågade|frågat|undrar|undrade|(inte/osäker) _ (säker på)|osäker på|nyfiken på|ingen aning _ om|ingen aning|kan inte minnas|
  (husker/vet/ved) _ (ikke/ikkje) _ (lenger/længere)|(husker/vet/ved) _ ikke|(kan/kunne) _ ikke _ huske|(glemt/glemte)|(vil/ville/vil gjerne/vil gerne) _ (vite/vide)|(spør/spurte/spurt/spørger/spurgte)|lurer på|gad vide|(ikke/usikker) _ (sikker på)|usikker på|nysgjerrig på|aner ikke|(ingen/ikke) anelse _ om|(ingen/ikke) anelse|
  не (помн~/зна~)|(забыл~/позабыл~)|(хочу/хочет/хотел~/хотим/нужно/надо) _ (бы )?_ (узнать/знать/спросить)|(спрашива~/спросил~/интересу~)|интересова~|интересно|не _ (уверен~)|гадаю|понятия не (имею/имеет/имеем)|не (могу/может/можем) _ (вспомнить/понять)|
  не (пам'ята~/памята~/зна~)|забу~|(хочу/хоче/хотів/хотіла/хотіло) _ (би )?_ (дізнатися/знати/спитати)|(питає~/пита~/запита~/спита~/цікавиться)|цікаво|(гадки/уявлення) не (маю/має)|не (можу/може) (згадати/пригадати)|не _ (певен/певна/впевнен~)|
  δεν (θυμ~/ξερ~/γνωρίζ~)|(ξέχασ~/ξεχν~)|(θέλω/θέλει/ήθελε/ήθελα/θα ήθελα/θα ήθελε) να (μάθ~/ξέρ~)|(ρωτ~/ρώτησ~)|αναρωτι~|δεν (έχω/έχει) ιδέα|δεν (μπορώ/μπορεί) να (θυμ~)|δεν (είμαι/είναι) σίγουρ~|
  (en/ei/emme) (muista/tiedä/ole varma)|(unohdin/unohti/unohtanut/unohdimme)|(haluan/haluaa/haluaisin/haluaisi/halusi) tietää|(kysyi/kysyy/kysyin/kysyivät)|(mietin/miettii/ihmettelen)|ole aavistusta~|ole hajua~|
  nem (emléksz~/tud~/biztos/vagyok biztos benne)|elfelejtett~|(szeretné/szeretném/akarja/akarom) (tudni/megtudni)|tudni (szeretné/szeretném/akarja/akarom)|(meg)?kérdez~|kíváncsi~|(fogalmam/fogalma/sejtelmem) sincs|nem jut eszembe|
  (tidak/nggak/gak/tak/belum) (ingat/tahu/yakin)|lupa|(ingin/mau) (tahu/mengetahui/bertanya/tanya)|(bertanya/menanyakan/tanya)|penasaran|
  لا (أتذكر/اتذكر/يتذكر/تتذكر/أذكر/أعرف/اعرف/يعرف/تعرف/أعلم/أدري)|(نسيت/نسي/نسينا)|(أريد/اريد/يريد/تريد/أود/يود/تود) (أن/ان) (أعرف/اعرف/يعرف/تعرف)|(أريد/يريد/تريد/أود/يود) معرفة|(سأل/سألت/يسأل/تسأل)|(أتساءل/يتساءل/تتساءل)|لست متأكد~|(لدي/عندي/أدنى) فكرة|لا أستطيع تذكر|
  (לא/איני) (זוכר~/יודע~/בטוח~)|(שכחתי/שכח/שכחה)|(רוצה/רצה/רצתה/מבקש~) לדעת|(שאל/שאלה/שואל~)|(תוהה/סקרנ~)|אין (לי/לו/לה/לנו) מושג|לא (מצליח~) להיזכר`)

/** What looks for a thing that is only named. */
const searches = phrases(`
  (looking/searching/asked/asking/asks/looks) (up/for/about)|inquired about|enquired about|(need/needs/find/get/have) (to know/to find)|need|needs|(trying/like/want/wants/hoping) to find|(wants?/would like/'d like) to know|
  unsure about|not sure about|wondering about|curious about|forgot|forgotten|(can't/cannot/can not/don't/do not) _ (remember/recall/know)|
  (impossible de/plus) me (rappeler/souvenir du)|cherche|cherchons|recherche|besoin d[eu]|me faut|oublie|(sais/rappelle/souviens) plus _ (de)?|demande|aimerait connaitre|voudrais connaitre|veut connaitre|
  suche|suchen|sucht|brauche|brauchen|braucht|vergessen|vergaß|fragt(e)? nach|erkundigt(e)? sich nach|
  busco|busca|buscamos|necesito|necesita|olvidé|olvidado|(no recuerdo/no _ acuerdo de/no sé)|pregunta por|preguntó por|quiere saber|quiero saber|
  cerco|cerca|cerchiamo|mi serve|ho bisogno del~|dimenticato|non (ricordo/so)|ha chiesto|chiede|
  procuro|procura|preciso d[aeo]|esqueci|não _ (lembro/sei)|perguntou (pel[oa]/sobre)|
  zoek|zoekt|ik heb|heb nodig|nodig|vergeten|weet niet|vroeg naar|vraagt naar|
  szukam|szuka|potrzebuję|zapomnia~|nie pamiętam|pyta o|pytał~ o|hledám|hledá|potřebuji|zapomněl~|nepamatuji si|
  söker|letar efter|behöver|glömt|glömde|minns inte|frågade om|leter etter|leder efter|trenger|har brug for|glemt|husker ikke|spurte om|spurgte om|
  ищу|ищет|нужен|нужна|нужно|нужны|забыл~|не помню|не знаю|спрашива~ про|спросил~ про|шукаю|шукає|потрібен|потрібна|потрібно|забу~|не пам'ятаю|
  ψάχνω|ψάχνει|χρειάζομαι|ξέχασα|δεν θυμάμαι|etsin|tarvitsen|unohdin|en muista|keresem|keresi|elfelejtettem|nem emlékszem|
  mencari|cari|butuh|lupa|tidak ingat|
  أبحث عن|يبحث عن|أحتاج|نسيت|لا أتذكر|לא זוכר~|שכחתי|מחפש~|צריכ~|צריך`)

/** What a yes or no is asked with, where it is told of. */
export const whether = list(
  'whether|if|si|ob|se|of|czy|zda|jestli|om|ли|чи|αν|εάν|إن|إذا|ما إذا|عما إذا|إن كان|إن كانت|هل|אם|האם|hvorvidt|apakah|vajon|hogy',
)
/** Words that ask in languages of which statements begin with the same letters that they are written with. */
const furtherWords = list(`
  missä|mistä|mihin|milloin|kuka|kenellä|kenen|mikä|mitä|kuinka|miten|miksi|montako|paljonko|
  hol|hová|mikor|kicsoda|kinél|mennyi|mennyibe|meddig|hány|hogyan|melyik|miért|mi a|
  di mana|dimana|ke mana|kapan|siapa|apa|berapa|bagaimana|mengapa|kenapa|
  ở đâu|đâu|khi nào|bao giờ|bao nhiêu|bao lâu|mấy giờ|cái gì|là gì|thế nào|tại sao|lúc nào`)

/** Where and how, which also mean "was" and "as": only behind what tells of a question. */
const whereOrWas = ['var', 'como']
const value = `(?:${questionPattern}|(?:${anyOf([...furtherWords, ...whereOrWas])})${wordEnd})`
const wordStart = String.raw`(?<![\p{L}\p{M}\p{N}'])`
/** Whose question it is: a few words, none of which begins something of its own. */
const owner = String.raw`^(?<by>(?:(?!(?:to|that|who|whoever|before|after|because|never|don't)\s)[^\s,;:.!?]+[\s]+){0,4}?)`
/** "Asked me", "fragt uns, ". */
const between = String.raw`(?:\s+(?!(?:${anyOf(whether)}|${value})\s)(?<whom>[^\s,.:;!?]{1,4}|[\u0621-\u064a]{1,12}))?[,:\s]\s*(?:about\s+|hogy\s+)?`
const beforeQuestion = new RegExp(
  `${owner}${wordStart}(?<verb>${tellings})${between}(?<asked>(?:(?<value>${value})|(?<choice>${anyOf(whether)})${wordEnd}).*)$`,
  'su',
)
/** Vietnamese, Turkish and such have the word that asks where the answer would stand. */
const beforeRest = new RegExp(String.raw`${owner}${wordStart}(?<verb>${tellings}),?\s+(?<asked>.+)$`, 'su')
const beforeThing = new RegExp(String.raw`${owner}${wordStart}(?<verb>${searches})\s+(?<asked>.+)$`, 'su')

const furtherWithin = new RegExp(`${wordStart}(?:${anyOf(furtherWords)})${wordEnd}`, 'u')

/** The same, and what wants a yes or no behind the first word. */
const askedWithin = new RegExp(String.raw`${furtherWithin.source}|\s(?:ли|li)\s`, 'u')

/** The same where it stands behind what is asked, or where nothing stands between words. */
const around: readonly RegExp[] = [
  // Chinese: 用户询问..., 我忘了...
  String.raw`^(?<by>[\p{Script=Han}A-Za-z]{0,8}?)(?<verb>想知道|想了解|咨询|諮詢|打听|请教|在查|想查|想问|想問|询问|詢問|问起|问我|问了|問了|在问|在問|问|問|忘了|忘记了?|忘記了?|不记得了?|不記得了?|记不得|记不清|想不起来?|不知道|不太?清楚|没印象|没概念|不确定|不確定|好奇|在找|正在找|需要)(?<asked>[^,，;；。]+)[\p{P}\s]*$`,
  // Japanese: ...か忘れた。
  String.raw`^(?:(?<by>(?:(?!誰|何|どこ|いつ|なぜ|どう|どれ)[^はが、。]){1,10})[はが]、?)?(?<asked>[^、。]+?)[をがはもと]?(?<verb>忘れ(?:た|て|ました|てしま)|思い出せ|知りたい|知りたが|知らない|知りません|[分わ]からな|[分わ]かりませ|覚えてい?な|覚えてい?ませ|聞いて(?:い|き)|聞かれ|尋ね|質問し|探して|気にな|確かでな|疑問)[^、。]*[\p{P}\s]*$`,
  // Korean: ...는지 ...
  String.raw`^(?:(?<by>(?!누|뭐|무엇|언제|어디)\S{1,8}(?:은|는|이|가))\s+)?(?<asked>.+?)\s+(?:잘\s+|기억이\s+)?(?<verb>알고 ?싶|궁금|모르|몰라|잊|까먹|안 ?나|나지 ?않|기억|물어|물었|묻|문의|찾고|확실)\S*(?:\s+\S{1,3})?[\p{P}\s]*$`,
  // Turkish, Hindi and German with the verb at the end.
  String.raw`^(?:(?<by>\S{1,20})\s+)??(?<asked>.+?),?\s+(?<verb>bilmiyor\p{L}*|(?:hatırlamıyor|hatırlayamıyor|anımsamıyor)\p{L}*|fikri\p{L}? yok|unuttu\p{L}*|soruyor\p{L}*|sordu\p{L}*|merak ediyor\p{L}*|(?:öğrenmek|bilmek) istiyor\p{L}*|emin değil\p{L}*|arıyor\p{L}*)[\p{P}\s]*$`,
  String.raw`^(?:(?<by>\S{1,20})(?:\s+(?:ने|को))\s+)?(?:\S+\s+)?(?<verb>भूल (?:गया|गई)|याद नहीं|पता नहीं|नहीं पता|जानना चाह\S+|पूछा)\s+(?:(?:है|हूँ|था)\s+)?(?:कि\s+)?(?<asked>(?!है|हूँ|था|जा)\S+\s+\S.*)$`,
  String.raw`^(?:(?<by>\S{1,20})(?:\s+(?:ने|को))\s+)?(?<asked>.+?)\s+(?<verb>भूल|याद नहीं|पता नहीं|नहीं पता|जानना|जानने|पूछ|मालूम नहीं|ढूंढ|ढूँढ)[\p{L}\p{M}\s]*[\p{P}\s]*$`,
  String.raw`^(?<by>)(?<asked>(?:wo|wann|wer|wie|was|wohin|welche[rsmn]?|warum|ob)\s.+?),\s+(?<verb>weiß ich|weiss ich|habe ich vergessen|ist mir entfallen|fällt mir nicht)[\p{L}\s]*[\p{P}\s]*$`,
  // Vietnamese, of which other languages have words without the accents: quên, hỏi, tìm.
  String.raw`^(?<by>(?:[\p{L}\p{M}]+\s+){0,3}?)(?:đang\s+)?(?<verb>không (?:nhớ|biết|chắc|rõ)|quên(?: mất)?|(?:muốn|cần) (?:biết|hỏi)|(?:tự )?hỏi|thắc mắc|băn khoăn|tìm|cần)(?:\s+(?:rằng|là|xem))?\s+(?<asked>.+)$`,
  // Thai: ลืมว่า...
  String.raw`^(?<by>[\p{Script=Thai}]{0,12}?)(?<verb>จำไม่ได้|นึกไม่ออก|ลืม|อยากรู้|อยากทราบ|ต้องการทราบ|ไม่แน่ใจ|ไม่รู้|ไม่ทราบ|ถาม|สงสัย|กำลังหา)(?:แล้ว)?(?:ว่า)?(?<asked>.+)$`,
].map((pattern) => new RegExp(pattern, 'u'))

/** What wants a yes or no within a sentence. */
const choiceWithin =
  /是否|有没有|有沒有|会不会|能不能|可不可以|是不是|かどうか|[는은인을]지|(?:ıp|ip|up|üp)\s+\p{L}+|หรือไม่|หรือเปล่า|ไหม|या नहीं|क्या|\sco\s|có .*không|\sli\s|\sли\s/u

/** More words that ask for a value within: only where something tells that they ask. */
const valueWithin =
  /有多|多[长大高远重]|几[点个号]|哪|何|多久|(?<![\p{L}'’])(?:ai(?!-)|gì|nào|đâu|mấy)(?!\p{L})|[はが](?:いつ|どこ)|몇|kimde|kim\s|nedir|ne kadar|किसके|कब तक/u

/** Longest text that is looked at, in UTF-16 units: who tells of a question says little else. */
export const reportCharacters = 300

/**
 * Whether a sentence only tells of a question.
 * @returns what it tells; undefined for every other sentence, and for one longer than `reportCharacters`
 */
export function reportOf(sentence: string): Report | undefined {
  // The patterns take longer than in proportion to the length.
  if (sentence.length > reportCharacters) return undefined
  const said = sentence.replace(/^[\p{P}\s]+/u, '').trimEnd()
  const folded = fold(said)
  if (/[?？]/u.test(folded) && asksForValue(folded)) return undefined
  const direct = beforeQuestion.exec(folded)?.groups
  if (direct !== undefined) return reportFrom(direct, direct.value === undefined ? 'choice' : 'value')
  const written = said.normalize('NFC').toLowerCase()
  for (const pattern of around) {
    const groups = pattern.exec(written)?.groups
    if (groups !== undefined) return reportFrom(groups, kindWithin(groups.asked ?? ''))
  }
  const rest = beforeRest.exec(folded)?.groups
  const kind = rest && kindWithin(rest.asked ?? '')
  if (rest !== undefined && kind !== undefined && kind !== 'thing' && askedWithin.test(rest.asked ?? ''))
    return reportFrom(rest, kind)
  const thing = beforeThing.exec(folded)?.groups
  return thing && reportFrom(thing, 'thing')
}

const reportFrom = (
  { by = '', whom = '', verb = '', asked = '' }: Record<string, string | undefined>,
  kind: Report['kind'],
): Report => ({ by: `${by.trim()} ${whom}`.trim(), verb, asked: asked.trim(), kind })

function kindWithin(asked: string): Report['kind'] {
  if (wantsValue(asked)) return 'value'
  return choiceWithin.test(asked) ? 'choice' : 'thing'
}

/** Whether a question wants a value, by the words that ask for one, wherever they stand. */
export const wantsValue = (question: string): boolean =>
  asksForValue(question) || asksValueWithin(question) || wantsWithin(fold(question))

const beginsWhereOrWas = new RegExp(String.raw`^[\p{P}\s]*${anyOf(whereOrWas)}\s`, 'u')
const wantsWithin = (folded: string): boolean =>
  furtherWithin.test(folded) || beginsWhereOrWas.test(folded) || valueWithin.test(folded)

/** What the sentences of a text tell of, where each tells only of a question; undefined else. */
export function reportsOf(text: string): Report[] | undefined {
  if (text.length > reportCharacters) return undefined
  const reports: Report[] = []
  for (const sentence of saidSentences(text)) {
    const report = reportOf(sentence)
    if (report === undefined) return undefined
    reports.push(report)
  }
  return reports.length > 0 ? reports : undefined
}
