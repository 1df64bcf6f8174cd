import { sentenceSegmenter } from '../sentence-segmenter.ts'
import { fold } from './terms.ts'

/** The phrases of a list, which `|` separates. */
export const phrasesOf = (list: string): string[] =>
  list
    .split('|')
    .map((phrase) => phrase.trim())
    .filter((phrase) => phrase !== '')
/** The same, folded. */
export const list = (phrases: string): string[] => phrasesOf(phrases).map(fold)

/**
 * Words that ask for something and that few statements begin with, by language. They also stand behind a preposition: "at
 * what time", "à quelle heure".
 */
const questionWords = list(`
  who|who's|whom|whose|what|what's|when|when's|where|where's|which|why|why's|how|how's|
  qui|que|quoi|quel|quelle|quels|quelles|quand|ou|où|comment|pourquoi|combien|lequel|laquelle|lesquels|lesquelles|
  wer|wen|wem|wessen|was|wann|wo|wohin|woher|warum|wieso|weshalb|wozu|womit|wie|wieviel|wieviele|welche|welcher|welches|
  welchen|welchem|
  dónde|adónde|cuándo|quién|quiénes|cuál|cuáles|cuánto|cuánta|cuántos|cuántas|qué|
  dove|dov'è|quando|chi|cosa|cos'è|com'è|qual|quale|quali|quanto|quanta|quanti|quante|perché|che|
  onde|aonde|quem|quais|quantos|quantas|
  wat|waar|wanneer|waarom|hoe|hoeveel|welk|
  vad|vem|varför|när|hur|vilken|vilket|vilka|hva|hvad|hvem|hvor|hvorfor|hvordan|hvornår|hvilken|hvilket|hvilke|
  co|kto|kdo|gdzie|kde|kiedy|kdy|dlaczego|proč|jak|jaki|jaka|jakie|jaký|jaká|jaké|ile|kolik|który|która|które|
  кто|кого|кому|что|где|куда|откуда|когда|почему|зачем|как|какой|какая|какое|какие|сколько|чей|чья|чьё|чьи|
  хто|що|де|коли|чому|як|скільки|
  ποιος|ποια|ποιο|πού|πότε|γιατί|πώς|πόσο|πόσα|
  أين|متى|ماذا|لماذا|كيف|كم|هل|מי|מה|איפה|היכן|מתי|למה|מדוע|איך|כמה|האם`)

/** What else questions begin with where statements seldom do: verbs before their subject, and words that take another. */
const openings = list(`
  do|does|did|is|are|was|were|am i|can|could|will|would|should|has|have|
  qu'est-ce|qu'a|qu'ont|est-ce|
  ist|sind|habe ich|hast du|haben wir|bin ich|bist du|kann ich|kannst du|muss ich|soll ich|darf ich|weißt du|
  como se|como está|como te|como é|como me|por que|porqué|por qué|o que|come si|come mi|come ti|weet je|
  من|ما`)

