import { EncoderError, openEncoder } from '@memory/engine/encoder/encoder'
import { kernels } from '@memory/engine/kernels/kernels'
import { limits } from '@memory/shared/catalogue/limits'
import type { Check } from '@memory/shared/ops/check'

/** A sentence, another one of the same meaning in another language, and one that has nothing to do with them. */
const [known, same, other] = [
  'Ada moved to Lisbon in 1988.',
  'Ada hat ihren Wohnsitz nach Lissabon verlegt.',
  'The invoice of the dentist is overdue.',
] as const
/** How the embedding of the known sentence begins, by the encoder that comes with the service. */
const ofBundled = {
  modelId: 'multilingual-e5-small@fc51c173c8f9',
  begin: [0.01542, -0.01963, -0.07977, 0.06334, 0.00504, -0.02669, -0.01702, -0.07576],
}
/** Processors round in their own ways. */
const tolerance = 0.002
/** By how much more the cosine of sentences of the same meaning must be than that of unrelated ones. */
const nearnessLeast = 0.2

/** Encodes a sentence whose embedding is known, and compares meanings across languages. */
export async function checkEncoder(folder: string): Promise<Check> {
  const name = 'encoder'
  const remedy = `Restore the files of ${folder} (git checkout, or npm ci with the image), or set MEMORY_ENCODER_DIR to a whole model.`
  try {
    const encoder = await openEncoder(folder, { dimensions: limits.embeddingDimensions })
    try {
      const started = performance.now()
      const embedding = await encoder.encode(known)
      const ms = Math.max(1, Math.round(performance.now() - started))
      const isAsKnown = ofBundled.begin.every((x, i) => Math.abs(x - (embedding[i] as number)) <= tolerance)
      const nearness =
        kernels.cosine(embedding, await encoder.encode(same)) -
        kernels.cosine(embedding, await encoder.encode(other))
      if (nearness < nearnessLeast || (encoder.modelId === ofBundled.modelId && !isAsKnown)) {
        const text = `${encoder.modelId} gives another embedding of a known sentence than it should.`
        return { name, state: 'fail', text, remedy }
      }
      const text = `${encoder.modelId} encodes a known sentence as it should, in ${ms} ms.`
      return { name, state: 'ok', text }
    } finally {
      await encoder.close()
    }
  } catch (error) {
    if (!(error instanceof EncoderError)) throw error
    return { name, state: 'fail', text: `${error.message}.`, remedy }
  }
}
