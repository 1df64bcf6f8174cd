import { execFileSync } from 'node:child_process'
import { defaultOf, settings } from '@memory/shared/platform/config'
import { settingsHelp } from '@memory/shared/platform/settings-help'
import { expect, it } from 'vitest'

const root = new URL('../../', import.meta.url)

/** Names of settings that `--help` of a process shows. */
function shownOf(app: 'api' | 'worker'): string[] {
  const help = execFileSync(process.execPath, [`apps/${app}/src/main.ts`, '--help'], {
    cwd: root,
    encoding: 'utf8',
  })
  return Object.entries(settings).flatMap(([name, setting]) => {
    const fallback = defaultOf(setting)
    const line = `\n  ${name}${fallback === '' ? '' : ` (${fallback})`}\n      ${setting.description}\n`
    return help.includes(line) ? [name] : []
  })
}

it('all settings are in --help of the service, each with its default', () => {
  expect(shownOf('api')).toEqual(Object.keys(settings))
  expect(settingsHelp('npm start', 'Starts.')).toMatch(/^Starts\./)
})

it('those that it goes by are in --help of a worker', () => {
  const shown = shownOf('worker')
  expect(shown).toEqual(expect.arrayContaining(['DATABASE_URL', 'REDIS_URL', 'SMTP_URL', 'WORKER_OPS_PORT']))
  for (const ofApi of ['PORT', 'HOST', 'OPS_PORT', 'CORS_ORIGINS', 'MEMORY_POOL_THREADS', 'MEMORY_MIGRATE'])
    expect(shown).not.toContain(ofApi)
})
