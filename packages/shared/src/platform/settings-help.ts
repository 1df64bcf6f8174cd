import { defaultOf, settings } from './config.ts'

/** The text of `--help`: what the command does, and every setting with its default. */
export function settingsHelp(command: string, purpose: string): string {
  const lines = Object.entries(settings).map(([name, setting]) => {
    const fallback = defaultOf(setting)
    return `  ${name}${fallback === '' ? '' : ` (${fallback})`}\n      ${setting.description}`
  })
  return `${purpose}\n\n  ${command}\n\nSettings are environment variables, or lines of a file .env in the folder it starts in:\n\n${lines.join('\n')}\n`
}

/** They are no settings of the service. */
const composePasswords = `# docker-compose.yml needs two lines more, for the passwords that it gives PostgreSQL and Redis, in letters and digits:
# POSTGRES_PASSWORD and REDIS_PASSWORD, each = what openssl rand -hex 24 prints.
`

/** The contents of `.env.example`: every setting, commented out, with its default. */
export function envExample(): string {
  const blocks = Object.entries(settings).map(
    ([name, setting]) => `# ${setting.description}\n#${name}=${plainDefault(setting)}\n`,
  )
  return `# Copy to .env and take away the # of what you set. Written by npm run docs:settings.\n\n${[...blocks, composePasswords].join('\n')}`
}

/** The table of `docs/settings.md`. */
export function settingsTable(): string {
  const rows = Object.entries(settings).map(
    ([name, setting]) => `| \`${name}\` | ${defaultOf(setting)} | ${setting.description} |`,
  )
  return ['| variable | default | meaning |', '|---|---|---|', ...rows].join('\n')
}

/** A default that can stand in the file as it is; nothing for one that is worked out at start. */
function plainDefault(setting: Parameters<typeof defaultOf>[0]): string {
  return setting.shownDefault === undefined ? defaultOf(setting) : ''
}