/** What a request to be told something begins with. What is asked for follows. */
const requests = list(`
  tell me|tell us|show me|remind me|remind us|give me|give us|get me|find me|send me|explain to me|help me remember|help me find|
  do you remember|i want to know|i'd like to know|i would like to know|i need to know|
  dis-moi|dis moi|dites-moi|dites moi|montre-moi|montrez-moi|rappelle-moi|rappelle moi|rappelez-moi|donne-moi|donnez-moi|
  indique-moi|envoie-moi|envoyez-moi|explique-moi|expliquez-moi|résume-moi|résumez-moi|décris-moi|trouve-moi|cherche-moi|
  liste-moi|je veux savoir|je voudrais savoir|j'aimerais savoir|peux-tu me dire|pouvez-vous me dire|
  gib mir|gebt mir|geben sie mir|schick mir|schicke mir|such mir|suche mir|erklär mir|erkläre mir|erklären sie mir|
  beschreib mir|beschreibe mir|fass mir|fasse mir|fass zusammen|fasse zusammen|fassen sie zusammen|
  sag mir|sage mir|sagen sie mir|zeig mir|zeige mir|zeigen sie mir|erinnere mich|nenn mir|nenne mir|verrate mir|
  ich möchte wissen|ich will wissen|ich wüsste gern|ich wüsste gerne|
  explícame|envíame|mándame|búscame|resúmeme|descríbeme|dime|dígame|díganos|muéstrame|enséñame|recuérdame|quiero saber|quisiera saber|me gustaría saber|puedes decirme|me puedes decir|
  dammi|mi dia|datemi|mandami|inviami|spiegami|descrivimi|trovami|cercami|riassumimi|dimmi|mi dica|mostrami|ricordami|voglio sapere|vorrei sapere|puoi dirmi|
  dá-me|dê-me|dai-me|manda-me|envia-me|explica-me|diz-me|diga-me|me diga|me diz|mostra-me|me mostra|me mostre|lembra-me|me lembra|me lembre|quero saber|queria saber|
  gostaria de saber|
  geef me|geef mij|stuur me|stuur mij|leg me uit|vertel me|zeg me|laat me zien|herinner me aan|ik wil weten|ik zou graag willen weten|
  daj mi|wyślij mi|wyjaśnij mi|dej mi|pošli mi|vysvětli mi|powiedz mi|pokaż mi|przypomnij mi|podaj mi|chcę wiedzieć|řekni mi|řekněte mi|ukaž mi|připomeň mi|chci vědět|
  ge mig|skicka mig|gi meg|send meg|giv mig|send mig|berätta för mig|säg mig|visa mig|påminn mig om|jag vill veta|fortell meg|si meg|vis meg|minn meg på|jeg vil vite|
  fortæl mig|sig mig|vis mig|mind mig om|jeg vil vide|
  дай мне|дайте мне|пришли мне|пришлите мне|объясни мне|объясните мне|расскажи|расскажите|дай мені|дайте мені|поясни мені|
  розкажи|розкажіть|скажи|скажите|подскажи|подскажите|покажи|покажите|напомни|напомните|я хочу знать|хочу знать|
  скажіть|підкажи|підкажіть|нагадай|нагадайте|хочу знати|δώσε μου|δώστε μου|εξήγησέ μου|πες μου|πείτε μου|δείξε μου|θύμισέ μου|θέλω να μάθω|
  kerro|kertokaa|näytä minulle|anna minulle|muistuta minua|haluan tietää|mondd el|mondd meg|add meg|mutasd meg|
  beri tahu saya|beri tahu aku|beritahu saya|beritahu aku|beri saya|berikan saya|tunjukkan|ingatkan saya|
  cho tôi biết|cho tôi xem|cho mình biết|nói cho tôi|nhắc tôi|hãy cho|
  أعطني|أعطيني|أعطوني|أرسل لي|اشرح لي|لخص لي|أخبرني|أخبريني|قل لي|قولي لي|ذكرني|أرني|أريد أن أعرف|תן לי|תני לי|תזכיר לי|תזכירי לי|תראה לי|תראי לי|תגיד לי|תגידי לי|אני רוצה לדעת`)

/** What makes a request of a question behind it, and is a statement without one: "I forgot where my key is". */
const leads = list(`
  let me know|i wonder|i'm wondering|i am wondering|i forgot|i have forgotten|i don't know|i don't remember|i can't remember|
  find out|do you remember|sais-tu|savez-vous|tu sais|je ne sais plus|j'ai oublié|je me demande|weißt du|weißt du noch|wissen sie|wissen sie noch|
  ich weiß nicht|ich weiß nicht mehr|ich habe vergessen|ich frage mich|sabes|sabe|no sé|no recuerdo|olvidé|sai|non so|
  te souviens-tu|tu te souviens|te acuerdas|me recuerdas|me dices|ti ricordi|mi ricordi|mi dici|lembras-te|weet je nog|pamiętasz|помнишь|minns du|husker du|
  berätta|fortell|fortæl|me pregunto|mi chiedo|sabe me dizer|não sei|pergunto-me|weet jij|ik weet niet|ik vraag me af|wiesz|nie wiem|zastanawiam się|nevím|
  jag undrar|jag vet inte|jeg lurer på|jeg vet ikke|mon|jeg ved ikke|не знаю|я забыл|я забыла|інтересно|интересно|αναρωτιέμαι|
  أتساءل`)

