/** What a number counts or measures: units of one dimension are turned into each other, where there is a factor. */
export interface Unit {
  readonly name: string
  readonly dimension: string
  /** How many of the dimension's first unit it is; undefined: it can't be turned into another. */
  readonly factor: number | undefined
}

/**
 * Dimension, then units as `name factor forms`; a form ending in `*` begins a word. All in lower case but forms with `=` in
 * front, whose capitals tell them from others: mW and MW.
 */
const table: Readonly<Record<string, readonly string[]>> = {
  mass: [
    'g 1 g|gr|gram|grams|gramm|gramme|grammes|gramo|gramos|grammo|grammi|grama|gramas|gramy|gramów|г|гр|грам*|غ|غم|גרם|ग्राम|克|グラム|그램|กรัม|grammaa|grame|gramach|gramů|γραμμάρια|γραμμάριο|γραμμαρίων|غرام*|جرام*|گرم|גרמים',
    'mg 0.001 mg|milligram*|miligram*|мг|миллиграм*|міліграм*|ملغ|ملغم|ملجم|مغ|ملغرام|مليغرام|ملليغرام|مليجرام|ملليجرام|میلی‌گرم|מג|מיליגרם|मिलीग्राम|मिग्रा|毫克|ミリグラム|밀리그램|มิลลิกรัม|มก',
    'µg 0.000001 µg|μg|mcg|ug|microgram*|mikrogram*|мкг|микрограмм*|ميكروغرام|מקג|מיקרוגרם|माइक्रोग्राम|微克|マイクログラム|마이크로그램|ไมโครกรัม',
    'kg 1000 kg|kgs|kilo|kilos|kilogram*|quilo|quilos|кг|килограм*|кілограм*|كغ|كيلو|کیلوگرم|קג|קילו|קילוגרם|किलो|किलोग्राम|公斤|千克|キログラム|킬로그램|กิโลกรัม|กิโล|kiloa|kilón|kiló|chilo|chili|chilogramm*|quilogram*|κιλά|κιλό|κιλών|كيلوغرام*|كيلوجرام*|کیلو|ק״ג',
    'kilo 1000 キロ|킬로',
    'jin 500 斤|市斤',
    'lb 453.59237 lb|lbs|pound of|фунт*',
    'oz 28.349523125 oz|ounce|ounces',
    't 1000000 t|ton|tons|tonne|tonnes|tonnen|tonnellate|toneladas|тонн*|طن|טון|टन|吨|トン|톤|ตัน|tona|tony|tonach|tonn|tonnia|tonna|tonnellata|tonelada|tuna|tuny|tấn|τόνοι|τόνους|τόνων|τόνο|أطنان|طنا|طناً|تن|טונות',
  ],
  volume: [
    'l 1 l|liter*|litr*|л|литр*|літр*|ליטר|लीटर|升|リットル|리터|ลิตร|lít|λίτρα|λίτρο|λίτρων|لتر*|ليتر*|لیتر|ליטרים',
    'ml 0.001 ml|millilit*|mililit*|мл|миллилитр*|мілілітр*|مل|ملل|מל|मिली|मिलीलीटर|毫升|ミリリットル|밀리리터|มิลลิลิตร|มล|μιλιλίτρ*|مليلتر*|ملليلتر*',
    'cl 0.01 cl|centilit*|сл',
    'dl 0.1 dl|decilit*|дл',
    'gal 3.785411784 gal|gallon*|gallone*|galon*|galón*|галлон*|галон*|加仑|加侖|ガロン|갤런',
    'tsp 0.005 tsp|teaspoon*|teelöffel*|cuillère à café|cuillères à café|cuillerée à café|cucharadita*|cucchiaino|cucchiaini|colher de chá|colheres de chá|theelepel*|tesked*|teskje*|teske*|tsk|teelusikal*|łyżecz*|lžičk*|linguriț*|teáskanál|kávéskanál|çay kaşığı|thìa cà phê|muỗng cà phê|sendok teh|чайная ложка|чайные ложки|чайных ложек|чайной ложки|чайну ложку|чайні ложки|чайних ложок|чаена лъжичка|чаени лъжички|κουταλάκι*|ملعقة صغيرة|ملاعق صغيرة|כפית|כפיות|茶匙|小勺|티스푼|작은술|ช้อนชา',
    'tbsp 0.015 tbsp|tablespoon*|esslöffel*|cucharada|cucharadas|cucchiaio|cucchiai|cuillère à soupe|cuillères à soupe|cuillerée à soupe|colher de sopa|colheres de sopa|eetlepel*|matsked*|spiseskje*|spiseske*|ruokalusikal*|łyżka|łyżki|łyżek|lžíce|lžic|polévkov*|lingură|linguri|evőkanál|yemek kaşığı|thìa canh|muỗng canh|sendok makan|столовая ложка|столовые ложки|столовых ложек|столовой ложки|столову ложку|столові ложки|столових ложок|супена лъжица|супени лъжици|κουταλι*|ملعقة كبيرة|ملاعق كبيرة|כף|כפות|汤匙|湯匙|大勺|큰술|ช้อนโต๊ะ',
    'cup 0.24 cup|cups|tasse|tassen|tasses|taza|tazas|tazza|tazze|xícara*|chávena*|kopje|kopjes|kopp|koppar|kop|kopper|kuppi*|szklank*|hrnek|hrnk*|cană|căni|csésze|bardak|чашк*|стакан*|φλιτζάνι*|كوب|أكواب|فنجان|כוס|כוסות|कप|杯|カップ|컵|ถ้วย|แก้ว',
    'spoon - spoon|spoons|löffel|cuillère|cuillères|cuchara|cucharas|colher|colheres|lepel|lepels|sked|skedar|skje|skjeer|ske|skeer|kaşık|ложка|ложки|ложек|ложок|лъжици|ملاعق|ملعقة|勺|숟가락|ช้อน',
    'drop - drop|drops|goutte|gouttes|tropfen|gota|gotas|goccia|gocce|druppel|druppels|droppe|droppar|dråbe|dråber|dråpe|dråper|tippa|tippaa|kropla|krople|kropli|kropel|kapka|kapky|kapek|picătură|picături|csepp|cseppet|damla|giọt|tetes|капля|капли|капель|крапля|краплі|крапель|капка|капки|σταγόν*|قطرة|قطرات|قطره|טיפה|טיפות|बूंद|बूँद|बूंदें|बूँदें|滴|방울|หยด',
  ],
  dose: [
    'pill - pill|pills|pille|pillen|pilule|pilules|pastilla|pastillas|píldora*|pillola|pillole|pílula*|pil|piller|pigułk*|pilulk*|pilul|pastil|pastila|pastile|hap|pil|viên|pilleri*|пилюл*|хапче|хапчета|χάπι|χάπια|حبة|حبات|حبوب|قرص|كدور|כדור|כדורים|गोली|गोलियाँ|गोलियां|알',
    'tablet - tablet*|comprimé|comprimés|comprimido*|compressa|compresse|comprimat*|tabulk*|viên nén|таблет*|ταμπλέτ*|δισκί*|أقراص|قرصين|قرصا|קפלייה|טבליה|טבליות|टैबलेट|टेबलेट|片|錠|정|เม็ด',
    'capsule - capsule*|gélule*|kapsel*|cápsula*|kapsuł*|kapsl*|kapszula*|kapszulá*|kapsül*|viên nang|kapsul*|kapseli*|капсул*|κάψουλ*|كبسول*|کپسول*|כמוסה|כמוסות|कैप्सूल|粒|颗|顆|胶囊|膠囊|カプセル|캡슐|แคปซูล',
    'sachet - sachet*|beutel|beutelchen|sobres|bustina|bustine|saqueta*|sachê*|zakje|zakjes|dospås*|portionspås*|saszet*|sáček|sáčk*|plic|plicuri|tasak|poşet|saşe|gói|пакетик*|саше|φακελάκι*|كيس|أكياس|שקית|שקיות|包|袋|포|ซอง',
    'puff - puff|puffs|bouffée*|hub|hübe|hüben|sprühstoß|sprühstöße|inhalación|inhalaciones|spruzzo|spruzzi|jato|jatos|pufje|pufjes|puffar|pust|suihke*|wdech*|wziew*|vdech*|puf|pufuri|fısı|nhát|вдох*|впръск*|εισπνο*|بخة|بخات|שאיפה|שאיפות|喷|噴|吸入|プッシュ|퍼프',
    'units - iu|ui|unit|units|unité|unités|einheit|einheiten|unidad|unidades|unità|unidade|unidades|eenheid|eenheden|enhet|enheter|enhed|enheder|yksikkö*|jednostk*|jednotk*|unitate|unități|egység*|ünite|đơn vị|единиц*|одиниц*|единици|μονάδ*|وحدة|وحدات|واحد|יחידה|יחידות|यूनिट|单位|單位|単位|단위|ยูนิต',
  ],
  length: [
    'm 1 m|meter|meters|metre|metres|mètre|mètres|metro|metros|metri|metr|metry|metrów|м|метр*|أمتار|מטר|मीटर|米|メートル|미터|เมตร|mét|metra|metrach|metrů|metrul|metern|méter|metriä|μέτρα|μέτρο|μέτρων|متر*|מטרים',
    'mm 0.001 mm|millimet*|millimèt*|milimet*|мм|миллиметр*|міліметр*|مم|ממ|मिमी|毫米|ミリメートル|ミリ|밀리미터|มิลลิเมตร|มม|milím*|millimét*',
    'cm 0.01 cm|centimet*|centimèt*|zentimeter*|centymetr*|см|сантиметр*|سم|סמ|सेमी|सेंटीमीटर|厘米|公分|センチ|センチメートル|센티미터|센티|เซนติเมตร|ซม|centimét*|centím*|senttiä|senttimetri*|santim|εκατοστά|سنتيمتر*|سانتی‌متر|סנטימטר*',
    'km 1000 km|kms|kilomet*|kilomèt*|км|километр*|кілометр*|كم|کیلومتر|קמ|קילומטר|किमी|किलोमीटर|公里|千米|キロメートル|킬로미터|กิโลเมตร|กม|kilómet*|kilomét*|quilómet*|quilômet*|chilomet*|χιλιόμετρ*|χιλιομέτρ*|كيلومتر*|קילומטרים',
    'in 0.0254 inch|inches|zoll|pouce|pouces|pulgada*|pollici|дюйм*|英寸|インチ|인치|นิ้ว',
    'ft 0.3048 ft|foot|feet|fuß|fuss|voet|stóp|stopy|fot|fod|ayak|قدم|أقدام|רגל|kaki|pés|pieds|pies|piedi|фут*|英尺|フィート|피트|ฟุต',
    'yd 0.9144 yd|yds|yard|yards|yarda*|ярд*',
    'mi 1609.344 mi|mile|miles|meilen|milles|millas|miglia|milhas|миль|мили|英里|マイル|마일|ไมล์|milje|mijl|μίλια|ميل|أميال|مایل|מייל|מיילים',
  ],
  duration: [
    'ns 0.000000001 ns|nanosecond*|nanosekund*|nanoseconde*|nanosegundo*|nanosecondi|наносекунд*|纳秒|ナノ秒|나노초',
    'µs 0.000001 μs|µs|usec|microsecond*|mikrosekund*|microseconde*|microsegundo*|microsecondi|мкс|микросекунд*|мікросекунд*|微秒|マイクロ秒|마이크로초',
    'ms 0.001 ms|msec|msecs|millisecond*|millisekund*|milliseconde*|milisegundo*|millisecondi|milisekund*|ezredmásodperc|milisecund*|milisaniye|milidetik|mili giây|мс|миллисекунд*|мілісекунд*|милисекунд*|χιλιοστ*|ملي ثانية|מילישניות|मिलीसेकंड|毫秒|ミリ秒|밀리초|มิลลิวินาที',
    's 1 s|sec|secs|second|seconds|sek|seconde|secondes|segundo|segundos|secondi|sekund*|секунд*|ثانية|ثواني|ثوان|שניות|सेकंड|秒|초|วินาที|giây|detik|saniye|sekuntia|sekunti|másodperc|secunde|secundă|δευτερόλεπτ*|ثانیه|ثوانٍ|सेकेंड',
    'quarter 900 viertelstunde|viertelstunden|kwartier|kvarter',
    'min 60 min|mins|минут*|хвилин*|دقيقة|دقائق|דקות|मिनट|分钟|分鐘|分間|分|분|นาที|phút|menit|dakika|minuuttia|minuutti|perc|λεπτά|λεπτό|λεπτών|דקה|دقیقه|دقيقتين|minut*',
    'h 3600 h|hr|hrs|hour|hours|stunde|stunden|heure|heures|hora|horas|ore|uur|godzin*|час|часа|часов|годин*|ساعة|ساعات|שעות|घंटे|घंटा|小时|小時|時間|시간|ชั่วโมง|tiếng|jam|saat|timme|timmar|timer|uren|ora|tuntia|tunti|hodin*|óra|órát|órán|oră|ώρες|ώρα|ωρών|часам|часах|ساعت|ساعتين|घंटों|שעה',
    'd 86400 day|days|tag|tage|tagen|jour|jours|día|días|dia|dias|giorno|giorni|dagen|dag|dni|dzień|день|дня|дней|днів|дні|يوم|أيام|ימים|दिन|天|日間|일간|วัน|ngày|hari|gün|dagar|dage|dager|päivää|päivä|dny|dní|dnů|nap|napot|zi|zile|ден|дена|дни|ημέρες|ημέρα|μέρες|μέρα|يوما|يوماً|روز|יום|दिनों',
    'week 604800 week|weeks|woche|wochen|semaine|semaines|semana|semanas|settimana|settimane|weken|tydzień|tygodni|tygodnie|недел*|тиж*|أسابيع|שבועות|हफ्ते|हफ़्ते|सप्ताह|周|星期|週間|주간|สัปดาห์|tuần|minggu|hafta|vecka|veckor|uge|uger|uke|uker|viikkoa|viikko|týden|týdny|týdnů|hét|hetet|săptămân*|tygodnia|седмиц*|εβδομάδ*|أسبوع*|هفته|שבוע|हफ्ता|हफ़्ता|हफ्तों',
    'month 2629800 month|months|monat|monate|monaten|mois|mes|meses|mês|mese|mesi|maand|maanden|miesiąc|miesiące|miesięcy|месяц*|місяц*|شهر|أشهر|شهور|חודשים|महीने|महीना|个月|個月|ヶ月|か月|カ月|개월|달|เดือน|tháng|bulan|ay|månad|månader|måned|måneder|kuukautta|kuukausi|měsíc*|hónap*|luni|lună|miesiąca|месец*|μήνες|μήνα|μήνας|μηνών|شهرا|شهراً|ماه|חודש|महीनों',
    'year 31557600 year|years|jahr|jahre|jahren|an|ans|année|années|año|años|ano|anos|anno|anni|jaar|jaren|rok|lata|lat|год|года|лет|рік|роки|років|سنة|سنوات|عام|أعوام|שנים|साल|वर्ष|年|歳|년|살|ปี|năm|tahun|yıl|år|vuotta|vuosi|roky|roků|let|év|évet|éve|éves|ani|roku|годам|године|години|χρόνια|χρόνο|έτη|ετών|سنين|عاما|عاماً|سال|שנה|सालों|वर्षों',
  ],
  temperature: ['celsius - °c|℃|celsius|градус*|度', 'fahrenheit - °f|℉|fahrenheit'],
  pressure: [
    'pa 1 pa',
    'kpa 1000 kpa',
    'mpa 1000000 mpa',
    'mbar 100 mbar|hpa|hectopascal*',
    'bar 100000 bar|bars',
    'psi 6894.757 psi',
    'mmhg 133.322 mmhg',
  ],
  frequency: [
    'hz 1 hz|hertz',
    'khz 1000 khz|kilohertz',
    'mhz 1000000 mhz|megahertz',
    'ghz 1000000000 ghz|gigahertz',
  ],
  rate: ['kbps 1 kbps|kbit/s', 'mbps 1000 mbps|mbit/s', 'gbps 1000000 gbps|gbit/s'],
  area: [
    'ha 10000 ha|hectare*|hektar*|hectárea*|ettar*|hectare|гектар*|公顷|ヘクタール|헥타르|เฮกตาร์',
    'acre 4046.856 acre|acres|acri|акр*|英亩|エーカー|에이커|เอเคอร์',
  ],
  current: ['ma 0.001 =mA', 'a 1 =A|amp|amps|ampere*|ampère*', 'ka 1000 =kA'],
  charge: ['mah 0.001 mah', 'ah 1 =Ah'],
  voltage: ['mv 0.001 =mV', 'v 1 =V|volt|volts', 'kv 1000 kv|kilovolt*'],
  data: [
    'kb 1 kb|kib|кб',
    'mb 1000 mb|mib|мб',
    'gb 1000000 gb|gib|гб',
    'tb 1000000000 tb|tib|тб',
    'pb 1000000000000 pb|pib',
  ],
  energy: [
    'kwh 3600 kwh',
    'wh 3.6 =Wh|wh',
    'mwh 3600000 =MWh',
    'kcal 4.184 kcal|calories|calorías|calorie|kalorien|ккал|大卡|キロカロリー',
    'kj 1 kj|кдж',
  ],
  power: [
    'w 1 w|watt|watts|вт',
    'kw 1000 kw|kilowatt*|квт',
    'mw 1000000 mw|megawatt*',
    'milliwatt 0.001 =mW|milliwatt*',
    'gw 1000000000 gw|gigawatt*',
  ],
  speed: ['km/h 1 km/h|kmh|kph|км/ч', 'mph 1.609344 mph'],
  share: [
    'percent - %|percent|prozent|pour cent|por ciento|por cento|per cento|procent|процент*|відсотк*|بالمئة|بالمائة|אחוז|אחוזים|प्रतिशत|％|パーセント|퍼센트|เปอร์เซ็นต์|phần trăm|la sută|persen|yüzde|prosenttia|prosent|procenta|procentů|százalék|proc|τοις εκατό|درصد|في المئة',
  ],
  currency: [
    'eur - €|eur|euro|euros|евро|євро|يورو|אירו|यूरो|欧元|歐元|ユーロ|유로|ยูโร|avro|euró|euroa|eura|ευρώ|یورو|יורו',
    'usd - $|us$|usd|dollar|dollars|dólar|dólares|dollari|dollaro|доллар*|долар*|דולר|דולרים|डॉलर|美元|美金|ドル|달러|ดอลลาร์|đô|dolar*|dollár*|dollaria|đô la|δολάρι*|دولار*|دلار',
    'gbp - £|gbp|pound|pounds|pfund|livres|libras|sterling|sterline|стерлінг*|стерлинг*|英镑|英鎊|ポンド|파운드|ปอนด์|funt*|font|fontot|puntaa|pond|pund|sterlin|sterlina|λίρες|جنيه إسترليني|पाउंड|पौंड|bảng',
    'jpy - ¥|jpy|yen|иен|йен|ين|יין|येन|日元|円|엔|เยน|jeny|jenów|yenes|ienes|иены|йены|γιεν',
    'cny - cny|rmb|yuan|юан*|يوان|יואן|युआन|元|块|人民币|위안|หยวน',
    'krw - ₩|krw|won|вон|원|韩元|ウォン|วอน',
    'inr - ₹|inr|rupee|rupees|rupien|roupies|rupias|рупи*|روبية|रुपये|रुपए|रुपया|卢比|ルピー|루피|รูปี|rupiah|rupii|روبيات|रुपयों|रु',
    'rub - ₽|rub|rubel|roubles|рубл*|روبل|卢布|ルーブル|루블|รูเบิล|rubl*|ρούβλι*',
    'chf - chf|franken|franki|franków|franka|francs|francos|franchi|франк*|franc|franco|فرنك*',
    'try - ₺|try|лир*|ليرة|リラ|리라|lira*|lire|liry|lirów|لیر|ليرات',
    'pln - zł|pln|złot*|злот*',
    'uah - ₴|uah|hrywien|гривн*|гривен*',
    'ils - ₪|ils|שקל|שקלים|شيكل|ש״ח|שח|shekels|shekel',
    'thb - ฿|thb|baht|บาท|бат',
    'vnd - ₫|vnd|đồng|dong',
    'brl - r$|brl|reais|real',
    'sek - sek|kronor|kr|krona|kroner|krone',
    'dkk - dkk',
    'nok - nok',
    'czk - czk|kč|koron|korona|korony|korun|koruna|koruny|korunu|крон*',
    'huf - huf|forint*',
    'ron - ron|leu|lei',
    'bgn - bgn|лев|лева|лв',
    'dinar - دينار*|دنانير|динар*|dinar*',
    'dirham - aed|درهم*|دراهم|dirham*',
    'riyal - sar|ريال*|ریال|riyal*',
    'egp - egp|جنيه*',
    'idr - idr|rp',
    'toman - تومان',
    'hkd - hkd|港元|港币|港幣',
    'twd - 台币|臺幣',
    'kzt - тенге',
    'cent - cent|cents|centimes|céntimos|centesimi|cêntimos|centavos',
  ],
}

