import { memo } from './memo.ts'
import { refusalIn } from './quits.ts'
import { type Forms, hasForm, readForms, type Worded, withoutForms, wordsOf } from './words.ts'

/**
 * Words that say no by themselves, `~`, and those of which one says the same with a word for "no": forbidden, not allowed;
 * broken, does not work; empty, nothing in it; free of charge, not paid for; hates, cannot stand; allergic, cannot eat. Written as the lists of languages are.
 */
const denying: Readonly<Record<string, string>> = {
  en: 'forbid*|forbade|prohibit*|banned~may|must|can|allow*|permit*;broken|defective|faulty|out of order~work*|function*|run|runs;unlocked~locked;empty~nothing;free|free of charge~pay|pays|cost|costs|charge*;hate|hates|loathe*|detest*|dislike*|despise*~like|likes|love|loves|stand|bear|enjoy*|abide|tolerate|fond|care;allergic|allergy|intolerant|*intolerant|intolerance~tolerate|tolerates|eat|eats|have|has|drink|drinks|digest;vegetarian*|vegan*~meat|fish;miss|missed|misses~catch|caught|attend*|make|made|reach*',
  fr: 'interdi*|défend*|prohib*~peut|peux|pouvez|droit|permis*|autoris*;panne|cassé*|hors service|défectueu*~marche*|fonctionn*;déverrouillé*~verrouillé*;vide*~rien;gratuit*~pai*|pay*|coût*;déteste*|hais|hait|horreur~aime*|supporte*|apprécie*;intolérant*|allergique*|allergie*~supporte*|tolère*|digère*|mange*|peux|peut|bois|boit;végétarien*|végan*~viande;rat*|manqu*~attrap*|assist*',
  de: 'verboten*|untersagt*|unzulässig*~darf|darfst|dürfen|dürft|kann|können|erlaubt*|gestattet*|zulässig*;kaputt*|defekt*~funktion*|geht|läuft;unverschlossen*|unabgeschlossen*|offen*~abgeschlossen*|verschlossen*|zugesperrt*;leer*~nichts;kostenlos*|gratis|umsonst~zahl*|bezahl*|kostet|kosten;hasse*|hasst|verabscheu*~mag|mögen|leiden|ausstehen|gern|gerne|liebe*|liebt|schmeckt;*intolerant|*intoleranz|allergisch|*allergie|*unverträglichkeit~vertrag*|verträgt|essen|esse|isst|trink*;vegetarier*|vegetarisch|vegan*~fleisch;verpass*~erreich*|erwisch*|teilgenommen',
  es: 'prohib*|prohíb*~puede*|permit*|autoriza*;estropead*|averiad*|roto|rota|rotos|rotas|descompuest*~funciona*;vacío*|vacía*~nada;gratis|gratuit*~paga*|cuesta*;odi*|detest*|aborre*~gust*|soport*|aguant*|encant*;intolerante*|alérgic*|alergia~toler*|puedo|puede|como|come|sienta*|digier*|bebo|bebe;vegetarian*|vegan*~carne',
  it: 'vietat*|proibit*~può|possono|puoi|permess*|consentit*|lecito;rotto|rotta|rotti|rotte|guast*~funziona*|va;vuot*~niente|nulla;gratis|gratuit*~paga*|costa*;odi*|detest*~piac*|sopport*|am*;intollerant*|allergic*|allergia~toller*|posso|può|mangi*|bev*|diger*;vegetarian*|vegan*~carne',
  pt: 'proib*|interdit*|vedad*~pode*|permit*|autoriza*;avariad*|estragad*|quebrad*~funciona*;vazi*~nada;gratuit*|grátis~paga*|custa*;odei*|detest*~gost*|suport*|aguent*|ador*;intolerante*|alérgic*|alergia~toler*|posso|pode|como|come|beb*;vegetarian*|vegan*~carne',
  nl: 'verboden~mag|mogen|toegestaan|toegelaten;kapot|stuk|defect~doet|doen|werkt|werken|functione*;leeg|lege~niets;gratis~betaal*|betalen|kost|kosten;haat|haten|verafschuw*|hekel~houd|houdt|hou|lust|uitstaan|lekker|graag|leuk;*intolerant|*intolerantie|allergisch|*allergie~verdraag*|tegen|kan|eet|drink*;vegetari*|vegan*~vlees',
  sv: 'förbju*~får|tillåt*;trasig*|sönder|paj~fungera*|funkar;olåst*~låst*;tom|tomt|tomma~ingenting|inget;gratis~betala*|kostar;hatar|avskyr|ogillar~gillar|tycker|tål|älskar|står;*intolerant|allergisk*|*allergi|*intolerans~tål|äter|dricker|får|kan;vegetarian*|vegan*~kött',
  da: 'forbudt~må|tilladt|tillatt;ødelagt|defekt|i stykker~virke*|fungere*;tom|tomt~ingenting|intet;gratis~betale*|koster;hader|afskyr|avskyr~lide|liker|elsker|holder|fordrage|tåler;*intolerant|*intolerans|allergisk|*allergi~tåler|tåle|spiser|drikker|må',
  fi: 'kielle*~saa|sallit*;rikki|viallinen~toimi*;tyhj*~mitään;ilmai*~maksa*|maksu*;vihaa*|inhoa*~pidä*|tykkä*|siedä*|rakasta*;*intoleran*|allergi*~siedä*|syö*|juo*|kestä*',
  pl: 'zakaz*|zabron*|wzbronion*~wolno|można|może|mogą;zepsut*|popsut*|uszkodzon*~działa*;pust*~nic;darmow*|bezpłatn*~płac*|kosztuj*;nienawidz*~lubi*|znos*|kocha*|cierpi*;nietolerancj*|uczulon*|alergi*~toler*|mogę|może|je|jem|pije|piję|znos*;wegetarian*|wegan*~mięs*',
  cs: 'zakáz*|zakaz*~smí*|nesmí*|povolen*|nepovolen*|dovolen*|nedovolen*;rozbit*|pokažen*|porouchan*~funguj*|nefunguj*;prázdn*~nic;zdarma|bezplatn*~platí*|neplatí*;nenávid*|nesnáš*~rád|ráda|nerad|nerada|chutná|nechutná|líbí|nelíbí;intoleranc*|alergi*~nesm*|smí*|jí|nejí|jím|nejím|pije|nepije|piju|nepiju|snáš*',
  ro: 'interzi*~voie|poate|permis*|permite;stricat*|defect*~funcționeaz*|merge;gol|goală~nimic;gratuit*|gratis~plăt*;urăsc|urăște|detest*~plac*|suport*|iubesc;intoleran*|alergi*~toler*|pot|poate|mănânc|mănâncă|beau|bea',
  hu: 'tilos*|tilt*~szabad|lehet|engedélyez*;elromlott|hibás|törött~működ*;üres*~semmi*;ingyen*~fizet*;utál*|gyűlöl*~szeret*|kedvel*|bír*;*érzékeny|*allergiás|intoleran*~ehet*|ihat*|bírja|bírom|tolerál*|eszik|eszem',
  tr: 'yasak*~*ılmaz|*ilmez|*ulmaz|*ülmez|*ınmaz|*inmez|*unmaz|*ünmez|izin;bozuk*|bozul*|arızalı~çalış*;boş~hiçbir;ücretsiz|bedava~öde*;nefret*|iğren*~sev*|hoşlan*;*intoleran*|alerji*~yiyem*|yem*|içem*|dokun*',
  vi: 'cấm~được|phép;hỏng|hư~hoạt động|chạy;trống|rỗng~gì;miễn phí~trả;ghét~thích|yêu|chịu;dị ứng~ăn|uống|được',
  id: 'dilarang|terlarang~boleh|diizinkan|dibolehkan;rusak~berfungsi|bekerja;kosong~apa apa;gratis~membayar|bayar;benci|membenci~suka|menyukai|tahan;alergi|intoleran~bisa|tahan|boleh|makan|minum',
  ru: 'запрещ*|запрет*~нельзя|можно|разреш*;сломан*|сломал*|неисправ*|испорч*~работа*;пуст*~ничего;бесплатн*~плат*;ненави*~люб*|нрав*|перенош*|выношу|выносит|терп*;непереносимост*|аллерг*~перенос*|ем|ест|пью|пьёт|могу|можно;вегетариан*|веган*~мяс*',
  uk: 'заборон*~можна|дозвол*;зламан*|несправн*|поламан*~працю*;порожн*|пуст*~нічого;безкоштовн*~плат*;ненави*~люб*|подоба*|терп*;непереносим*|алерг*~переношу|переносить|їм|їсть|можу|можна',
  bg: 'забранен*~може|бива|разреш*|позвол*;счупен*|повреден*|развален*~работ*;празн*~нищо;безплатн*~плаща*;мраз*|ненавижд*~харес*|обича*|понас*;непоносимост*|алерг*~понас*|мога|ям|яде|пия',
  el: 'απαγορεύ*~επιτρέπ*|μπορ*;χαλασμέν*|χάλασε~λειτουργ*|δουλεύ*;άδει*~τίποτα;δωρεάν~πληρών*;μισώ|μισεί|σιχαίνομαι|απεχθάνομαι~αρέσ*|αντέχ*|αγαπ*;δυσανεξία|αλλεργι*~ανέχ*|τρώ*|πίν*|μπορ*',
  ar: 'ممنوع*|محظور*|يمنع*|يحظر*~يسمح*|مسموح*|يجوز|يمكن*;معطل*|معطلة|عاطل*|مكسور*|خربان*~تعمل|يعمل|تشتغل|يشتغل;فارغ*|فارغة~شيء;مجاني*~يدفع*;أكره|يكره|تكره|أمقت~أحب|يحب|تحب|أطيق|أتحمل;حساسية~أتحمل|آكل|يأكل|أستطيع|أشرب',
  fa: 'ممنوع*~مجاز|اجازه;خراب*~کار|نمی|نمیکند;خالی~چیزی|هیچ;رایگان~پرداخت;متنفر*|بیزار*~دوست|تحمل;حساسیت|آلرژی~تحمل|بخورم',
  he: 'אסור*~מותר*|אפשר|ניתן;מקולקל*|תקול*|שבור*~עובד*|פועל*;ריק*~כלום;חינם~משלמים|משלם;שונא*|מתעב*~אוהב*|סובל*|מחבב*;רגיש*|אלרגי*~סובל*|אוכל*|יכול*|שותה',
  hi: 'मना|वर्जित|निषिद्ध|प्रतिबंधित~अनुमति|सकते|सकता;ख़राब|खराब|टूटा|टूटी~काम|चलता|चलती;खाली~कुछ;मुफ़्त|मुफ्त~भुगतान|पैसे;नफरत|नफ़रत|घृणा|नापसंद~पसंद|अच्छा|अच्छी|प्यार|बर्दाश्त;एलर्जी~खा|पी|सकता|सकती|बर्दाश्त',
  zh: '禁止|严禁|嚴禁~可以|能|允许|允許|准;坏了|壞了|坏掉|故障~用|工作|运转;空的|空~没有|沒有;免费|免費~付|收费;讨厌|討厭|厌恶~喜欢|喜歡|爱|愛;过敏|過敏|不耐受~能吃|能喝|吃|喝',
  ja: '禁止|禁じ~いけ|でき|なら|許可;壊れ|故障~動|使え|作動;空だ|空です|空っぽ~何も;無料~払;苦手|嫌い|きらい~好き|すき|得意;アレルギー|不耐症~食べ|飲め|飲ま|飲み',
  ko: '금지*~안|없*|허용*;고장*|망가*~작동*|되*|움직*;비어*|빈~아무것*;무료*~내*;싫어*|싫다|싫은|질색*|미워*~좋아*|즐기*;알레르기*|불내증*~먹*|마시*',
  th: 'ห้าม~ได้|อนุญาต;เสีย|พัง~ทำงาน|ใช้;ว่าง~อะไร;ฟรี~จ่าย;เกลียด~ชอบ|รัก|ทน;แพ้~กิน|ดื่ม|ทาน',
}

