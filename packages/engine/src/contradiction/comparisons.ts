import { memo } from './memo.ts'
import { foldIn, personsOf } from './persons.ts'
import { copula, isDeterminer } from './roles.ts'
import { isSameFleeting, isSameStem } from './stems.ts'
import type { Token } from './tokens.ts'
import { excludeEachOther, type Form, type Forms, keyIn, type Lexicon, type Worded } from './words.ts'

/** How a language compares two: Ann is taller than Ben. */
interface Comparing {
  /** Patterns are of words without accents. The word between the two: "than"; or the end of the one compared with, or the word behind it, with `isBehind`. */
  readonly than: RegExp
  readonly isBehind?: boolean
  /** What tells in front of that word that two are compared, in the words before it. */
  readonly mark?: RegExp
  /** What makes the same words say that two are alike, or do something with each other: the other way round it is the same. */
  readonly alike?: RegExp
  /** Possessives and words for being that are in no other list. */
  readonly drops?: string
  /** Words for two ends of a scale that are no opposites elsewhere: what is light need not be the opposite of what is heavy. */
  readonly scales?: string
}

const romanceAlike =
  /^(?:aussi|autant|meme|memes|tan|tanto|tanta|mismo|misma|igual|altrettanto|stesso|stessa|tao|mesmo|mesma|autre|otro|otra|altro|altra|outro|outra)$/
