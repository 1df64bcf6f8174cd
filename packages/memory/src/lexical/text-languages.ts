import { setImmediate as turnOfOthers } from 'node:timers/promises'
import { languagesOf } from './language.ts'
import type { SpaceTexts } from './text-cache.ts'

/** Texts that are waited for: all of them take about 25 ms. */
const awaitedMax = 500
/** Texts of one turn of the event loop: a ms. */
const textsOfTurn = 16

/** Spaces whose languages are being told. */
const underWay = new WeakMap<SpaceTexts, Promise<void>>()

/**
 * Tells the languages of texts that came in since the last time, a few in each turn of the event loop. A few hundred are
 * waited for; more follow in the background, and until then a text counts as one in the language of whoever asks.
 */
export async function tellLanguages(texts: SpaceTexts): Promise<void> {
  if (texts.withoutLanguage === 0) return
  const isAwaited = texts.withoutLanguage <= awaitedMax
  let telling = underWay.get(texts)
  if (telling === undefined) {
    telling = tellAll(texts).finally(() => underWay.delete(texts))
    telling.catch(() => undefined)
    underWay.set(texts, telling)
  }
  if (isAwaited) await telling
}

async function tellAll(texts: SpaceTexts): Promise<void> {
  while (texts.withoutLanguage > 0) {
    const some = texts.takeWithoutLanguage(textsOfTurn)
    texts.setLanguages(
      some,
      some.map(({ text }) => languagesOf(text)),
    )
    await turnOfOthers()
  }
}