/**
 * What requests begin with that set the assistant a task, and the words behind them, by language. Statements and notes begin with
 * the first as well: "Name the members" is a request, "Name tags are in the drawer" is none. Where "he explains" is
 * written as "explain" is, as in Spanish, it is taken for the former before an article.
 */
const tasks: readonly (readonly [verbs: string[], words: string[]])[] = [
  [
    'find|look up|look for|search for|explain|describe|name(?!.* is )|compare|summarize|summarise|recap|list|recall|show',
    'the|my|our|his|her|their|this|these|that|those|all|every|both|who|whom|whose|what|when|where|which|why|how',
  ],
  ['any idea', 'who|whom|whose|what|when|where|which|why|how'],
  // "Check how the oven is off" reminds somebody to do it.
  ['check', 'who|whom|whose|what|when|where|which|why|how many|how much|how long|how often|how far|how old'],
  [
    'fasse|fass|erkläre|erklär|beschreibe|beschreib|nenne|nenn|liste|zeige|zeig|vergleiche|vergleich',
    // "Liste der Mitglieder" is a noun with whose it is.
    'die|das|den|dem|mein|meine|meinen|unser|unsere|unseren|alle|wer|wen|wem|was|wann|wo|wohin|woher|warum|wie|welche|welcher|welches|welchen',
  ],
  [
    'résume|résumez|liste|listez|explique|expliquez|décris|décrivez|cherche|cherchez|trouve|trouvez|compare|comparez|montre|montrez',
    'le|la|les|mon|ma|mes|notre|nos|ce|cette|ces|tous|toutes|qui|quel|quelle|quels|quelles|quand|où|comment|pourquoi|combien',
  ],
  [
    'resume|lista|explica|describe|busca|encuentra|compara|muestra|enumera',
    'mi|mis|nuestro|nuestra|nuestros|nuestras|qué|quién|cuándo|dónde|cómo|cuál|cuáles|cuánto|por qué',
  ],
  ['dame', 'el|la|los|las|lo|mi|mis|nuestro|nuestra|nuestros|nuestras|todos|todas'],
  // "Me recuerdas a Ana" and "Mi ricordi mia madre" say whom somebody is like.
  [
    'me recuerdas|me dices',
    'el nombre|el número|el teléfono|el código|el precio|la contraseña|la dirección|la hora|la fecha',
  ],
  [
    "mi ricordi(?! l')|mi dici(?! l')",
    'il nome|il numero|il telefono|il codice|il prezzo|la password|la data',
  ],
  ['riassumi|descrivi', 'il|lo|la|i|gli|le|quello|tutti|tutte'],
  [
    'riassumi|elenca|spiega|descrivi|trova|confronta|mostra',
    'mio|mia|miei|mie|nostro|nostra|chi|cosa|quando|dove|come|perché|quale|quali|quanto',
  ],
  ['resuma|liste|explique|descreva|procure', 'o|os|as|todos|todas'],
  [
    'resume|resuma|lista|liste|explica|explique|descreve|descreva|procura|procure|encontra|compara',
    'meu|minha|meus|minhas|nosso|nossa|quem|quando|onde|como|qual|quais|quanto|por que',
  ],
  // "Toon de Groot" is a person.
  ['toon', 'het|mijn|ons|onze|alle|wie|wat|waar|wanneer|waarom|hoe|welke|welk'],
  [
    'vat|beschrijf|noem|zoek|vergelijk',
    'de|het|mijn|ons|onze|alle|wie|wat|waar|wanneer|waarom|hoe|welke|welk',
  ],
  [
    'znajdź|opisz|wymień|podsumuj|wyjaśnij|porównaj',
    'mój|moją|moje|moich|nasz|naszą|nasze|wszystkie|co|kto|gdzie|kiedy|dlaczego|jak|który|która|które',
  ],
  [
    'найди|найдите|опиши|опишите|перечисли|перечислите|объясни|объясните|сравни|сравните|назови|назовите',
    'мой|мою|моё|мои|наш|нашу|наши|все|всех|что|кто|где|когда|почему|как|какой|какая|какие',
  ],
  [
    'sammanfatta|lista|beskriv|förklara|hitta|jämför|nämn',
    'min|mitt|mina|vår|vårt|våra|alla|vad|vem|var|när|varför|hur|vilken|vilka|den|det|de',
  ],
].map(([verbs = '', words = '']) => [list(verbs), list(words)])

