import { anyOf, askedOf, list, wordEnd } from '../explain/asking.ts'
import { fold } from '../explain/terms.ts'
import { parameters } from '../parameters.ts'

const { assistantLag } = parameters.recall

/** I, me, my. Of words that mean something else in another language only the forms that do not. */
const asker = list(`
  i|i'm|i've|i'd|i'll|me|my|mine|myself|moi|mon|
  ich|mich|mir|mein|meine|meinen|meinem|meiner|meines|yo|mi|mis|conmigo|io|mio|mia|miei|mie|
  eu|meu|minha|meus|minhas|mim|comigo|ik|mij|mijn|jag|jeg|mig|meg|min|mitt|mina|mnie|mój|moja|moje|mojego|mojej|
  můj|moje|mého|mě|mně|я|меня|мне|мой|моя|моё|мои|моего|моей|моих|мою|мене|мені|мій|моє|мої|μου|εγώ|εμένα|
  minä|minun|minulle|minua|én|nekem|saya|aku|tôi|أنا|لي|عندي|אני|שלי|मैं|मैंने|मेरा|मेरी|मेरे|मुझे|ben|benim|bana|beni`)
/** You, your, and who is addressed so. */
const addressed = list(`
  you|you've|you'd|your|yours|assistant|chatbot|bot|chatgpt|claude|gemini|copilot|
  tu|ton|ta|tes|vous|votre|vos|assistante|du|dich|dir|dein|deine|deinen|deinem|deiner|assistent|assistenten|
  ti|tus|usted|ustedes|asistente|tuo|tua|tuoi|tue|assistente|você|teu|teus|tuas|je|jij|jou|jouw|u|uw|
  dig|deg|din|ditt|dina|ni|ty|tobie|ciebie|twój|twoja|tvůj|tebe|ты|тебя|тебе|твой|твоя|вы|вас|вам|ваш|ваша|ваши|ассистент|помощник|
  ти|тобі|ви|σου|εσύ|εσείς|σας|sinä|sinun|neked|kamu|anda|bạn|أنت|لك|אתה|שלך|तुम|तुमने|आप|आपने|आपका|sen|senin|sana|siz`)
/** What somebody else contributes, whoever is meant. */
const advice =
  /recommend|suggest|advi[cs]|propos|empf[eo]hl|vorgeschlag|vorschlag|geraten|conseil|recommand|suger|recomend|aconsej|consigli|raccomand|aanbevol|aangerad|voorgesteld|föreslog|foreslo|рекоменд|посовет|совет|предлож|порад|建议|建議|推荐|推薦|おすすめ|勧め|提案|추천|제안|조언|सुझाव|öner|tavsiye|saran|gợi ý|πρότειν|συμβουλ|suositel|ehdot|javasol|ajánl|doporuč|polec|המלצ/u

/** Any of some words, but not as a unit behind a number: "30 min". */
const standing = (words: readonly string[]): RegExp =>
  new RegExp(String.raw`(?<![\p{L}\p{M}\p{N}])(?<!\p{N}\s)${anyOf(words)}${wordEnd}`, 'u')
const namesAsker = standing(asker)
const namesAddressed = standing(addressed)
/** The same in scripts without white space between words, and where particles join them. */
const namesAskerWithin =
  /我(?!们|們)|私|僕|俺|わたし|(?<!\p{sc=Hangul})(?:나[는의]|내가?|제가?|저[는의])(?!\p{sc=Hangul})|ฉัน|ผม/u
const namesAddressedWithin = /[你您妳]|あなた|助手|アシスタント|(?<!\p{sc=Hangul})(?:너[는의]?|네가|당신)|คุณ/u

/** "Je", which in Dutch means "you". */
const frenchI =
  /-je(?!\p{L})|(?:(?<=(?<!\p{L})(?:que|qui|ou|quand|comment|pourquoi|si|dont|combien)\s)|^)je(?!\p{L})|(?<!\p{L})j'(?=\p{L})/gu
/** Formal German, of which the folded words mean "they" and "her". */
const formally = /(?<=\S\s)(?:Sie|Ihnen|Ihre?[nmrs]?)(?!\p{L})/u
/** Endings of the second person in Spanish and Portuguese: "recomendaste". */
const youDid = /\p{L}{3}[ai]ste(?!\p{L})/u

/**
 * Whether a query asks for something of the one who asks, and nothing of whom it addresses: "When is my flight?", and not "What
 * did you say about my flight?" or "What did I say to your question?". Who asked knows their own life: what an assistant
 * answered repeats it at best.
 */
export function asksOfAsker(query: string): boolean {
  const wanted = askedOf(query)
  const folded = fold(wanted).replace(frenchI, ' moi ')
  const isOfAsker = namesAsker.test(folded) || namesAskerWithin.test(wanted)
  if (!isOfAsker || advice.test(folded) || formally.test(wanted)) return false
  return !(namesAddressed.test(folded) || namesAddressedWithin.test(wanted) || youDid.test(folded))
}

/** What a message says of who wrote it. */
const roles = new Set(['assistant', 'ai', 'bot', 'chatbot', 'model'])
/** The same before what was said. */
const spoken =
  /^[*_[<\s]*(?:assistant|ai|bot|chatbot|chatgpt|assistante|assistent|asistente|assistente|ассистент|асистент|助手|アシスタント)[\]>*_]*[:：]/iu

/** Whether an assistant said a text. @param role of the one who said it, where that is known */
const isAssistants = (text: string, role?: unknown): boolean =>
  typeof role === 'string' ? roles.has(role.toLowerCase()) : spoken.test(text)

/** A text of an answer, with who said it. */
export interface Told {
  text: string
  score: number
  /** `metadata.role`; undefined: unknown, but where the text begins with it. */
  role?: unknown
}

/**
 * Puts what an assistant said `assistantLag` deviations further down, where the query asks for something of the one who asks.
 * @param texts best first
 */
export function ownWordsFirst<One extends Told>(texts: readonly One[], query: string): One[] {
  if (!asksOfAsker(query)) return [...texts]
  const placed = texts.map((one) => ({
    one,
    place: one.score - (isAssistants(one.text, one.role) ? assistantLag : 0),
  }))
  // The sort is stable.
  return placed.sort((a, b) => b.place - a.place).map(({ one }) => one)
}
