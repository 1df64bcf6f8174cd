/** What is made once for each language, when it is first needed. */
export function memo<L extends string | { readonly code: string }, T>(
  make: (language: L) => T,
): (language: L) => T {
  const made = new Map<string, T>()
  return (language) => {
    const code = typeof language === 'string' ? language : language.code
    if (!made.has(code)) made.set(code, make(language))
    return made.get(code) as T
  }
}