const comparing: Readonly<Record<string, Comparing>> = {
  en: {
    than: /^than$/,
    mark: / (?:more|less|fewer|worse|farther|further) |(?<! (?:oth|rath))er $/,
    drops: 's re m be been do does did one ones',
    scales: 'heavier~lighter;deeper~shallower;thicker~thinner;wider~narrower;closer|nearer~farther|further',
  },
  fr: {
    than: /^que?$/,
    mark: / (?:plus|moins|mieux|meilleure?s?|pires?) /,
    alike: romanceAlike,
    scales:
      'vieux|vieille*|âgé*~jeune*;lourd*~léger*|légèr*;rapide*|vite~lent*|lentement;cher*|chère*~bon marché;fort*~faible*;riche*~pauvre*;long*~court*;grand*~petit*;proche*~loin*',
  },
  de: {
    than: /^als$/,
    mark: / (?:mehr|weniger) |er $/,
    scales:
      'älter~jünger;schwerer~leichter;schneller~langsamer;teurer~billiger|günstiger;stärker~schwächer;reicher~ärmer;länger~kürzer;größer~kleiner;höher~niedriger|tiefer;besser~schlechter|schlimmer;näher~weiter;breiter~schmaler;dicker~dünner',
  },
  es: {
    than: /^que$/,
    mark: / (?:mas|menos|mayore?s?|menore?s?|mejore?s?|peore?s?) /,
    alike: romanceAlike,
    scales:
      'viej*~joven*|jóven*;pesad*~liger*|livian*;rápid*~lent*;car*~barat*;fuert*~débil*;ric*~pobr*;larg*~cort*;cerca*~lej*',
  },
  it: {
    than: /^(?:d[ei]|del|della|dell|dei|degli|delle|dello|che)$/,
    mark: / (?:piu|meno|maggior[ei]|minor[ei]|miglior[ei]|peggior[ei]|meglio|peggio) /,
    alike: romanceAlike,
    scales:
      'vecchi*|anzian*~giovan*;pesant*~legger*;veloc*|rapid*~lent*;car*|costos*~economic*;fort*~debol*;ricc*~pover*;lung*~cort*;alt*~bass*;vicin*~lontan*',
  },
  pt: {
    than: /^que$/,
    mark: / (?:mais|menos|maior(?:es)?|menor(?:es)?|melhor(?:es)?|pior(?:es)?) /,
    alike: romanceAlike,
    drops: 'do',
    scales:
      'velh*|idos*~nov*|jovem|jovens;pesad*~leve*;rápid*~lent*;car*~barat*;fort*~frac*;ric*~pobr*;long*|comprid*~curt*;alt*~baix*;maior*~menor*|pequen*;perto~longe',
  },
  nl: {
    than: /^dan$/,
    mark: / (?:meer|minder) |er $/,
    scales:
      'zwaarder~lichter;sneller~langzamer|trager;duurder~goedkoper;sterker~zwakker;rijker~armer;langer~korter|kleiner;hoger~lager;dichterbij~verder;dikker~dunner',
  },
  sv: {
    than: /^an$/,
    mark: / (?:mer|mindre|fler|farre) |re $/,
    scales:
      'större~mindre;längre~kortare;högre~lägre;tyngre~lättare;snabbare~långsammare;dyrare~billigare;starkare~svagare;rikare~fattigare;bättre~sämre|värre;närmare~längre',
  },
  da: {
    than: /^(?:end|enn)$/,
    mark: / (?:mere|mer|mindre|flere|faerre) |re $/,
    scales:
      'større~mindre;højere|høyere~lavere;længere|lengre~kortere;tungere~lettere;hurtigere~langsommere;dyrere~billigere;stærkere|sterkere~svagere|svakere;rigere|rikere~fattigere;bedre~dårligere|værre|verre',
  },
  fi: {
    than: /^kuin$/,
    mark: /(?:mpi|mmat|mmin|mpaa) $/,
    scales:
      'vanhempi~nuorempi;isompi|suurempi~pienempi;painavampi|raskaampi~kevyempi;nopeampi~hitaampi;kalliimpi~halvempi;vahvempi~heikompi;rikkaampi~köyhempi;pidempi~lyhyempi;parempi~huonompi',
  },
  pl: {
    than: /^(?:niz|od|ode)$/,
    mark: / (?:bardziej|mniej|wiecej) |(?:sz[yaei]|ej) $/,
    drops: 'jest są był była',
    scales:
      'starsz*~młodsz*;większ*~mniejsz*;wyższ*~niższ*;cięższ*~lżejsz*;szybsz*|szybciej~wolniejsz*|wolniej;droższ*~tańsz*;silniejsz*~słabsz*;bogatsz*~biedniejsz*;dłuższ*~krótsz*;lepsz*~gorsz*;bliżej~dalej',
  },
  cs: {
    than: /^nez$/,
    mark: / (?:vice|mene) |(?:si|eji|ej) $/,
    drops: 'je jsou můj moje moji mého svůj svou svého své jeho její',
    scales:
      'starší~mladší;větší~menší;vyšší~nižší;těžší~lehčí;rychlejší~pomalejší;dražší~levnější;silnější~slabší;bohatší~chudší;delší~kratší;lepší~horší',
  },
  ro: {
    than: /^(?:decat|ca)$/,
    mark: / mai /,
    drops: 'este e mea meu mei mele sa său lui ei',
    scales:
      'mare|mari~mic*;înalt*~scund*;bătrân*~tânăr*|tiner*;greu|grea~ușor|ușoară;rapid*~lent*;scump*~ieftin*;puternic*~slab*;bogat*~sărac*;lung*~scurt*',
  },
  hu: {
    than: /^mint$/,
    mark: /bb(?:an|en)? $/,
    scales:
      'idősebb|öregebb~fiatalabb;nagyobb~kisebb;magasabb~alacsonyabb;nehezebb~könnyebb;gyorsabb~lassabb;drágább~olcsóbb;erősebb~gyengébb;gazdagabb~szegényebb;hosszabb~rövidebb;jobb~rosszabb',
  },
  ru: {
    than: /^(?!(?:тоже|даже|уже|еще|вообще)$)(?:[^ ]{2,}ее|[^ ]{2,}[шжчщ]е|мен[ье]ше|больше|дешевле|шире)$/,
    drops: 'чем моя мой моё мои моего моей моих свой своя своего своей своих наш наша нашей нашего',
    scales:
      'старше~младше|моложе;больше~меньше;выше~ниже;тяжелее~легче;быстрее~медленнее;дороже~дешевле;сильнее~слабее;богаче~беднее;длиннее~короче;лучше~хуже;ближе~дальше;шире~уже;толще~тоньше;теплее|жарче~холоднее',
  },
  uk: {
    than: /^(?:ніж|за|від)$/,
    mark: / (?:більше?|менше?) |(?:шии|ша|ше|ші|іше) $/,
    drops: 'мій моя моє мої мого моєї мою свій своя свого своєї свою',
    scales:
      'старш*~молодш*;більш*~менш*;вищ*~нижч*;важч*~легш*;швидш*~повільніш*;дорожч*~дешевш*;сильніш*~слабш*;багатш*~бідніш*;довш*~коротш*;кращ*~гірш*',
  },
  bg: {
    than: /^(?:от|отколкото)$/,
    mark: / по /,
    drops: 'е са ми си му',
    scales:
      'голям*|възраст*|стар*~малк*|малък|млад*;висок*~нисък|ниск*;тежк*|тежък~лек*;бърз*~бавн*|бавен;скъп*~евтин*;силн*|силен~слаб*;богат*~беден|бедн*;дълг*|дълъг~къс*;добр*|добър~лош*',
  },
  el: {
    than: /^(?:απο|παρα)$/,
    mark: / (?:πιο|λιγοτερο|περισσοτερο) |(?:[οευ]τερ[οη]σ?|[οευ]τερα) $/,
    drops: 'είναι μου σου του της ο η το τον την τη οι τα',
    scales:
      'μεγαλύτερ*~μικρότερ*;ψηλότερ*|ψηλ*~κοντότερ*|κοντ*;βαρύτερ*~ελαφρύτερ*;γρηγορότερ*~αργότερ*;ακριβότερ*~φθηνότερ*;καλύτερ*~χειρότερ*',
  },
  id: {
    than: /^(?:daripada|dari)$/,
    mark: / (?:lebih|kurang) /,
    scales:
      'tua~muda;tinggi~pendek|rendah;berat~ringan;cepat~lambat;mahal~murah;kuat~lemah;kaya~miskin;panjang~pendek',
  },
  vi: {
    than: /^hơn$/,
    scales: 'già~trẻ;nặng~nhẹ;nhanh~chậm;đắt~rẻ;mạnh~yếu;giàu~nghèo;dài~ngắn;cao~thấp;lớn|to~nhỏ|bé',
  },
  ar: {
    than: /^من(?:ي|نا|ك|كم|ه|ها|هم)?$/,
    mark: / ا[^ ]{2,4} $| (?:اكثر|اقل) /,
    alike: /^(?:اقرب|قريب[ةه]?)$/,
    scales:
      'أكبر~أصغر;أطول~أقصر;أثقل~أخف;أسرع~أبطأ;أغلى~أرخص;أقوى~أضعف;أغنى~أفقر;أفضل|أحسن~أسوأ;أعلى~أدنى|أخفض',
  },
  tr: {
    than: /^(?:\p{L}{2,})?[dt][ae]n$/u,
    isBehind: true,
    alike: /^(?:farkl|ayr|bosan|kac|uzakla|hoslan)/,
    drops: 'daha çok',
    scales:
      'büyük*|büyüğ*~küçük*|küçüğ*;uzun*~kısa*;ağır*~hafif*;hızlı*~yavaş*;pahalı*~ucuz*;güçlü*~zayıf*|güçsüz*;zengin*~fakir*|yoksul*;yaşlı*~genç*;iyi*~kötü*;yüksek*~alçak*|düşük*;yakın*~uzak*',
  },
  hi: {
    than: /^(?:से|मुझसे|हमसे|तुमसे|तुझसे|आपसे|उससे|इससे|उनसे)$/,
    isBehind: true,
    alike: /^(?:मिल|शाद|बात|अलग|लड़|दोस्त|प्यार|दूर)/,
    drops: 'है हूँ हूं हैं हो था थी थे मेरा मेरी मेरे अपना अपनी अपने हमारा हमारी हमारे उसका उसकी उसके ज्यादा ज़्यादा',
    scales:
      'बड़ा|बड़ी|बड़े~छोटा|छोटी|छोटे;लंबा|लंबी|लंबे|लम्बा|लम्बी|ऊँचा|ऊँची~छोटा|छोटी|छोटे|नाटा|नाटी|ठिगना;भारी~हल्का|हल्की|हल्के;तेज|तेज़~धीमा|धीमी|धीरे;महंगा|महंगी|महँगा|महँगी~सस्ता|सस्ती;अमीर~गरीब|ग़रीब;मजबूत~कमजोर|कमज़ोर;बूढ़ा|बूढ़ी~जवान',
  },
  ko: {
    than: /^\p{L}+보다$/u,
    isBehind: true,
    drops: '더 훨씬',
    scales:
      '많*~적*;크*|큰|커*|컸*~작*;높*~낮*;무겁*|무거*~가볍*|가벼*;빠르*|빨라*|빨리~느리*|느려*;비싸*|비쌌*~싸*;강하*|세*~약하*;길*|긴~짧*;좋*|낫*~나쁘*|못하*;가깝*|가까*~멀*|먼',
  },
}

