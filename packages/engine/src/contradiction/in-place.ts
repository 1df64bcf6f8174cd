import { type Difference, differences } from './alignment.ts'
import { memo } from './memo.ts'
import { possibleLexicons, type Scored } from './same-words.ts'
import { sides } from './sides.ts'
import { states } from './states.ts'
import { isSameFleeting, isSameStem, sharedBeginning, sharedEnding, withoutProclitic } from './stems.ts'
import {
  type Form,
  type Forms,
  foldFor,
  hasForm,
  keyIn,
  type Lexicon,
  readForms,
  type Worded,
  wordsOf,
} from './words.ts'

/**
 * Words that exclude each other where one stands in the other's place, but need not elsewhere: prepositions of place and time,
 * then how many, how often, what became of something, and who is what of whom. What is on and under something comes first.
 * Written as the lists of languages are.
 */
const exclusive: Readonly<Record<string, string>> = {
  en: 'on|on top of~beneath|underneath;on top of~under;in front of~behind;under~behind;next to|beside~opposite|across from;before~after;all|all of|every|each~some|some of|a few|few|few of;everybody|everyone~nobody|no one|somebody|someone;daily|every day~weekly|every week~monthly|every month~yearly|annually|every year~hourly|every hour;confirm*~cancel*;renew*~cancel*;granted~denied|refused;admitted~denied;vacant|unoccupied~filled|occupied;lacks|lack|lacked~has|have|had;broken~repaired|fixed;stolen~found;oldest|eldest~youngest;newest~oldest;highest|tallest~lowest|shortest;longest~shortest;best~worst;biggest|largest~smallest;fastest~slowest;cheapest~most expensive;boss|manager|supervisor~assistant|secretary|employee;student|pupil~teacher|tutor|professor;doctor~patient;this morning~tonight|this evening',
  fr: 'au dessus|dessus~au dessous|dessous;devant~derrière;à côté~en face;avant~après;tous|toutes~quelques|certains|certaines|peu;tout le monde~personne;quotidien*|chaque jour~hebdomadaire*|chaque semaine~mensuel*|chaque mois;confirm*~annul*;cassé*|en panne~réparé*;libre*~occupé*;aîné*~cadet*|benjamin*;chef|patron|patronne~assistant|assistante|employé|employée;élève|étudiant|étudiante~professeur|professeure|prof',
  de: 'vor~hinter;neben~gegenüber;über~unter;alle|alle der|jeder~einige|manche|wenige;jeder|alle~niemand|keiner;täglich*~stündlich*~wöchentlich*~monatlich*~jährlich*;heute~morgen;bestätig*|zugesagt~storniert*|abgesagt*;genehmigt*|bewilligt*~abgelehnt*|verweigert*;kaputt*|defekt*~repariert*|heil;gestohlen*~gefunden*;frei~besetzt*|belegt*;älteste*~jüngste*;höchste*~niedrigste*|tiefste*;beste*~schlechteste*|schlimmste*;größte*~kleinste*;schnellste*~langsamste*;chef|chefin~assistent|assistentin|angestellter|angestellte;lehrer|lehrerin~schüler|schülerin|student|studentin;arzt|ärztin~patient|patientin',
  es: 'sobre|encima|en~debajo;encima~bajo;delante~detrás;al lado~enfrente|frente;antes~después;todos|todas~algunos|algunas|pocos|pocas;todos|todo el mundo~nadie;diari*|cada día~semanal*|cada semana~mensual*|cada mes;confirm*~cancel*|anul*;averiad*|estropead*|rot*~reparad*|arreglad*;libre*~ocupad*;jefe|jefa~asistente|ayudante|empleado|empleada;alumno|alumna|estudiante~profesor|profesora|maestro|maestra',
  it: 'sopra~sotto;davanti~dietro;accanto~di fronte;prima~dopo;tutti|tutte~alcuni|alcune|pochi|poche;tutti~nessuno;quotidian*|ogni giorno~settimanal*|ogni settimana~mensil*|ogni mese;conferm*~annull*|cancell*|disdett*;rott*|guast*~riparat*|aggiustat*;liber*~occupat*;capo~assistente|dipendente;studente|studentessa|allievo|allieva|alunno|alunna~insegnante|professore|professoressa|maestro|maestra',
  pt: 'em cima|sobre~debaixo|embaixo;em cima~sob;na frente|em frente|à frente~atrás;ao lado~em frente;antes~depois;todos|todas~alguns|algumas|poucos|poucas;todos|toda a gente~ninguém;diari*|diári*|todos os dias~semanal*|todas as semanas~mensal*;confirm*~cancel*|anul*;avariad*|estragad*|quebrad*~reparad*|consertad*;livre*~ocupad*;chefe|patrão|patroa~assistente|empregado|empregada;aluno|aluna|estudante~professor|professora',
  nl: 'bovenop~onder;voor~na|achter;naast~tegenover;alle|al~sommige|enkele|weinig;iedereen~niemand;dagelijks*~wekelijks*~maandelijks*~jaarlijks*;bevestig*~geannuleerd|annuleer*|afgezegd;kapot~gerepareerd|gemaakt;vrij~bezet;vanochtend|vanmorgen~vanmiddag~vanavond~vannacht;oudste~jongste;hoogste~laagste;beste~slechtste;grootste~kleinste;baas|chef~assistent|assistente|werknemer;leerling|student|studente~leraar|lerares|docent',
  sv: 'ovanpå~under;framför~bakom;bredvid~mittemot|mitt emot;före|innan~efter;alla~några|vissa|få;alla~ingen;dagligen|daglig*~veckovis~månadsvis;bekräfta*~avbok*|inställ*;trasig*|sönder~lagad*|reparerad*;ledig*~upptagen|upptaget;tänd|tänt|tända~släckt|släckta;full|fullt~tom|tomt;äldst*~yngst*;högst*~lägst*;bäst*~sämst*|värst*;störst*~minst*;chef|chefen~assistent|assistenten;elev|student~lärare',
  da: 'oven på|oppå~under;foran~bag|bak;ved siden af|ved siden av~over for|overfor;før~efter|etter;alle~nogle|noen|visse|få;alle~ingen;daglig*~ugentlig*|ukentlig*~månedlig*;bekræft*|bekreft*~aflys*|avlys*|annuller*;ledig*~optaget|opptatt;fuld*|full*~tom|tomt;ældst*|eldst*~yngst*;højest*|høyest*~lavest*;bedst*|best~værst*|dårligst*|verst*;størst*~mindst*|minst*',
  fi: 'päällä~alla;edessä~takana;vieressä~vastapäätä;ennen~jälkeen;kaikki~jotkut|muutama*;päivittäin~viikoittain~kuukausittain;vahvist*~peru*;täynnä|täysi~tyhj*;vanhin~nuorin;korkein~matalin;paras~huonoin;suurin~pienin',
  pl: 'nad~pod;przed~za|po;obok~naprzeciw|naprzeciwko;wszyscy|wszystkie|wszystkich|każdy~niektórzy|niektóre|niektórych|nieliczni|nieliczne;wszyscy~nikt;codzienn*~cotygodniow*|co tydzień~comiesięczn*|co miesiąc;potwierdz*~odwoła*|anulowa*;zepsut*~naprawion*;pełn*|pełen~pust*;woln*~zajęt*;najstarsz*~najmłodsz*;najwyższ*~najniższ*;najleps*~najgorsz*;największ*~najmniejsz*;uczeń|uczennica|uczniem|uczennicą~nauczyciel*',
  cs: 'nad~pod;před~za|po;vedle~naproti;všichni|všechny|všechna~někteří|některé|některá;všichni~nikdo;denně~týdně~měsíčně;potvrz*~zruš*;rozbit*~opraven*;pln*~prázdn*;voln*~obsazen*;nejstarš*~nejmladš*;nejvyšš*~nejnižš*;nejlepš*~nejhorš*;největš*~nejmenš*',
  ro: 'deasupra~sub|dedesubt;în fața~în spatele;lângă~vizavi de|vizavi;înainte~după;toți|toate~unii|unele|câțiva|câteva;zilnic*~săptămânal*~lunar*;confirm*~anul*;stricat*~reparat*;plin*~gol|goală;liber*~ocupat*',
  hu: 'alatt~felett|fölött;előtt~mögött|után;mellett~szemben;minden|összes~néhány|némely|egyes;naponta~hetente~havonta;megerősít*|visszaigazol*~lemond*|töröl*;tele~üres*;legidősebb~legfiatalabb;legmagasabb~legalacsonyabb;legjobb~legrosszabb;legnagyobb~legkisebb;hétfő*~kedd*~szerd*~csütörtök*~péntek*~szombat*~vasárnap*',
  tr: 'üstünde|üzerinde~altında;önünde~arkasında;yanında~karşısında;önce~sonra;bütün|tüm~bazı;herkes~kimse|hiç kimse;günlük|her gün~haftalık|her hafta~aylık|her ay;onay*~iptal;bozuk*~tamir edildi|onarıldı;dolu~boş;en büyük~en küçük;öğrenci*~öğretmen*',
  vi: 'trên~dưới;trước~sau;bên cạnh|cạnh~đối diện;tất cả~một số|một vài|vài;hàng ngày|hằng ngày~hàng tuần|hằng tuần~hàng tháng;xác nhận~hủy;đầy~trống|cạn|rỗng',
  id: 'di atas~di bawah;atas~bawah;depan~belakang;sebelah|samping~seberang;sebelum~sesudah|setelah;semua|seluruh~beberapa|sebagian;setiap hari|harian~setiap minggu|mingguan~setiap bulan|bulanan;dikonfirmasi~dibatalkan;penuh~kosong;tertua~termuda;tertinggi~terendah;terbaik~terburuk;terbesar~terkecil',
  ru: 'над~под;перед~за;до~после;рядом с|рядом со|возле~напротив;все~некоторые|немногие;все~никто;ежедневн*|каждый день~еженедельн*|каждую неделю~ежемесячн*|каждый месяц;подтвержд*|подтверд*~отмен*;сломан*~починен*|исправен|исправн*;свобод*~занят*;старш*~младш*;лучш*~худш*;ученик*|ученица|ученицей~учитель*',
  uk: 'над~під;перед~за;до~після;біля|поруч з~навпроти;усі|всі~деякі;щоденн*|щодня~щотижн*~щомісяц*;підтвердж*|підтверд*~скасова*;зламан*~полагоджен*;повн*|повен~порожн*;вільн*~зайнят*;найстарш*~наймолодш*;найкращ*~найгірш*',
  bg: 'върху~под;над~под;пред~зад;преди~след;до~срещу;всички~някои;ежедневн*~ежеседмичн*|седмичн*~месечн*;потвърд*~отмен*;пълен|пълн*~празен|празн*',
  el: 'πάνω~κάτω;μπροστά~πίσω;δίπλα~απέναντι;πριν~μετά;όλοι|όλες|όλα~μερικοί|μερικές|μερικά|λίγοι|λίγες|λίγα;καθημεριν*~εβδομαδιαί*~μηνιαί*;επιβεβαι*~ακυρ*;γεμάτ*~άδει*',
  ar: 'على|فوق~تحت;أمام~خلف|وراء;بجانب|بجوار~مقابل;قبل~بعد;كل|جميع~بعض;يوميا|يوميًا~أسبوعيا|أسبوعيًا~شهريا|شهريًا;مؤكد*|تأكيد~ملغ*|إلغاء;ممتلئ*|مليء*~فارغ*|خاليا|خالي',
  fa: 'روی~زیر;جلوی~پشت;کنار~روبروی|روبه‌روی;قبل از|پیش از~بعد از|پس از;همه|همهٔ~بعضی|برخی;روزانه~هفتگی~ماهانه;تایید|تأیید~لغو;پر~خالی',
  he: 'על~מתחת;לפני~מאחורי|אחרי;ליד~מול;כל~חלק|מקצת;יומי*~שבועי*~חודשי*;אושר*~בוטל*;מלא*~ריק*',
  hi: 'ऊपर|पर|के ऊपर~नीचे|के नीचे;सामने~पीछे;बगल में|के बगल में|पास~सामने|के सामने;पहले~बाद;सभी|सारे|सारी~कुछ;रोज़|रोज|हर दिन~हर हफ़्ते|हर हफ्ते|हर सप्ताह~हर महीने;पुष्टि~रद्द;भरा|भरी|भरे~खाली',
  zh: '上~下;前~后|後;里|裡~外;旁边|旁邊~对面|對面;所有|全部|全体|全體~有些|有的|部分|一些;确认|確認|确定~取消;每天~每周|每週~每月~每年',
  ja: '上~下;前~後ろ|後;隣~向かい;以降|以後|後~前|以前;全員|すべて|全て|みんな|全部~一部|何人か|いくつか;毎日~毎週~毎月~毎年;確定|確認~キャンセル|取り消;満タン|満杯|いっぱい~空|空っぽ',
  ko: '*위에~*아래에|*밑에;*앞에~*뒤에;옆에~맞은편에|건너편에;*전에|*전~*후에|*후;모든|모두|전부~일부|몇몇;매일~매주~매달|매월;확정*|확인*~취소*;가득*~비어*',
  th: 'บน~ใต้;หน้า~หลัง;ข้าง|ข้างๆ~ตรงข้าม;ก่อน~หลัง;ทั้งหมด|ทุก~บาง|บางส่วน;ทุกวัน~ทุกสัปดาห์~ทุกเดือน;ยืนยัน~ยกเลิก;เต็ม~ว่าง',
}

