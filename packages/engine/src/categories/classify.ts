import type { Category } from './categories.ts'
import { categoryByPattern } from './category-patterns.ts'
import fitted from './model.json' with { type: 'json' }
import { guessCategory, type LoadedCategoryModel, loadCategoryModel } from './model.ts'

const model = loadCategoryModel(fitted)

/**
 * The category of the personal fact that a text states, null when it seems to state none. What has a form is told by
 * its form, the rest by the embedding: a language that the encoder knows needs no words of its own here.
 *
 * @param embedding the text's, of unit length
 */
export function classifyFact(
  text: string,
  embedding: Float32Array,
  by: LoadedCategoryModel = model,
): Category | null {
  const form = categoryByPattern(text)
  if (form !== undefined) return form
  const { category, probability } = guessCategory(embedding, by)
  return probability >= by.threshold ? category : null
}