/** Most words that a comparison has. */
const mostCompared = 40

/** Words and persons of a side of a comparison. */
type Side = readonly string[]
interface Compared {
  /** What is compared, and in what. */
  readonly left: Side
  /** With what it is compared. */
  readonly right: Side
}

/**
 * What two texts that compare the same two say beside each other: the other way round, the opposite, or `equal`, the same from
 * both sides, as "Ann is older than Ben" and "Ben is younger than Ann". Undefined where they don't.
 */
export function compareComparisons(
  one: Worded,
  other: Worded,
): 'direction' | 'opposite' | 'equal' | undefined {
  const { lexicon } = one
  if (lexicon !== other.lexicon) return undefined
  const isSwapped = lexicon.isDense ? swappedDense(one, other) : swappedSides(one, other)
  if (isSwapped === undefined) return undefined
  const { isCrossed, rests } = isSwapped
  const [rest = '', otherRest = ''] = rests.map((words) =>
    lexicon.isDense ? words.join('') : ` ${words.join(' ')} `,
  )
  const isInverse = scalesOf(lexicon).some((group) => excludeEachOther(rest, otherRest, group))
  if (isInverse) return isCrossed ? 'equal' : 'opposite'
  return isCrossed && rest === otherRest ? 'direction' : undefined
}