/**
 * What is on something, and what is under it, in words that also tell how, when or where else: a program runs on a system and
 * under it. They exclude each other in a text with a verb of place, behind `;`, and without a noun of another kind, behind the
 * next `;`; where no verbs are listed the noun behind them has another form, since it is one of place: na łóżku, pod łóżkiem.
 */
const onAndUnder: Readonly<Record<string, string>> = {
  en: 'on~under;is|are|was|were|s|lie|lies|lay|lying|stand*|stood|sleep*|slept|sit|sits|sat|sitting|hang*|hung|hid*|put|left;name*|number*|condition*|term*|review*|impression*|understanding|plan*|contract*|policy|law*|rule*|budget*|heading*|title*|link*|address*|system*|platform*|linux|windows|medication|medicine*|drug*|treatment|attack*|pressure|oath|influence|leave|warranty|guarantee',
  fr: 'sur~sous;est|sont|était|étaient|dort|dorment|dormait|trouve|trouvent|couché*|assis*|posé*|caché*|mis|mets;nom*|numéro*|condition*|titre*|adresse*|lien*|contrat*|système*|plateforme*|linux|windows|traitement*|pression*|forme*|ordre*|pluie|garantie',
  de: 'auf~unter;ist|sind|war|waren|liegt|liegen|lag|lagen|steht|stehen|stand|schläft|schlafen|schlief|sitzt|sitzen|saß|hängt|hängen|hing|gelegt|gestellt|versteckt*;nummer*|*nummer|name*|*name|*namen|bedingung*|titel*|link*|adresse*|*adresse|seite*|*seite|vertrag*|*system|system*|linux|windows|plattform*|druck|strom|verdacht|umstände*|auflage*',
  it: 'sul|sulla|sullo|sull|sui|sugli|sulle|su~sotto;è|sono|era|erano|sta|stanno|dorme|dormono|dormiva|trova|trovano|seduto|seduta;nome*|numero|numeri|condizion*|titolo|indirizzo|link|contratto|sistema|sistemi|linux|windows|cura|terapia|pressione|pioggia|forma',
  es: 'sobre~bajo;está|están|estaba|estaban|duerme|duermen|dormía|encuentra|encuentran|sentad*|acostad*;nombre*|número*|condicion*|título*|contrato*|sistema*|linux|windows|tratamiento|presión|lluvia|supuesto',
  pt: 'sobre~sob;está|estão|estava|estavam|dorme|dormem|dormia|encontra|encontram|sentad*|deitad*;nome*|número*|condiç*|título*|contrato*|sistema*|linux|windows|tratamento|pressão|chuva',
  nl: 'op~onder;is|zijn|was|waren|ligt|liggen|lag|staat|staan|stond|slaapt|slapen|sliep|zit|zitten|zat|hangt|hangen|hing|gelegd|verstopt;nummer*|*nummer|naam|namen|voorwaarde*|titel*|link*|adres*|*adres|contract*|systeem|systemen|linux|windows|druk|stroom|invloed',
  sv: 'på~under;ligger|låg|sover|sov|står|stod|sitter|satt|hänger|hängde;namn*|nummer*|villkor*|adress*|dag*|natt*|kväll*|morgon*|sommar*|vinter*|vår*|höst*|helg*|jul*|påsk*|möte*|lektion*|resa*|semester*|kurs*|konsert*|film*',
  da: 'på~under;ligger|lå|sover|sov|står|stod|sidder|sad|sitter|satt|hænger|hang|henger;navn*|nummer*|betingelse*|adresse*|dag*|nat*|aften*|kveld*|morgen*|sommer*|vinter*|forår*|efterår*|weekend*|helg*|jul*|påske*|møde*|møte*|time*|ferie*|rejse*|reise*|kursus*|kurs*|koncert*|konsert*|film*',
  ro: 'pe~sub;este|e|sunt|era|erau|doarme|dorm|dormea|stă|stau|află;nume*|număr*|condiți*|contract*|sistem*|linux|windows|tratament*|presiun*',
  pl: 'na~pod;;numer*|nazw*|adres*|warun*|system*|koniec|końc*',
  cs: 'na~pod;;čísl*|jmén*|adres*|podmín*|systém*|konec|konc*',
  ru: 'на~под;;номер*|назван*|имен*|адрес*|услови*|систем*|конец|конц*',
  uk: 'на~під;;номер*|назв*|імен*|адрес*|умов*|систем*|кінець|кінц*',
}

