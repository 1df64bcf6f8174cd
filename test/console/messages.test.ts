import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { notificationTypes } from '@memory/shared/catalogue/notifications'
import { formatNames } from '@memory/shared/transfer/formats/formats'
import { errorDetails } from 'memory-service-sdk'
import { expect, it } from 'vitest'
import { en } from '../../apps/console/src/messages/en.ts'
import { fr } from '../../apps/console/src/messages/fr.ts'

const folder = fileURLToPath(new URL('../../apps/console/src', import.meta.url))
const sources = globSync('**/*.{ts,tsx}', { cwd: folder })
  .filter((path) => !path.startsWith('messages/'))
  .map((path) => readFileSync(`${folder}/${path}`, 'utf8'))
  .join('\n')

/** What is filled in, with how it is written, and tags. */
const names = (text: string) => (text.match(/\{\{[^{}]+\}\}|<\/?\w+>/g) ?? []).sort()

it('says the same in every language: each text is there, with what is filled in', () => {
  expect(Object.keys(fr).sort()).toEqual(Object.keys(en).sort())
  for (const [key, text] of Object.entries(en)) {
    expect(fr[key as keyof typeof en], key).not.toBe('')
    expect(names(fr[key as keyof typeof en]), key).toEqual(names(text))
  }
})

it.each([
  ['en', en],
  ['fr', fr],
])('has each text of %s in one module, so that none hides another', async (language, all) => {
  const modules = await Promise.all(
    globSync(`messages/${language}/*.ts`, { cwd: folder }).map(
      async (path): Promise<Record<string, Record<string, string>>> => import(`${folder}/${path}`),
    ),
  )
  const keys = modules.flatMap((module) => Object.values(module)).flatMap((texts) => Object.keys(texts))
  expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([])
  expect(keys.sort()).toEqual(Object.keys(all).sort())
})

it('has words for errors that there are, by what the service calls them', () => {
  const named = Object.keys(en).flatMap((key) => /^error\.said\.(.+)$/.exec(key)?.[1] ?? [])
  expect(named.length).toBeGreaterThan(50)
  expect(named.filter((code) => !Object.hasOwn(errorDetails, code))).toEqual([])
})

it('has words for each notification and each format that is read', () => {
  for (const type of notificationTypes) expect(Object.keys(en)).toContain(`notification.${type}.message`)
  for (const format of formatNames) expect(Object.keys(en)).toContain(`data.import.format.${format}`)
})

it('writes counts as the language does', () => {
  const bare = /\{\{count\}\}/
  expect(Object.entries({ ...en }).filter(([, text]) => bare.test(text))).toEqual([])
})

it('says of none that it is none where French has one word for none and one', () => {
  const silent = Object.entries(fr).filter(
    ([key, text]) =>
      key.endsWith('_one') &&
      !/\{\{(count|number|shown)\b/.test(text) &&
      !Object.hasOwn(fr, key.replace(/one$/, 'zero')),
  )
  expect(silent).toEqual([])
})

/** What is wrong with a French text, if anything; what is filled in, tags, code and JSON are no French. */
function faults(text: string): string[] {
  const plain = text.replaceAll(/\{\{[^{}]+\}\}|<\/?\w+>|`[^`]*`|\{"[^}]*\}|https:\/\//g, 'x')
  const wrong = {
    'no U+202F before ; ! ? %': /(?<!\u202f)[;!?%]/,
    'no U+00A0 before :': /(?<!\u00a0):/,
    'no U+00A0 within « »': /«(?!\u00a0)|(?<!\u00a0)»/,
    'a straight apostrophe': /'/,
    'a straight quote': /"/,
  }
  return Object.entries(wrong).flatMap(([name, pattern]) => (pattern.test(plain) ? [name] : []))
}

it('knows French typography', () => {
  expect(faults('C\'est fini ? Oui: 80 % de "tout"; « voilà »')).toHaveLength(5)
  expect(faults('C’est fini\u202f? Oui\u00a0: «\u00a0{{name}}\u00a0», `a: b`, {"user": "ada"}')).toEqual([])
})

it('keeps to French typography: no line begins with ; ! ? % : or », and apostrophes are curved', () => {
  const wrong = Object.entries(fr).flatMap(([key, text]) => faults(text).map((fault) => `${key}: ${fault}`))
  expect(wrong).toEqual([])
})

it('has no text that nothing shows', () => {
  const isUsed = (key: string) => {
    const plain = key.replace(/_(zero|one|other)$/, '')
    // What is filled in, such as the name of an event, may have dots itself.
    const beginnings = [...plain.matchAll(/\./g)].map(({ index }) => plain.slice(0, index + 1))
    return (
      new RegExp(`['"]${plain.replaceAll('.', '\\.')}['"]`).test(sources) ||
      beginnings.some((beginning) => sources.includes(`\`${beginning}\${`))
    )
  }
  expect(Object.keys(en).filter((key) => !isUsed(key))).toEqual([])
})
