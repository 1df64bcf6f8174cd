import { setImmediate as turnOfOthers } from 'node:timers/promises'
import { languagesOf } from './language.ts'
import type { SpaceTexts } from './text-cache.ts'

/** Up to this many texts are waited for, which takes about 25 ms. */
const awaitedMax = 500
/** Texts per turn of the event loop: about 1 ms. */
const textsOfTurn = 16

/** Determinations under way. */
const underWay = new WeakMap<SpaceTexts, Promise<void>>()

/**
 * Determines the languages of texts that are new since the last call, a few in each turn of the event loop. Up to `awaitedMax`
 * are waited for; more are done in the background, and until then their language counts as unknown.
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
