/** The categories of personal facts, as stored in a pattern's `category`. */
export const categories = [
  'identity',
  'contact',
  'location',
  'health',
  'finance',
  'family',
  'relationship',
  'employment',
  'education',
  'religion',
  'politics',
  'sexuality',
  'ethnicity',
  'biometric',
  'criminal',
  'credentials',
  'preference',
] as const

export type Category = (typeof categories)[number]

/** Identity and the special categories of personal data of GDPR article 9: sleep never weakens or merges these. */
export const protectedCategories: ReadonlySet<string> = new Set([
  'identity',
  'health',
  'religion',
  'politics',
  'sexuality',
  'ethnicity',
  'biometric',
])
