import { protectedCategories } from '@memory/engine/categories/categories'
import { classifyFact } from '@memory/engine/categories/classify'
import { isInvisible } from '@memory/shared/catalogue/invisible'
import { limits } from '@memory/shared/catalogue/limits'
import type { Metadata } from '../store.ts'

/** What a pattern counts as. */
export interface Description {
  category: string | null
  /** Consolidation must leave it alone, unless its caller says otherwise: its metadata say so, or its category is a sensitive one. */
  protected: boolean
}

/** A pattern without text counts as what the caller says in the metadata. */
export function describeVector(metadata: Metadata | null): Description {
  return describe(metadata, statedCategory(metadata) ?? null)
}

/**
 * A text counts as what the caller says in the metadata; else as what it seems to state.
 *
 * @param embedding the text's, of unit length
 */
export function describeText(text: string, embedding: Float32Array, metadata: Metadata | null): Description {
  const stated = statedCategory(metadata)
  return describe(metadata, stated === undefined ? classifyFact(text, embedding) : stated)
}

function describe(metadata: Metadata | null, category: string | null): Description {
  const sensitive = category !== null && protectedCategories.has(category)
  return { category, protected: metadata?.protected === true || sensitive }
}

/** Undefined when the caller names none; null when what is named is invisible or too long to be a category. */
function statedCategory(metadata: Metadata | null): string | null | undefined {
  const category = metadata?.category
  if (typeof category !== 'string') return undefined
  return !isInvisible(category) && [...category].length <= limits.categoryChars ? category : null
}
