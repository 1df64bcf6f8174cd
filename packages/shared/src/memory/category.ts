import { protectedCategories } from '../catalogue/categories.ts'
import { limits } from '../catalogue/limits.ts'
import type { Metadata } from './store.ts'

/** The category that a caller gave in the metadata; null when none, or one too long to be a category. */
export function categoryOf(metadata: Metadata | null): string | null {
  const category = metadata?.category
  if (typeof category !== 'string' || category === '') return null
  return [...category].length <= limits.categoryChars ? category : null
}

/** Whether consolidation must leave a pattern alone: the caller says so, or its category is a sensitive one. */
export function isProtected(metadata: Metadata | null, category: string | null): boolean {
  return metadata?.protected === true || (category !== null && protectedCategories.has(category))
}