/** Verbs of other languages for running on a system, or under it. */
const operates =
  /çalış|jalan|chạy|τρέχ|λειτουργ|toimi|يعمل|تعمل|کار می|פועל|עובד|चल|काम|运行|運行|稼働|動作|動く|実行|실행|작동|구동|ทำงาน|รัน/u
/** Where other letters are written, names in Latin ones are those of systems more often than of what one lies on. */
const foreign = /^(?=.*\p{Script=Latin})(?=.*[^\p{Script=Latin}\P{L}])/su

interface Places {
  readonly pair: readonly Forms[]
  readonly verbs: Forms
  readonly elsewhere: Forms
}

const placesOf = memo((code: string): Places | undefined => {
  const [pair, verbs = '', elsewhere = ''] = onAndUnder[code]?.split(';') ?? []
  if (pair === undefined) return undefined
  return {
    pair: pair.split('~').map((forms) => readForms(code, forms)),
    verbs: verbs === '' ? [] : readForms(code, verbs),
    elsewhere: readForms(code, elsewhere),
  }
})

/** The groups of words that exclude each other in two texts: of the places on and under something only where places are told. */
function groupsFor(one: Worded, other: Worded): readonly (readonly Forms[])[] {
  const { code } = one.lexicon
  const [groups, places] = [exclusiveOf(code), placesOf(code)]
  const texts = [one, other].map(({ reading }) => reading.text.toLowerCase())
  if (places === undefined)
    return texts.some((text) => operates.test(text) || foreign.test(text)) ? groups.slice(1) : groups
  const { pair, verbs, elsewhere } = places
  const [words, otherWords] = [one, other].map(({ reading, lexicon }) => wordsOf(reading, lexicon)) as [
    string,
    string,
  ]
  if (hasForm(words, elsewhere) || hasForm(otherWords, elsewhere)) return groups
  const without = ({ reading }: Worded) =>
    reading.tokens.filter(({ key }) => !hasForm(` ${key} `, pair.flat())).map(({ key }) => key)
  const isOfPlace =
    verbs.length > 0
      ? hasForm(words, verbs) && hasForm(otherWords, verbs)
      : without(one).join(' ') !== without(other).join(' ')
  return isOfPlace ? [pair, ...groups] : groups
}

