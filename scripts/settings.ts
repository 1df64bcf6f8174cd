import { readFileSync, writeFileSync } from 'node:fs'
import { envExample, settingsTable } from '../packages/shared/src/platform/settings-help.ts'
import { fillMarks } from './marks.ts'

/** `docs/settings.md` with the table of settings as they are. `npm test` fails when it is another. */
export function renderSettings(page: string): string {
  return fillMarks(page, 'settings', settingsTable())
}

if (import.meta.main) {
  const root = new URL('../', import.meta.url)
  writeFileSync(new URL('.env.example', root), envExample())
  const page = new URL('docs/settings.md', root)
  writeFileSync(page, renderSettings(readFileSync(page, 'utf8')))
}