/** May stand before a question word. */
const prepositions = list(`
  in|on|at|for|from|to|with|by|of|about|since|until|à|de|d'|en|dans|pour|avec|chez|par|sur|depuis|an|auf|mit|für|von|um|
  bei|aus|seit|bis|zu|a|con|por|para|desde|hasta|di|da|per|em|com|op|met|voor|van|na|o|w|z|do|в|на|с|о|у|от|до|к`)

/** What begins a question or a request to somebody, however it ends. */
const polite = list(
  `can you|could you|would you|will you|kannst du|könntest du|können sie|könnten sie|peux-tu|pourrais-tu|pouvez-vous|pourriez-vous|
  kun je|kunt u|kan du|kunne du|czy możesz|voitko|bisakah`,
)
const greetings = list(
  `hey|hi|hello|bonjour|salut|hallo|guten tag|guten morgen|hola|buenos días|buongiorno|ciao|olá|bom dia|cześć|dzień dobry|ahoj|
  dobrý den|hej|hei|привет|здравствуйте|добрый день|привіт|γεια σου|γεια|szia|halo|merhaba|xin chào|مرحبا|שלום|היי|नमस्ते`,
)
/** May stand before what asks. */
const courtesies = [
  ...greetings,
  ...list(
    `please|and|so|ok|okay|can you|could you|would you|s'il te plaît|s'il vous plaît|et|alors|bitte|und|por favor|y|
    per favore|e|alsjeblieft|en|proszę|пожалуйста|а`,
  ),
]

/** A pattern for any of some phrases, the longest first. */
export const anyOf = (phrases: readonly string[]): string =>
  `(?:${[...phrases].sort((a, b) => b.length - a.length).join('|')})`
/** A pattern for where a word ends. */
export const wordEnd = String.raw`(?![\p{L}\p{M}\p{N}'-])`
const start = String.raw`^[\p{P}\s]*(?:${anyOf(courtesies)}${wordEnd}[\p{P}\s]*){0,3}`
const valueWord = String.raw`(?:${anyOf(prepositions)}(?:\s+|(?<=')))?${anyOf(questionWords)}${wordEnd}`
const beginsWithValueWord = new RegExp(`^${valueWord}`, 'u')
const question = `(?:${valueWord}|${anyOf(openings)}${wordEnd})`
const beginsAsking = new RegExp(start + question, 'u')
const taskVerbs = anyOf(tasks.flatMap(([verbs]) => verbs))
const politely = String.raw`^[\p{P}\s]*(?:${anyOf(courtesies.filter((phrase) => !polite.includes(phrase)))}${wordEnd}[\p{P}\s]*){0,3}${anyOf(polite)}${wordEnd}(?:\s+(?:please|bitte))?`
const beginsPolitely = new RegExp(String.raw`${politely}(?:\s+${taskVerbs}${wordEnd})?`, 'u')
/** "Can you look up the rent", which asks without its mark; "Could you be loved" does not. */
const beginsPoliteTask = new RegExp(String.raw`${politely}\s+${taskVerbs}${wordEnd}`, 'u')
const beginsTask = anyOf(
  tasks.map(([verbs, words]) => String.raw`${anyOf(verbs)}(?=\s+(?:l'|${anyOf(words)}${wordEnd}))`),
)
/** "Remind me to call Ada" wants something done, and asks nothing. "Kerro 3" is a floor in Finnish addresses. */
const beginsRequest = new RegExp(
  String.raw`${start}(?:${anyOf(requests)}${wordEnd}(?!\s+to\s|(?<=kerro)\s+\p{N})|${anyOf(leads)}(?=[,\s]+${question})|${beginsTask})`,
  'u',
)