const exclusiveOf = memo((code: string): readonly (readonly Forms[])[] =>
  [exclusive[code], states[code], states.any, sides[code]]
    .flatMap((groups) => groups?.split(';') ?? [])
    .filter((group) => group !== '')
    .map((group) => group.split('~').map((forms) => readForms(code, forms))),
)

/** Texts of more words tell their language. */
const mostWords = 40
/** Where the language is not sure, texts that differ in more places are too different for one word to tell. */
const mostPlaces = 2

/**
 * Whether a word stands in one text where the other has one that excludes it: on the bed, under the bed. Where few words tell the
 * language, it may be any of the script.
 */
export function excludeInPlace(one: Scored, other: Scored, lexicon: Lexicon | undefined): boolean {
  const [keys, otherKeys] = [one, other].map(({ reading }) => reading.tokens.map(({ key }) => key)) as [
    string[],
    string[],
  ]
  const isAlike =
    Math.max(keys.length, otherKeys.length) <= mostWords && differences(keys, otherKeys).length <= mostPlaces
  const told = lexicon === undefined ? [] : [lexicon]
  return (isAlike ? possibleLexicons(one, other, lexicon) : told).some((each) =>
    excludeIn(
      { reading: one.reading, lexicon: each },
      { reading: other.reading, lexicon: each },
      each === lexicon,
    ),
  )
}

