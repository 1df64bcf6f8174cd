import { execFileSync } from 'node:child_process'
import { defaultOf, settings } from '@memory/shared/platform/config'
import { settingsHelp } from '@memory/shared/platform/settings-help'
import { expect, it } from 'vitest'

const root = new URL('../../', import.meta.url)

it('the settings are in --help of the service and of a worker, each with its default', () => {
  for (const app of ['api', 'worker']) {
    const help = execFileSync(process.execPath, [`apps/${app}/src/main.ts`, '--help'], {
      cwd: root,
      encoding: 'utf8',
    })
    for (const [name, setting] of Object.entries(settings)) {
      const fallback = defaultOf(setting)
      expect(help).toContain(`\n  ${name}${fallback === '' ? '' : ` (${fallback})`}\n`)
      expect(help).toContain(setting.description)
    }
  }
  expect(settingsHelp('npm start', 'Starts.')).toMatch(/^Starts\./)
})