/** Words that ask wherever they stand. They are compared with their accents: "cómo" asks, at the beginning, and "como" tells. */
const asksWithin = new RegExp(
  [
    String.raw`^[\p{P}\s]*cómo${wordEnd}`,
    // Alone, the first of these two words also means "from".
    String.raw`^[\p{P}\s]*(?:من|ما) (?:الذي|التي|هو|هي|هم)${wordEnd}`,
    // With one of these particles behind them they mean "someone", "something", "always".
    '(?:何|なに|どこ|だれ|誰|どれ|いつ)(?![かもで])|どの|どんな|どうして|どうやって|なぜ|いくら|いくつ|教えて|おしえて|知りたい|見せて',
    // Before "都" and "也" they mean "anyone", "everything".
    '(?:什么|什麼|谁|哪|怎么|怎麼|怎样)(?!.?[都也])|几点|几个|多少|多久|何时|告诉我|告訴我|请问|請問|我想知道',
    '뭐|뭘|무엇|무슨|어디|언제(?!나)|누구(?!나)|누가|왜|어떻게|몇|얼마|어느|알려|말해 ?줘|가르쳐',
    'ไหน|อะไร|ใคร|เมื่อไร|เมื่อไหร่|ทำไม|อย่างไร|ยังไง|เท่าไร|เท่าไหร่',
    String.raw`(?<![\p{L}\p{M}])(?:क्या|कहाँ|कहां|कब|कौन|किस|किसका|किसकी|क्यों|कैसे|कितना|कितने|कितनी|बताओ|बताइए)(?![\p{L}\p{M}])`,
    String.raw`(?<![\p{L}\p{M}])(?:nerede|nereye|nereden|neresi|ne zaman|kaç|hangi|nasıl|kimin|niçin|söyle)(?![\p{L}\p{M}])`,
  ].join('|'),
  'u',
)

/**
 * Requests to be told something in languages that have the verb at their end, or that join it to what follows; "he told me" has
 * the same word in another place or form.
 */
const requestsWithin = new RegExp(
  [
    '(?:教えて|おしえて|見せて|言って|思い出させて|説明して|まとめて|要約して|探して|送って)(?:ください|下さい|くれ|くれる|ちょうだい|もらえる|もらえますか|くれますか|欲しい|ほしい)?よ?[\\p{P}\\s]*$',
    '(?:知りたい|聞きたい)(?:です|の|のです|んです)?[\\p{P}\\s]*$',
    // "给我打电话的人" is who calls me, and "给我治病的医生姓王" says what the doctor who treats me is called.
    '^[\\p{P}\\s]*(?:请|請|麻烦)?(?:你|您)?(?:能|可以)?(?!.*的\\p{Script=Han}{1,4}[是姓叫])(?:[给給]我(?![打买買做写寫送寄发發讲講留的])(?!.*了[\\p{P}\\s]*$)|[帮幫]我(?:找|查|列|看|总结|總結)|[总總][结結]一下|解[释釋]一下|列出|查一下|找一下)',
    '^[\\p{P}\\s]*(?:请|請|麻烦)?(?:你|您)?(?:能|可以)?(?:告诉我|告訴我|提醒我|给我看|給我看|说一下|說一下|我想知道|我想问|我想問)',
    '(?:알려|말해|가르쳐|보여|찾아|설명해|요약해|정리해) ?(?:줘|줘요|주세요|줄래|줄래요|주십시오|다오)[\\p{P}\\s]*$|(?:알고|궁금) ?(?:싶어|싶어요|싶다|해|해요)[\\p{P}\\s]*$',
    String.raw`^[\p{P}\s]*मुझे\s.*(?:दो|दीजिए|दे दीजिए)[\p{P}\s]*$`,
    '(?:बताओ|बताइए|बताइये|बताएं|बता दो|बता दीजिए|दिखाओ|दिखाइए|याद दिलाओ|जानना है|जानना चाहता हूँ|जानना चाहती हूँ)[\\p{P}\\s]*$',
    String.raw`(?<![\p{L}\p{M}])(?:söyle|söyler misin|söyleyin|göster|gösterin|hatırlat|bilmek istiyorum|merak ediyorum)[\p{P}\s]*$`,
    String.raw`^[\p{P}\s]*bana\s.*\s(?:ver|verin|verir misin|anlat|anlatın)[\p{P}\s]*$`,
    String.raw`(?:บอกฉัน|บอกหน่อย|อยากรู้)|บอก.{0,80}(?:ให้|หน่อย|(?<!นา)ที)[\p{P}\s]*$`,
  ].join('|'),
  'u',
)

