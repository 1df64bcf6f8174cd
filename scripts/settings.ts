import { readFileSync, writeFileSync } from 'node:fs'
import { envExample, settingsTable } from '../packages/shared/src/platform/settings-help.ts'

/** Writes `.env.example` and the README's table from the settings. `npm test` fails when they differ. */
export function renderReadme(readme: string): string {
  const [start, end] = ['<!-- settings -->', '<!-- /settings -->']
  const from = readme.indexOf(start)
  const to = readme.indexOf(end)
  if (from === -1 || to === -1) throw new Error('README.md lacks the marks around its table of settings.')
  return `${readme.slice(0, from + start.length)}\n${settingsTable()}\n${readme.slice(to)}`
}

if (import.meta.main) {
  const root = new URL('../', import.meta.url)
  writeFileSync(new URL('.env.example', root), envExample())
  const readme = new URL('README.md', root)
  writeFileSync(readme, renderReadme(readFileSync(readme, 'utf8')))
}
