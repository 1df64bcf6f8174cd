import { anyOf, askedOf, phrasesOf, wordEnd } from '../explain/asking.ts'
import { fold } from '../explain/terms.ts'
import { parameters } from '../parameters.ts'

const { assistantLag } = parameters.recall

/** I, me, my. */
const asker = phrasesOf(`
  i'm|i've|i'd|i'll|me|my|mine|myself|moi|
  ich|mich|mir|mein|meine|meinen|meinem|meiner|meines|yo|mí|mis|conmigo|io|mio|miei|mie|
  meu|minha|meus|minhas|mim|comigo|ik|mij|mijn|jag|jeg|mitt|mnie|mój|moja|moje|mojego|mojej|
  můj|mého|mě|mně|я|меня|мне|мой|моя|моё|мои|моего|моей|моих|мою|мене|мені|мій|моє|мої|μου|εγώ|εμένα|
  minä|minun|minulle|minua|nekem|saya|aku|tôi|أنا|لي|عندي|אני|שלי|मैं|मैंने|मेरा|मेरी|मेरे|मुझे|benim|bana|beni`)
/** The same, which with a capital are names or abbreviations, unless a sentence begins with them. */
const askerInSmallLetters = phrasesOf('mon|mi|eu|mia|mina|mig|min')
/** You, your, and who is addressed so. */
const addressed = phrasesOf(`
  you|you've|you'd|your|yours|assistant|chatbot|bot|chatgpt|claude|gemini|copilot|
  tu|ton|ta|tes|vous|votre|vos|assistante|du|dich|dir|dein|deine|deinen|deinem|deiner|assistent|assistenten|
  ti|tus|usted|ustedes|asistente|tuo|tua|tuoi|tue|assistente|você|teu|teus|tuas|je|jij|jou|jouw|u|uw|
  dig|deg|din|ditt|dina|ni|ty|tobie|ciebie|twój|twoja|tvůj|tebe|ты|тебя|тебе|твой|твоя|вы|вас|вам|ваш|ваша|ваши|ассистент|помощник|
  ти|тобі|ви|σου|εσύ|εσείς|σας|sinä|sinun|neked|kamu|anda|bạn|أنت|لك|אתה|שלך|तुम|तुमने|आप|आपने|आपका|sen|senin|sana|siz`)
/** Words for whoever asks and whoever is asked, folded: they say nothing of what is asked for. */
export const persons: ReadonlySet<string> = new Set([...asker, ...addressed].map(fold))
/** What somebody else contributes, whoever is meant. */
const advice =
  /recommend|suggest|advi[cs]|propos|empf[eo]hl|vorgeschlag|vorschlag|geraten|conseil|recommand|suger|recomend|aconsej|consigli|raccomand|aanbevol|aangerad|voorgesteld|föreslog|foreslo|рекоменд|посовет|совет|предлож|порад|建议|建議|推荐|推薦|おすすめ|勧め|提案|추천|제안|조언|सुझाव|öner|tavsiye|saran|gợi ý|πρότειν|συμβουλ|suositel|ehdot|javasol|ajánl|doporuč|polec|המלצ/u
/** Asks for instructions, which the one who asks has not given: "How do I reset it?", and not "How old am I?". */
const instructions =
  /^[\p{P}\s]*(?:(?:and|so|also|und|et|y|e|och|og) )?(?:how (?:do|can|could|should|would|might|to)|wie (?:kann|könnte|soll|sollte|muss|mache|bekomme|schreibe)|comment (?:est-ce que je|puis-je|dois-je|faire|je)|cómo (?!se llama|me llamo|est|es(?!\p{L})|era|fue|son)\p{L}+|como (?:posso|devo|faço|puedo|debo)|come (?:posso|devo|faccio|si (?!chiam))|hoe (?:kan|moet)|hur (?:kan|ska|gör)|hvordan (?:kan|skal|gør|gjør)|jak (?:mogę|mam|mohu|mám)|как (?:мне|я могу|можно)|як (?:мені|я можу))(?!\p{L})|怎么(?!样)|怎麼(?!樣)|如何|どうやって|どうすれば|어떻게|(?<!\p{L})(?:should|shall|soll(?:te)?|dois-je|debo|devo|moet)(?!\p{L})/u