interface Denying {
  readonly words: Forms
  readonly denied: Forms
}

const denyingOf = memo((code: string): readonly Denying[] =>
  (denying[code] ?? '').split(';').flatMap((group) => {
    const [words = '', denied = ''] = group.split('~')
    return words === '' ? [] : [{ words: readForms(code, words), denied: readForms(code, denied) }]
  }),
)

/** Whether a text has a word that says no by itself. */
export const hasDenyingWord = ({ reading, lexicon }: Worded): boolean =>
  denyingOf(lexicon.code).some(({ words }) => hasForm(wordsOf(reading, lexicon), words))

/** A text with a comma or another sentence tells of more than one thing, of which only one may be denied. */
const isOneClause = ({ reading: { tokens } }: Worded): boolean =>
  tokens.every(({ isSetOff, isFirst }, at) => at === 0 || !(isSetOff || isFirst))

/** In so many words, or characters where words are not set apart, stand a word for "no" and what it denies. */
const [wordsOfDenial, charactersOfDenial] = [3, 12]

/** Whether a text denies one of the forms: a word for "no" stands beside it. */
function deniesForm({ reading, lexicon }: Worded, forms: Forms): boolean {
  const length = lexicon.isDense ? charactersOfDenial : wordsOfDenial
  return reading.tokens.some((_, at) => {
    const near = wordsOf({ tokens: reading.tokens.slice(at, at + length) }, lexicon)
    return hasForm(near, forms) && refusalIn(withoutForms(near, [], lexicon), lexicon) !== undefined
  })
}

/**
 * Whether a text says by a word such as "forbidden" what another says by a "no": "not allowed". Where the other has that word
 * too it is what is denied; and "broken, so take the stairs" is not "works, so do not take the stairs".
 */
export function saysNoAlike(stating: Worded, refusing: Worded): boolean {
  const { lexicon } = stating
  if (lexicon !== refusing.lexicon || !isOneClause(stating) || !isOneClause(refusing)) return false
  const [stated, refused] = [wordsOf(stating.reading, lexicon), wordsOf(refusing.reading, lexicon)]
  return denyingOf(lexicon.code).some(
    ({ words, denied }) =>
      hasForm(stated, words) &&
      !hasForm(stated, denied) &&
      !hasForm(refused, words) &&
      deniesForm(refusing, denied),
  )
}