const units = new Map<string, Unit>()
/** By the form as it is written. */
const cased = new Map<string, Unit>()
const wholeForms: string[] = []
const stems: string[] = []
for (const [dimension, rows] of Object.entries(table)) {
  for (const row of rows) {
    const [name = '', factor, ...forms] = row.split(' ')
    const unit = { name, dimension, factor: factor === '-' ? undefined : Number(factor) }
    for (const form of forms.join(' ').split('|')) {
      if (form.startsWith('=')) {
        cased.set(form.slice(1), unit)
        continue
      }
      const stem = form.replace(/\*$/, '').normalize('NFKC')
      units.set(stem, unit)
      ;(form.endsWith('*') ? stems : wholeForms).push(stem)
    }
  }
}

const anyOf = (forms: readonly string[]) =>
  forms
    .toSorted((a, b) => b.length - a.length)
    .map((form) => form.replaceAll(/[$.*+?^{}()|[\]\\]/g, String.raw`\$&`))
    .join('|')
/** A letter that goes on with the word before; after letters of other scripts particles and the next word follow at once. */
const letter = String.raw`(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}])[\p{L}\p{M}]`
const own = String.raw`[\p{Script=Han}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]`
const unitAfter = new RegExp(
  String.raw`^[\s\-]?(?:(?<stem>${anyOf(stems)})(?:${letter})*|(?<whole>${anyOf(wholeForms)})(?:(?<=${own})|(?!${letter}|\p{M})))`,
  'u',
)
/** A capital alone is the unit only apart from its number: glued to it, it may be the letter of a room. */
const casedAfter = new RegExp(String.raw`^[\s\-]?(?<form>${anyOf([...cased.keys()])})(?![\p{L}\p{M}\d])`, 'u')
const unitBefore = /(?<sign>us\$|r\$|[$€£¥₩₹₽₺₴₪฿₫]|(?<!\p{L})(?:eur|usd|gbp|jpy|chf|cny|inr))\s?$/u

