import { memo } from './memo.ts'
import { refusalIn } from './quits.ts'
import { type Forms, hasForm, readForms, type Worded, withoutForms, wordsOf } from './words.ts'

/**
 * Words that say no by themselves, `~`, and those of which one says the same with a word for "no": forbidden, not allowed;
 * broken, does not work; empty, nothing in it; free of charge, not paid for. Written as the lists of languages are.
 */
const denying: Readonly<Record<string, string>> = {
  en: 'forbid*|forbade|prohibit*|banned~may|must|can|allow*|permit*;broken|defective|faulty|out of order~work*|function*|run|runs;unlocked~locked;empty~nothing;free|free of charge~pay|pays|cost|costs|charge*',
  fr: 'interdi*|défend*|prohib*~peut|peux|pouvez|droit|permis*|autoris*;panne|cassé*|hors service|défectueu*~marche*|fonctionn*;déverrouillé*~verrouillé*;vide*~rien;gratuit*~pai*|pay*|coût*',
  de: 'verboten*|untersagt*|unzulässig*~darf|darfst|dürfen|dürft|kann|können|erlaubt*|gestattet*|zulässig*;kaputt*|defekt*~funktion*|geht|läuft;unverschlossen*|unabgeschlossen*|offen*~abgeschlossen*|verschlossen*|zugesperrt*;leer*~nichts;kostenlos*|gratis|umsonst~zahl*|bezahl*|kostet|kosten',
  es: 'prohib*|prohíb*~puede*|permit*|autoriza*;estropead*|averiad*|roto|rota|rotos|rotas|descompuest*~funciona*;vacío*|vacía*~nada;gratis|gratuit*~paga*|cuesta*',
  it: 'vietat*|proibit*~può|possono|puoi|permess*|consentit*|lecito;rotto|rotta|rotti|rotte|guast*~funziona*|va;vuot*~niente|nulla;gratis|gratuit*~paga*|costa*',
  pt: 'proib*|interdit*|vedad*~pode*|permit*|autoriza*;avariad*|estragad*|quebrad*~funciona*;vazi*~nada;gratuit*|grátis~paga*|custa*',
  nl: 'verboden~mag|mogen|toegestaan|toegelaten;kapot|stuk|defect~doet|doen|werkt|werken|functione*;leeg|lege~niets;gratis~betaal*|betalen|kost|kosten',
  sv: 'förbju*~får|tillåt*;trasig*|sönder|paj~fungera*|funkar;olåst*~låst*;tom|tomt|tomma~ingenting|inget;gratis~betala*|kostar',
  da: 'forbudt~må|tilladt|tillatt;ødelagt|defekt|i stykker~virke*|fungere*;tom|tomt~ingenting|intet;gratis~betale*|koster',
  fi: 'kielle*~saa|sallit*;rikki|viallinen~toimi*;tyhj*~mitään;ilmai*~maksa*|maksu*',
  pl: 'zakaz*|zabron*|wzbronion*~wolno|można|może|mogą;zepsut*|popsut*|uszkodzon*~działa*;pust*~nic;darmow*|bezpłatn*~płac*|kosztuj*',
  cs: 'zakáz*|zakaz*~smí*|nesmí*|povolen*|nepovolen*|dovolen*|nedovolen*;rozbit*|pokažen*|porouchan*~funguj*|nefunguj*;prázdn*~nic;zdarma|bezplatn*~platí*|neplatí*',
  ro: 'interzi*~voie|poate|permis*|permite;stricat*|defect*~funcționeaz*|merge;gol|goală~nimic;gratuit*|gratis~plăt*',
  hu: 'tilos*|tilt*~szabad|lehet|engedélyez*;elromlott|hibás|törött~működ*;üres*~semmi*;ingyen*~fizet*',
  tr: 'yasak*~*ılmaz|*ilmez|*ulmaz|*ülmez|*ınmaz|*inmez|*unmaz|*ünmez|izin;bozuk*|bozul*|arızalı~çalış*;boş~hiçbir;ücretsiz|bedava~öde*',
  vi: 'cấm~được|phép;hỏng|hư~hoạt động|chạy;trống|rỗng~gì;miễn phí~trả',
  id: 'dilarang|terlarang~boleh|diizinkan|dibolehkan;rusak~berfungsi|bekerja;kosong~apa apa;gratis~membayar|bayar',
  ru: 'запрещ*|запрет*~нельзя|можно|разреш*;сломан*|сломал*|неисправ*|испорч*~работа*;пуст*~ничего;бесплатн*~плат*',
  uk: 'заборон*~можна|дозвол*;зламан*|несправн*|поламан*~працю*;порожн*|пуст*~нічого;безкоштовн*~плат*',
  bg: 'забранен*~може|бива|разреш*|позвол*;счупен*|повреден*|развален*~работ*;празн*~нищо;безплатн*~плаща*',
  el: 'απαγορεύ*~επιτρέπ*|μπορ*;χαλασμέν*|χάλασε~λειτουργ*|δουλεύ*;άδει*~τίποτα;δωρεάν~πληρών*',
  ar: 'ممنوع*|محظور*|يمنع*|يحظر*~يسمح*|مسموح*|يجوز|يمكن*;معطل*|معطلة|عاطل*|مكسور*|خربان*~تعمل|يعمل|تشتغل|يشتغل;فارغ*|فارغة~شيء;مجاني*~يدفع*',
  fa: 'ممنوع*~مجاز|اجازه;خراب*~کار|نمی|نمیکند;خالی~چیزی|هیچ;رایگان~پرداخت',
  he: 'אסור*~מותר*|אפשר|ניתן;מקולקל*|תקול*|שבור*~עובד*|פועל*;ריק*~כלום;חינם~משלמים|משלם',
  hi: 'मना|वर्जित|निषिद्ध|प्रतिबंधित~अनुमति|सकते|सकता;ख़राब|खराब|टूटा|टूटी~काम|चलता|चलती;खाली~कुछ;मुफ़्त|मुफ्त~भुगतान|पैसे',
  zh: '禁止|严禁|嚴禁~可以|能|允许|允許|准;坏了|壞了|坏掉|故障~用|工作|运转;空的|空~没有|沒有;免费|免費~付|收费',
  ja: '禁止|禁じ~いけ|でき|なら|許可;壊れ|故障~動|使え|作動;空だ|空です|空っぽ~何も;無料~払',
  ko: '금지*~안|없*|허용*;고장*|망가*~작동*|되*|움직*;비어*|빈~아무것*;무료*~내*',
  th: 'ห้าม~ได้|อนุญาต;เสีย|พัง~ทำงาน|ใช้;ว่าง~อะไร;ฟรี~จ่าย',
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