/** As `excludeInPlace`, in one language: what is on and under something only where it is sure to be that one. */
export function excludeIn(one: Worded, other: Worded, isSure = true): boolean {
  const { lexicon } = one
  if (lexicon !== other.lexicon) return false
  const [keys, otherKeys] = [one, other].map(({ reading }) =>
    reading.tokens.map((token) => keyIn(lexicon.code, token)),
  ) as [string[], string[]]
  // The same words in another order.
  if (keys.toSorted().join(' ') === otherKeys.toSorted().join(' ')) return false
  const places = differences(keys, otherKeys)
  const groups = isSure ? groupsFor(one, other) : exclusiveOf(lexicon.code)
  if (lexicon.isDense && areSameButIn(keys.join(''), otherKeys.join(''), groups)) return true
  const [words, otherWords] = [one, other].map(({ reading }) => wordsOf(reading, lexicon)) as [string, string]
  // Each of two may be told of something else in both: below 50 the one, above 50 the other.
  const areBothInBoth = (forms: Forms, others: Forms) => hasForm(words, others) && hasForm(otherWords, forms)
  return (lexicon.isDense ? joined(places) : places)
    .flatMap((place) => wordsIn(place, [keys, otherKeys], lexicon))
    .some(([here, there]) =>
      groups.some((group) =>
        group.some((forms, i) =>
          group.some(
            (others, j) =>
              i !== j && areInPlace([here, forms], [there, others], lexicon) && !areBothInBoth(forms, others),
          ),
        ),
      ),
    )
}