/** The unit of a number, by the text that follows it or stands before it. */
export function unitAround(before: string, after: string): Unit | undefined {
  const { stem, whole } = unitAfter.exec(after.toLowerCase())?.groups ?? {}
  const sign = unitBefore.exec(before.toLowerCase())?.groups?.sign
  const form = casedAfter.exec(after)?.groups?.form ?? ''
  if (sign === undefined && cased.has(form) && !(form === 'A' && after.startsWith('A')))
    return cased.get(form)
  return units.get(sign ?? stem ?? whole ?? '')
}

/** Units that the case of a letter tells apart where capitals are written: bits and bytes, a thousandth and a million. */
const byCase =
  /(?<![\p{L}\p{N}.,])(?<number>\d+(?:[.,]\d+)?)[ -]?(?<unit>[kKMGTP]i?[bB](?:ps|\/s)?|[mM](?:W|Wh|V|A|J|Pa|N|Ω|Sv))(?![\p{L}\p{N}])/gu

/** Whether the same number has units that only the case of a letter tells apart: 10 Mb, 10 MB. */
export function haveOtherCase(one: string, other: string): boolean {
  const measured = (text: string) =>
    [...text.matchAll(byCase)].map(({ groups = {} }) => [groups.number ?? '', groups.unit ?? ''] as const)
  return measured(one).some(([number, unit]) =>
    measured(other).some(
      ([same, written]) =>
        number === same &&
        unit.replace(/^K/, 'k') !== written.replace(/^K/, 'k') &&
        unit.toLowerCase() === written.toLowerCase(),
    ),
  )
}

/** Units that stand for any of their dimension: a pill for a tablet or a capsule, a spoon for one of either size. */
const generic: Readonly<Record<string, readonly string[]>> = {
  pill: ['tablet', 'capsule'],
  spoon: ['tsp', 'tbsp'],
}

/** Whether one unit may be another word for the other. */
export const mayBeSameUnit = (one: Unit, other: Unit): boolean =>
  one.name === other.name ||
  [[one, other] as const, [other, one] as const].some(([a, b]) => generic[a.name]?.includes(b.name) ?? false)