/** Whether the two have changed sides, and what is said of them in each text beyond what both say. */
interface Turned {
  readonly isCrossed: boolean
  readonly rests: readonly [Side, Side]
}

function swappedSides(one: Worded, other: Worded): Turned | undefined {
  const { lexicon } = one
  const [a, b] = [comparedIn(one), comparedIn(other)]
  if (a === undefined || b === undefined) return undefined
  // Two that are compared are named in a few words, and each word is held against each.
  if ([a, b].some(({ left, right }) => left.length + right.length > mostCompared)) return undefined
  const isLike = (x: string, y: string) => isLikeIn(lexicon, x, y)
  const isIn = (side: Side, within: Side) =>
    side.every((word) => isThird(word) || within.some((each) => isLike(word, each)))
  const isStraight =
    a.right.length === b.right.length && a.right.every((word, i) => isLike(word, b.right[i] as string))
  if (!isStraight && !(isIn(a.right, b.left) && isIn(b.right, a.left))) return undefined
  const withoutSide = (left: Side, side: Side) => {
    const rest = left.filter((word) => !isPerson(word))
    for (const word of isStraight ? [] : side) {
      const at = rest.includes(word) ? rest.indexOf(word) : rest.findIndex((each) => isLike(word, each))
      if (at >= 0) rest.splice(at, 1)
    }
    return rest
  }
  const [rest, otherRest] = [withoutSide(a.left, b.right), withoutSide(b.left, a.right)]
  const [own, otherOwn] = [beyond(rest, otherRest, lexicon), beyond(otherRest, rest, lexicon)]
  // But for the word that compares, and a verb, they say the same.
  if (Math.max(own.length, otherOwn.length) > 2) return undefined
  return { isCrossed: !isStraight, rests: [own, otherOwn] }
}

/** The words of a side without their likes in another. */
function beyond(side: Side, other: Side, lexicon: Lexicon): string[] {
  const isOpposite = (a: string, b: string) =>
    scalesOf(lexicon).some((group) => excludeEachOther(` ${a} `, ` ${b} `, group))
  return side.filter(
    (word) => !other.some((each) => isLikeIn(lexicon, word, each) && !isOpposite(word, each)),
  )
}

const isPerson = (word: string): boolean => /^\d$/.test(word)
/** He, she or they, who may be meant by the form of the verb alone. */
const isThird = (word: string): boolean => /^[4-9]$/.test(word)
const isLikeIn = ({ inflects, common }: Lexicon, a: string, b: string): boolean => {
  // "This" and "that" begin the same, too.
  if (isPerson(a) || isPerson(b) || (common.has(a) && common.has(b))) return a === b
  return isSameStem(a, b) || (inflects && isSameFleeting(a, b))
}

/** The two sides of the comparison that a text is. */
function comparedIn({ reading: { tokens }, lexicon }: Worded): Compared | undefined {
  const language = comparing[lexicon.code]
  if (language === undefined || tokens.some(({ key }) => language.alike?.test(key))) return undefined
  const keys = tokens.map((token) => keyIn(lexicon.code, token))
  const at = keys.findIndex((key, i) => i > 0 && language.than.test(key))
  if (at < 1) return undefined
  if (language.mark?.test(` ${keys.slice(0, at).join(' ')} `) === false) return undefined
  const read = (from: readonly Token[]) => sideOf(from, lexicon)
  if (language.isBehind === true) {
    // The end of a Turkish name, and the word behind one of Hindi, stand apart.
    const isApart =
      personsOf(lexicon).get(keys[at] as string) === undefined && /^(?:से|[dt][ae]n)$/.test(keys[at] as string)
    const from = isApart ? at - 1 : at
    return {
      left: read([...tokens.slice(0, from), ...tokens.slice(at + 1)]),
      right: read(tokens.slice(from, from + 1)),
    }
  }
  // The comparative itself is the mark in Russian, and the person is written together with the word in Arabic.
  const left = read(tokens.slice(0, lexicon.code === 'ru' ? at + 1 : at))
  const right = read(tokens.slice(lexicon.code === 'ar' && (keys[at] as string).length > 2 ? at : at + 1))
  return right.length === 0 ? undefined : { left, right }
}