/** Where words are not set apart they may share characters: 所有, 有些. */
function joined(places: readonly Difference[]): Difference[] {
  const [first, last] = [places[0], places.at(-1)]
  if (first === undefined || last === undefined) return []
  const whole: Difference = { one: [first.one[0], last.one[1]], other: [first.other[0], last.other[1]] }
  return [...places, whole]
}

type Words = readonly string[]

/** Words, or characters where words are not set apart, that a form and what goes with it have at most. */
const longest = 12

/**
 * What stands in a place in both, also with the word before and behind it, which may be a part of what excludes the other: every
 * other day, every day; part time, full time.
 */
function wordsIn(
  { one, other }: Difference,
  [keys, otherKeys]: readonly [Words, Words],
  { determiners, isDense }: Lexicon,
): (readonly [here: Words, there: Words])[] {
  const [before, behind] = [one[0] > 0 && other[0] > 0 ? [0, 1] : [0], one[1] < keys.length ? [0, 1] : [0]]
  const ways = isDense
    ? [[0, 0] as const]
    : before.flatMap((left) => behind.map((right) => [left, right] as const))
  return ways.flatMap(([left, right]) => {
    const here = keys.slice(one[0] - left, one[1] + right)
    const there = otherKeys.slice(other[0] - left, other[1] + right)
    if (here.length === 0 || there.length === 0 || Math.max(here.length, there.length) > longest) return []
    // A window seat, an aisle seat.
    const areArticles = [here, there].every(
      ([first, ...more]) => more.length > 0 && hasForm(` ${first} `, determiners),
    )
    return [areArticles ? ([here.slice(1), there.slice(1)] as const) : ([here, there] as const)]
  })
}