/** Any of some words; none as a unit, "30 min", "min value", or a question word, "Mi a Bitcoin?", which is Hungarian for "what". */
const standing = (of: readonly string[]): string =>
  String.raw`(?<![\p{L}\p{M}\p{N}])(?<!\p{N}\s)${anyOf(of)}(?!\s+(?:values?|max|az?)(?!\p{L}))${wordEnd}`
const namesAsker = new RegExp(standing(asker), 'iu')
const namesAskerInSmallLetters = new RegExp(standing(askerInSmallLetters), 'u')
/** "I", which behind a name is a number: "World War I". */
const namesI =
  /(?<![\p{L}\p{M}\p{N}'’])(?<!\p{Lu}\p{L}*\s)I(?![\p{L}\p{M}\p{N}'’.-])|(?<!\p{L})(?:do|did|am|have|had|can|could|was|will|would|may|must|if|that|where|when|what|how) i(?!\p{L})/u
const namesAddressed = new RegExp(standing(addressed), 'iu')
/** The same in scripts without white space between words, and where particles join them. */
const namesAskerWithin =
  /我(?!们|們)|私|僕|俺|わたし|(?<!\p{sc=Hangul})(?:나[는의]|내가?|제가?|저[는의])(?!\p{sc=Hangul})|ฉัน|ผม/u
const namesAddressedWithin = /[你您妳]|あなた|助手|アシスタント|(?<!\p{sc=Hangul})(?:너[는의]?|네가|당신)|คุณ/u

/** "Je", which in Dutch means "you". */
const frenchI =
  /-je(?!\p{L})|(?:(?<=(?<!\p{L})(?:que|qui|où|quand|comment|pourquoi|si|dont|combien)\s)|^)je(?!\p{L})|(?<!\p{L})j'(?=\p{L})/giu
/** Formal German, of which the words mean "they" and "her" in small letters. */
const formally = /(?<=\S\s)(?:Sie|Ihnen|Ihre?[nmrs]?)(?!\p{L})/u
/** Endings of the second person in Spanish and Portuguese: "recomendaste". */
const youDid = /\p{L}{3}[ai]ste(?!\p{L})/u

/**
 * Whether a query asks for something of the one who asks, and nothing of whom it addresses: "When is my flight?", and not "What
 * did you say about my flight?" or "How do I book a flight?". Who asked knows their own life: what an assistant answered
 * repeats it at best.
 */
export function asksOfAsker(query: string): boolean {
  const asked = askedOf(query).normalize('NFC').replaceAll('’', "'")
  const wanted = asked.replace(frenchI, ' moi ')
  const small = asked.toLowerCase()
  const isOfAsker = [namesAsker, namesAskerInSmallLetters, namesI, namesAskerWithin].some((names) =>
    names.test(wanted),
  )
  if (!isOfAsker || advice.test(small) || instructions.test(small) || formally.test(wanted)) return false
  return !(namesAddressed.test(wanted) || namesAddressedWithin.test(wanted) || youDid.test(small))
}

const roles = new Set(['assistant', 'ai', 'bot', 'chatbot', 'model'])
/** The same before what was said. */
const spoken =
  /^[*_[<\s]*(?:assistant|ai|bot|chatbot|chatgpt|assistante|assistent|asistente|assistente|ассистент|асистент|助手|アシスタント)[\]>*_]*[:：]/iu

/** Whether an assistant said a text. @param role of the one who said it, where that is known */
const isAssistants = (text: string, role?: unknown): boolean =>
  typeof role === 'string' ? roles.has(role.toLowerCase()) : spoken.test(text)

/**
 * Puts what an assistant said `assistantLag` deviations further down, where the query asks for something of the one who asks.
 * @param texts best first
 * @param roleOf `metadata.role` of a text; undefined: unknown, but where the text begins with it
 */
export function ownWordsFirst<One extends { text: string; score: number }>(
  texts: readonly One[],
  query: string,
  roleOf: (one: One) => unknown,
): One[] {
  if (!asksOfAsker(query)) return [...texts]
  const placed = texts.map((one) => ({
    one,
    place: one.score - (isAssistants(one.text, roleOf(one)) ? assistantLag : 0),
  }))
  // The sort is stable.
  return placed.sort((a, b) => b.place - a.place).map(({ one }) => one)
}