function sideOf(tokens: readonly Token[], lexicon: Lexicon): string[] {
  const known = personsOf(lexicon)
  const drops = dropsOf(lexicon)
  return tokens.flatMap((token, i) => {
    const key = keyIn(lexicon.code, token)
    const bare = lexicon.code === 'ko' ? key.replace(/(?:보다|[은는이가도])$/u, '') : key
    // Alone it is "my" in Korean, with a particle "I".
    if (lexicon.code === 'ko' && bare === key && known.has(key)) return []
    if (i < tokens.length - 1 && isDeterminer(token, lexicon)) return []
    const person = known.get(bare)
    if (person !== undefined) return [person]
    return drops.has(key) || copula.test(key) || isDeterminer(token, lexicon) ? [] : [bare]
  })
}

/** Chinese, Japanese and Thai: what is compared, with what, and in what, by the place of one word. */
const denseComparing: Readonly<Record<string, readonly RegExp[]>> = {
  zh: [/^(?<left>.+?)比(?<rest>.+)$/u],
  ja: [
    /^(?<left>.+?)(?:の方|のほう)?[はがも](?<right>.+?)よりも?(?<rest>.+)$/u,
    /^(?<right>.+?)よりも?(?<left>.+?)(?:の方が|のほうが|[はが])(?<rest>.+)$/u,
  ],
  th: [/^(?<rest>.+?)กว่า(?<right>.+)$/u],
}

function swappedDense(one: Worded, other: Worded): Turned | undefined {
  const [a, b] = [one, other].map(({ reading, lexicon }) => {
    const text = reading.tokens.map(({ key }) => key).join('')
    for (const pattern of denseComparing[lexicon.code] ?? []) {
      const groups = pattern.exec(text)?.groups
      if (groups !== undefined) return groups
    }
    return undefined
  })
  if (a === undefined || b === undefined) return undefined
  // Where one side isn't parted from what is said, it is what the other text has on the other side.
  const sidesOf = (text: Record<string, string>, there: Record<string, string>) => {
    const { left, right, rest = '' } = text
    if (right === undefined)
      return rest.startsWith(there.left ?? '') ? [left, there.left, rest.slice(there.left?.length)] : []
    if (left === undefined)
      return rest.startsWith(there.right ?? '') ? [there.right, right, rest.slice(there.right?.length)] : []
    return [left, right, rest]
  }
  const [own, otherOwn] = [sidesOf(a, b), sidesOf(b, a)]
  const [left, right, rest] = own
  if (left === undefined || right === undefined || left === right) return undefined
  if (left !== otherOwn[1] || right !== otherOwn[0]) return undefined
  return { isCrossed: true, rests: [[rest ?? ''], [otherOwn[2] ?? '']] }
}

const dropsOf = memo(
  ({ code }: Lexicon): ReadonlySet<string> =>
    new Set((comparing[code]?.drops ?? '').split(' ').map((word) => foldIn(code, word))),
)
/** Groups of words for the ends of scales. */
const scalesOf = memo(({ code, opposites, isDense }: Lexicon): readonly (readonly Forms[])[] => {
  const formOf = (written: string): Form => {
    const text = foldIn(code, written.replace('*', ''))
    const at = written.endsWith('*') ? 'beginning' : 'whole'
    return { text, at, needles: [isDense ? text : at === 'whole' ? ` ${text} ` : ` ${text}`] }
  }
  const scales = (comparing[code]?.scales ?? denseScales[code])?.split(';') ?? []
  return [...opposites, ...scales.map((scale) => scale.split('~').map((end) => end.split('|').map(formOf)))]
})
const denseScales: Readonly<Record<string, string>> = {
  zh: '老|年长~年轻;重~轻|輕;快~慢;贵|貴~便宜;强|強~弱;富|有钱~穷|窮;长|長~短;远|遠~近',
  ja: '年上~年下;重~軽;速|早~遅;強~弱;長~短;遠~近;広~狭;多~少',
  th: 'แก่|อายุมาก~เด็ก|อ่อน|อายุน้อย;หนัก~เบา;แพง~ถูก;ยาว~สั้น;ไกล~ใกล้;แข็งแรง~อ่อนแอ;สูง~เตี้ย|ต่ำ',
}