/** Whether two texts without spaces are the same but that one has a form of a group where the other has one that excludes it. */
function areSameButIn(text: string, otherText: string, groups: readonly (readonly Forms[])[]): boolean {
  const before = sharedBeginning(text, otherText)
  const after = sharedEnding(text, otherText)
  // Around a form the texts are the same: by how much before and behind it.
  const placesOf = (forms: Forms, written: string) =>
    forms.flatMap(({ text: { length }, text: form }) => {
      const [from, to] = [
        Math.max(0, written.length - after - length),
        Math.min(before, written.length - length),
      ]
      const starts = Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i)
      return starts
        .filter((start) => written.startsWith(form, start))
        .map((start) => `${start} ${written.length - start - length}`)
    })
  return groups.some((group) => {
    const found = group.map((forms) => placesOf(forms, text))
    if (found.every((places) => places.length === 0)) return false
    const others = group.map((forms) => placesOf(forms, otherText))
    const isOther = (place: string, i: number) =>
      !others[i]?.includes(place) &&
      others.some((each, j) => each.includes(place) && !found[j]?.includes(place))
    return found.some((places, i) => places.some((place) => isOther(place, i)))
  })
}

/** Whether words are of the one and of the other forms, with the same behind them, in another form at most. */
function areInPlace(
  [here, forms]: [Words, Forms],
  [there, others]: [Words, Forms],
  lexicon: Lexicon,
): boolean {
  const rests = forms.flatMap((form) => restsBehind(here, form, lexicon))
  const otherRests = others.flatMap((form) => restsBehind(there, form, lexicon))
  return rests.some((rest) => otherRests.some((each) => areForms(rest, each, lexicon)))
}

/** What is left of words that begin with a form: nothing, or those behind it; and what a word has before an ending. */
function restsBehind(words: Words, { text, at }: Form, lexicon: Lexicon): Words[] {
  if (lexicon.isDense) return words.join('') === text ? [[]] : []
  const [first = ''] = words
  if (at === 'beginning') return first.startsWith(text) ? [content(words.slice(1), lexicon)] : []
  if (at === 'end') return first.endsWith(text) ? [[first.slice(0, -text.length), ...words.slice(1)]] : []
  const own = text.split(' ')
  const isThere = (word: string, i: number) => words[i] === word || withoutProclitic(words[i] ?? '') === word
  return own.every(isThere) ? [content(words.slice(own.length), lexicon)] : []
}

/** Words but for articles, and prepositions that go with those before them. */
const content = (words: Words, { determiners }: Lexicon): Words =>
  words.filter((word) => !hasForm(` ${word} `, determiners) && !linking.has(word))
const linking = new Set(
  'of to from de del d du des da do das dos di al alla vom von zum zur am an im до af av da dal dalla dallo dai dall all alle ai allo do od fra fran til till van naar dari ke k от з со απο στο στη στην στα σε του της ל מ من عن الى إلى'
    .split(' ')
    .map((word) => foldFor('', word)),
)

/** Words of Hebrew that are the same but for the prepositions and the article that are written together with them. */
const isSameHebrew = (one: string, other: string): boolean => {
  const shared = sharedEnding(one, other)
  return (
    shared >= 3 && [one, other].every((word) => /^[ושהבלכמ]{0,2}$/u.test(word.slice(0, word.length - shared)))
  )
}

const areForms = (one: Words, other: Words, { inflects }: Lexicon): boolean =>
  one.length === other.length &&
  one.every((word, i) => {
    const there = other[i] as string
    return isSameStem(word, there) || isSameHebrew(word, there) || (inflects && isSameFleeting(word, there))
  })
