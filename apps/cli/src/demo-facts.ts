/**
 * Facts about Mira, a marine biologist in Porto, and her team. All are invented and written for this demo,
 * three in each of sixteen languages.
 */
interface DemoFact {
  id: string
  lang: string
  topic: 'home' | 'health' | 'work' | 'people' | 'leisure'
  text: string
}

interface DemoQuestion {
  lang: string
  text: string
  /** The fact that answers it, which is in another language. */
  answer: string
}

export const demoFacts: readonly DemoFact[] = [
  {
    id: 'flat',
    lang: 'en',
    topic: 'home',
    text: 'Mira has lived in Porto since 2019, in a flat above a bicycle shop.',
  },
  {
    id: 'peanuts',
    lang: 'en',
    topic: 'health',
    text: 'Mira is allergic to peanuts and always carries an adrenaline pen.',
  },
  {
    id: 'meeting',
    lang: 'en',
    topic: 'work',
    text: 'The team meets every Tuesday at half past nine to plan the week.',
  },

  {
    id: 'cats',
    lang: 'fr',
    topic: 'home',
    text: 'Mira a deux chats, Pixel et Moutarde, qui dorment sur son bureau.',
  },
  { id: 'sister', lang: 'fr', topic: 'people', text: "Léa, la sœur de Mira, étudie l'architecture à Lyon." },
  { id: 'tea', lang: 'fr', topic: 'leisure', text: 'Mira ne boit plus de café ; elle préfère le thé vert.' },

  {
    id: 'boat',
    lang: 'de',
    topic: 'leisure',
    text: 'Am Wochenende restauriert Mira ein altes Segelboot aus Holz.',
  },
  {
    id: 'budget',
    lang: 'de',
    topic: 'work',
    text: 'Das Projekt hat bis zum Jahresende ein Budget von achtzigtausend Euro.',
  },
  {
    id: 'dentist',
    lang: 'de',
    topic: 'health',
    text: 'Miras nächster Zahnarzttermin ist am 14. März um elf Uhr.',
  },

  {
    id: 'job',
    lang: 'es',
    topic: 'work',
    text: 'Mira trabaja como bióloga marina en un instituto de investigación.',
  },
  {
    id: 'report',
    lang: 'es',
    topic: 'work',
    text: 'El informe final debe entregarse antes del 30 de junio.',
  },
  {
    id: 'cello',
    lang: 'es',
    topic: 'leisure',
    text: 'De niña, Mira aprendió a tocar el violonchelo con su abuela.',
  },

  {
    id: 'risotto',
    lang: 'it',
    topic: 'leisure',
    text: 'Il piatto preferito di Mira è il risotto ai funghi.',
  },
  {
    id: 'bicycle',
    lang: 'it',
    topic: 'home',
    text: 'Mira non ha la macchina: va al lavoro in bicicletta anche quando piove.',
  },
  {
    id: 'turtles',
    lang: 'it',
    topic: 'work',
    text: 'A settembre la squadra andrà in Sardegna a contare le tartarughe.',
  },

  {
    id: 'server',
    lang: 'pt',
    topic: 'work',
    text: 'O servidor com os dados fica numa sala fria no terceiro andar.',
  },
  {
    id: 'plants',
    lang: 'pt',
    topic: 'people',
    text: 'O vizinho, o senhor Amaral, rega as plantas quando a Mira viaja.',
  },
  { id: 'wedding', lang: 'pt', topic: 'people', text: 'O Tiago, o chefe da equipa, vai casar em outubro.' },

  {
    id: 'flying',
    lang: 'nl',
    topic: 'leisure',
    text: 'Mira durft niet te vliegen en reist het liefst met de nachttrein.',
  },
  {
    id: 'key',
    lang: 'nl',
    topic: 'work',
    text: 'De reservesleutel van het laboratorium ligt in de blauwe kast.',
  },
  {
    id: 'marathon',
    lang: 'nl',
    topic: 'leisure',
    text: 'In 2023 liep Mira haar eerste marathon, in Rotterdam.',
  },

  { id: 'birthday', lang: 'pl', topic: 'people', text: 'Mira ma urodziny ósmego listopada.' },
  {
    id: 'microscope',
    lang: 'pl',
    topic: 'work',
    text: 'Nowy mikroskop przyjedzie dopiero za trzy tygodnie.',
  },
  { id: 'novel', lang: 'pl', topic: 'leisure', text: 'Wieczorami Mira czyta powieści kryminalne.' },

  { id: 'chess', lang: 'ru', topic: 'people', text: 'Отец Миры преподаёт шахматы в школе.' },
  { id: 'knee', lang: 'ru', topic: 'health', text: 'Зимой Мира повредила колено, катаясь на лыжах.' },
  {
    id: 'samples',
    lang: 'ru',
    topic: 'work',
    text: 'Пробы воды хранятся при температуре минус двадцать градусов.',
  },

  { id: 'rent', lang: 'tr', topic: 'home', text: 'Mira her ayın beşinde dokuz yüz euro kira ödüyor.' },
  { id: 'colleague', lang: 'tr', topic: 'people', text: 'Yeni iş arkadaşı Deniz haritaları çiziyor.' },
  { id: 'glasses', lang: 'tr', topic: 'health', text: 'Mira okurken gözlük takıyor.' },

  { id: 'garden', lang: 'sv', topic: 'home', text: 'På balkongen odlar Mira tomater och basilika.' },
  {
    id: 'coffee-machine',
    lang: 'sv',
    topic: 'work',
    text: 'Kaffemaskinen på kontoret har varit trasig sedan i måndags.',
  },
  { id: 'swim', lang: 'sv', topic: 'leisure', text: 'Mira simmar i havet varje morgon före jobbet.' },

  { id: 'camera', lang: 'el', topic: 'work', text: 'Η υποβρύχια κάμερα χρειάζεται καινούργια μπαταρία.' },
  { id: 'island', lang: 'el', topic: 'leisure', text: 'Η Μίρα περνά τις διακοπές της στη Νάξο.' },
  { id: 'sleep', lang: 'el', topic: 'health', text: 'Η Μίρα κοιμάται νωρίς και ξυπνά στις έξι.' },

  { id: 'brother', lang: 'ar', topic: 'people', text: 'يعمل شقيق ميرا طبيبًا في مستشفى الأطفال.' },
  { id: 'arabic', lang: 'ar', topic: 'leisure', text: 'تتعلم ميرا اللغة العربية منذ سنتين.' },
  { id: 'password', lang: 'ar', topic: 'work', text: 'يجب تغيير كلمة مرور الشبكة كل ثلاثة أشهر.' },

  { id: 'yoga', lang: 'hi', topic: 'health', text: 'मीरा हर सुबह बीस मिनट योग करती है।' },
  { id: 'grandmother', lang: 'hi', topic: 'people', text: 'मीरा की दादी गाँव में रहती हैं और अचार बनाती हैं।' },
  { id: 'ship', lang: 'hi', topic: 'work', text: 'अनुसंधान जहाज़ शुक्रवार को बंदरगाह से निकलेगा।' },

  { id: 'sushi', lang: 'ja', topic: 'leisure', text: 'ミラは魚を研究しているので、寿司を食べません。' },
  { id: 'umbrella', lang: 'ja', topic: 'home', text: 'ミラはよく電車に傘を忘れます。' },
  { id: 'paper', lang: 'ja', topic: 'work', text: 'クラゲについての論文は来年の春に発表されます。' },

  { id: 'blood', lang: 'zh', topic: 'health', text: '米拉的血型是O型。' },
  { id: 'moving', lang: 'zh', topic: 'home', text: '米拉打算明年夏天搬到海边的房子里。' },
  { id: 'intern', lang: 'zh', topic: 'people', text: '下个月会有两名实习生加入团队。' },
]

export const demoQuestions: readonly DemoQuestion[] = [
  { lang: 'de', text: 'Wogegen ist Mira allergisch?', answer: 'peanuts' },
  { lang: 'en', text: 'What are the names of the cats?', answer: 'cats' },
  { lang: 'fr', text: 'Quand est le rendez-vous chez le dentiste ?', answer: 'dentist' },
  { lang: 'es', text: '¿Dónde está la llave de repuesto del laboratorio?', answer: 'key' },
  { lang: 'ru', text: 'Сколько Мира платит за квартиру?', answer: 'rent' },
  { lang: 'ar', text: 'متى يجب تسليم التقرير؟', answer: 'report' },
  { lang: 'ko', text: '미라는 어떤 음식을 가장 좋아해요?', answer: 'risotto' },
  { lang: 'hi', text: 'टीम की बैठक कब होती है?', answer: 'meeting' },
  { lang: 'sv', text: 'Vad behöver undervattenskameran?', answer: 'camera' },
  // The encoder puts another Japanese sentence about Mira before the answer: shown as it is.
  { lang: 'ja', text: 'ミラの仕事は何ですか。', answer: 'job' },
]