/** Whether a question has words, wherever they stand, that want a value. */
export const asksValueWithin = (question: string): boolean =>
  asksWithin.test(question.normalize('NFC').toLowerCase())

/** What questions end with in Japanese, Chinese, Korean and Turkish. */
const endsAsking = /(?:[すたんのうるいだ]か|かな|かしら|吗|嗎|呢|까|나요|인가요|(?<=\s)ne)[\p{P}\s]*$/u

/** A semicolon behind a Greek letter is a question mark. */
const endsWithMark = /(?:[?？؟՞\u037e፧⁇⁈⁉‽⸮]|(?<=\p{sc=Greek}["'»”)]?);)["'»”’」』)\]\s!！]*$/u

/**
 * Whether a text asks for something: by a question mark at its end, by how it begins, as a question or a request to be told,
 * or by the words for that in languages whose questions begin as their statements do.
 */
export function isQuestion(text: string): boolean {
  return asksByMark(text) || asksByWords(text)
}

/**
 * Where a question begins behind words that no mark separates from it. Within a sentence question words have no capital, but in
 * titles: so what begins as a question or a request is one.
 * @returns a position in the sentence; 0 where it is one question, or none
 */
export function questionWithin(sentence: string): number {
  const begins = [...sentence.matchAll(beginning)].findLast(
    ({ 0: mark, index }) =>
      mark === '¿' ||
      (beginsWithValueWord.test(fold(sentence.slice(index, index + questionWordReach))) &&
        !isName(sentence, index)),
  )
  return begins === undefined || asksByWords(sentence) ? 0 : begins.index
}
/** Whether a word is one: "The Who, do you know when they play?" */
const isName = (sentence: string, at: number): boolean =>
  /(?<!\p{L})the\s+$/iu.test(sentence.slice(0, at)) || /^\p{L}+,/u.test(sentence.slice(at))
/** Where the mark that questions begin with, or a word with a capital, stands behind a word without a mark between. */
const beginning = /[¿\p{Lu}](?<=[^\s\p{P}]\s+.)/gu
/** UTF-16 units that a preposition and a question word have at most. */
const questionWordReach = 40

/** Whether a text ends with a question mark. */
export const asksByMark = (text: string): boolean => endsWithMark.test(text)

function asksByWords(text: string): boolean {
  return beginsAsking.test(fold(text)) || asksPlainly(text) || isRequest(text)
}

/** A text from its first letter or figure on: patterns that skip what stands before would look at a long run of it from each place. */
const unmarked = (text: string): string => text.replace(/^[\p{P}\s]+/u, '')

/** Whether a text has words, or an end, that only questions have. @param written in NFC and lower case */
const asksByItsWords = (written: string): boolean => asksWithin.test(written) || endsAsking.test(written)

/** Whether a text has words, or an end, that only questions have: "when" is none, since it begins statements as well. */
export const asksPlainly = (text: string): boolean => asksByItsWords(text.normalize('NFC').toLowerCase())

/** Whether a text requests to be told something. */
export const isRequest = (text: string): boolean =>
  requestBeginning(text) !== '' || requestsWithin.test(unmarked(text.normalize('NFC').toLowerCase()))

/** What a text begins with as a request to be told does, folded; empty where it is none. */
const requestBeginning = (text: string): string =>
  iTold.test(text.normalize('NFC')) ? '' : (beginsRequest.exec(fold(text))?.[0] ?? '')
/** "I explained", which in French without its accent is a request. */
const iTold = /^[\p{P}\s]*(?:expliqu|compar|list)é(?!\p{L})/iu

/** What a request to be told wants: "the rent" of "Tell me the rent", else the text itself. */
export const wantedOf = (text: string): string => withoutBeginning(text, requestBeginning(text))

/** The same, also of what only asks somebody to do something: "Ada's size" of "Can you look up Ada's size". */
export function askedOf(text: string): string {
  const wanted = wantedOf(text)
  return wanted === text ? withoutBeginning(text, beginsPolitely.exec(fold(text))?.[0] ?? '') : wanted
}

/** @param beginning folded */
function withoutBeginning(text: string, { length }: string): string {
  // Folding may have made it longer: "weißt du".
  let end = length
  while (fold(text.slice(0, end)).length > length) end--
  if (end === 0 || fold(text.slice(0, end)).length !== length) return text
  const wanted = text.slice(end).replace(/^[\p{P}\s]+/u, '')
  return /[\p{L}\p{N}]/u.test(wanted) ? wanted : text
}

/**
 * The question that a request to be told has: "when the gym closes" of "I want to know when the gym closes", else the text
 * itself.
 */
export function questionOf(text: string): string {
  const wanted = wantedOf(text)
  return beginsAsking.test(fold(wanted)) ? wanted : text
}

/** "Was" is a German word for what, and begins an English question that wants a yes or no. */
const asksValue = new RegExp(`${start}(?!was${wordEnd})${valueWord}`, 'u')

/** A pattern, for folded text, of what begins a question that wants a value. */
export const questionPattern = valueWord

/** Whether a question wants to be told what, who, when and such, and not yes or no. */
export const asksForValue = (question: string): boolean => asksValue.test(fold(question))

/** A speaker's name before what is said: "Ada: ", "**user:** ", "[user] ". */
const speaker = /^(?:[^\n:：?？]{1,30}(?::[*_]*\s+|：\s*)|[[<]\p{L}[^\]>\n?？]{0,28}[\]>]:?\s*)/u

/** A text without the speaker's name before it. */
export const withoutSpeaker = (text: string): string => text.replace(speaker, '')

/**
 * Whether a sentence surely asks: also statements begin with "do", "can" and "will", so without a question mark only a request
 * does or a word that asks for something, and none that ends as statements do.
 */
function surelyAsks(sentence: string): boolean {
  if (endsWithMark.test(sentence)) return !statesBefore(sentence)
  if (isRequest(sentence) || (!sentence.includes(',') && beginsPoliteTask.test(fold(sentence)))) return true
  return !endsAsStatement(sentence) && (asksForValue(sentence) || asksPlainly(sentence))
}

/** A quotation at the end of a sentence, which may have been cut before its last mark. */
const quotedAtEnd = /(?:["“„«»「『][^"“”„«»「」『』]*["“”»«」』]?|(?<!\p{L})['‘][^'‘’]*['’])[\s!！.]*$/u
/** What a thing is called, before its name. */
const naming =
  /(?<!\p{L})(?:called|named|titled|entitled|heißt|lautet|s['’]appelle|s['’]intitule|se llama|se titula|si chiama|si intitola|se chama|intitula-se|heet|heter|hedder|nazywa się|jmenuje se|называется|λέγεται)\s+\p{Lu}/u
/** A Spanish question behind a statement that no comma sets apart from it. */
const invertedWithin = /\p{L}\s+¿/u

/**
 * Whether a sentence that ends with a question mark says something before its question, which somebody else asks or which is a
 * name: 'Our motto is "Why not?"', "My favourite book is Who Moved My Cheese?".
 */
function statesBefore(sentence: string): boolean {
  const quoting = quotedAtEnd.exec(sentence)
  const before = quoting === null ? sentence : sentence.slice(0, quoting.index)
  if (quoting !== null && /\p{L}/u.test(before))
    return !beginsAsking.test(fold(before)) && !asksPlainly(before)
  if (beginsAsking.test(fold(sentence)) || isRequest(sentence)) return false
  return naming.test(sentence) || invertedWithin.test(sentence) || hasAskingTitle(sentence)
}

/** Whether words that ask begin with a capital within a sentence, as titles do. */
function hasAskingTitle(sentence: string): boolean {
  const words = sentence.match(/[\p{L}\p{M}'’]+|[^\s\p{L}]/gu) ?? []
  return words.some((word, n) => {
    const isWithin = /\p{L}/u.test(words[n - 1] ?? '') && /\p{L}/u.test(words[n + 1] ?? '')
    return isWithin && /^\p{Lu}/u.test(word) && titleWords.has(fold(word))
  })
}
const titleWords: ReadonlySet<string> = new Set([...questionWords, ...openings])

/** Whether a text ends with a mark that ends statements. */
export const endsAsStatement = (text: string): boolean => /[.!。！।]["'»”’)\]\s]*$/u.test(text)

/** Says nothing of its own behind a question. */
const thanks =
  /(?<!\p{L})(?:thank(?:s|you)?|thx|please|cheers|dank(?:e|eschön|jewel|u)?|bitte|merci|gracias|grazie|obrigad[oa]|bedankt|alsjeblieft|tack(?:ar)?|takk|tak|dzięk\p{L}+|díky|děkuj\p{L}+|спасиб\p{L}+|дякую|teşekkür\p{L}*|sağ ol\p{L}*|kiitos|ευχαριστ\p{L}+)(?!\p{L})|谢谢|謝謝|ありがとう|お願いします|감사|고마|شكر|תודה|धन्यवाद|ขอบคุณ|cảm ơn|terima kasih/iu

/** The sentences of a text that say something, without a speaker's name before them. */
const sentencesOf = (text: string): string[] =>
  Array.from(sentenceSegmenter.segment(withoutSpeaker(text)), ({ segment }) => segment.trim()).filter(
    (sentence) => /[\p{L}\p{N}]/u.test(sentence),
  )

/** A sentence of thanks or a greeting alone. */
function isCourtesy(sentence: string): boolean {
  const words = sentence.match(/[\p{L}\p{M}']+/gu) ?? []
  if (words.length > courtesyWords || /[,\p{N}]/u.test(sentence)) return false
  return (thanks.test(sentence) && !/thanks to/iu.test(sentence)) || greets.test(fold(sentence))
}
const courtesyWords = 5
const greets = new RegExp(String.raw`^[\p{P}\s]*${anyOf(greetings)}${wordEnd}[^?]{0,16}$`, 'u')

/** The sentences of a text that say something beside greeting and thanking, without a speaker's name before them. */
export const saidSentences = (text: string): string[] =>
  sentencesOf(text).filter((sentence) => !isCourtesy(sentence) || surelyAsks(sentence))

/** Whether the last that a text says asks, so that no answer stands behind what it asks; thanks are none. */
export function asksAtLast(text: string): boolean {
  const last = sentencesOf(text).findLast(
    (sentence) => surelyAsks(sentence) || sentence.length > thanksMax || !thanks.test(sentence),
  )
  return last !== undefined && surelyAsks(last)
}
const thanksMax = 40

/**
 * Whether every sentence of a text asks, but for greetings and thanks, so that it answers nothing. A speaker's name may stand
 * before it.
 */
export function onlyAsks(text: string): boolean {
  const sentences = saidSentences(text)
  return sentences.length > 0 && sentences.every(surelyAsks)
}

/** Words of three letters and more that a question may have of itself, and one of the same content not. */
const ofAsking: ReadonlySet<string> = new Set([
  ...[questionWords, openings, requests].flat().flatMap((phrase) => phrase.split(/[\s-]/u)),
  ...list(
    'know|again|remember|anyone|anybody|someone|please|tell|sais|connais|savez|rappelle|kennt|weiß|weiss|jemand|lautet|heißt|nochmal|bitte|sabe|sabes|alguien|conoce',
  ),
])

/** Whether a folded word says how something is asked, and not what. */
export const isOfAsking = (folded: string): boolean => ofAsking.has(folded)
