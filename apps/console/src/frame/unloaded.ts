import type { Language } from '../i18n.ts'

/** The texts of the page are what has not come: those are these. */
const texts: Record<Language, { unloaded: string; again: string }> = {
  en: { unloaded: 'The console could not be loaded.', again: 'Load it again' },
  fr: { unloaded: 'La console n’a pas pu être chargée.', again: 'La recharger' },
}

/** Says that the page could not be loaded, where nothing could be shown of it. */
export function showUnloaded(root: HTMLElement, language: Language): void {
  const { unloaded, again } = texts[language]
  const note = document.createElement('p')
  note.role = 'alert'
  note.textContent = unloaded
  const button = document.createElement('button')
  button.textContent = again
  button.addEventListener('click', () => location.reload())
  document.documentElement.lang = language
  root.replaceChildren(note, button)
}
