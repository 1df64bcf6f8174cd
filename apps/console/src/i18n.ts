import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import type { en } from './messages/en.ts'
import { fetched } from './parts/fetched.ts'
import { ifKept } from './parts/if-kept.ts'

declare module 'i18next' {
  interface CustomTypeOptions {
    keySeparator: false
    nsSeparator: false
    resources: { translation: typeof en }
  }
}

export const languages = { en: 'English', fr: 'Français' } as const
export type Language = keyof typeof languages

const keptIn = 'memory-language'
const isLanguage = (name: string): name is Language => Object.hasOwn(languages, name)

const read = {
  en: async () => (await import('./messages/en.ts')).en,
  fr: async () => (await import('./messages/fr.ts')).fr,
} satisfies Record<Language, () => Promise<object>>

/** What was chosen here, else the first that the browser asks for and there is. */
export function preferred(): Language {
  const chosen = ifKept(() => localStorage.getItem(keptIn)) ?? ''
  const asked = [chosen, ...navigator.languages]
  return asked.map((each) => each.slice(0, 2).toLowerCase()).find(isLanguage) ?? 'en'
}

async function load(language: Language): Promise<void> {
  i18next.addResourceBundle(language, 'translation', await read[language]())
  document.documentElement.lang = language
}

/** The reader's own country's way of writing, where the browser's language is the page's. */
export const localeOf = (language: string): string =>
  navigator.languages.find((each) => languageOf(each) === language) ?? language

/** Undefined for a name that is none, such as en-US@posix, which browsers of a system without a language may have. */
function languageOf(name: string): string | undefined {
  try {
    return new Intl.Locale(name).language
  } catch {
    return undefined
  }
}

export async function startI18n(): Promise<void> {
  const language = preferred()
  await i18next.use(initReactI18next).init({
    lng: language,
    resources: {},
    keySeparator: false,
    nsSeparator: false,
    // React does.
    interpolation: { escapeValue: false },
  })
  // Numbers in texts are written as those beside them.
  i18next.services.formatter?.addCached('number', (language = 'en', options) => {
    const shown = new Intl.NumberFormat(localeOf(language), options)
    return (value: number) => shown.format(value)
  })
  await load(language)
}

/** Nothing is another where the texts can't be fetched. @throws ConnectionError */
export async function changeLanguage(language: Language): Promise<void> {
  await fetched(load(language))
  ifKept(() => localStorage.setItem(keptIn, language))
  await i18next.changeLanguage(language)
}
