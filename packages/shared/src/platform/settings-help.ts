import { defaultOf, settings } from './config.ts'

/**
 * The text of `--help`: what the command does, and every setting with its default.
 * @param names the settings that the command reads; by default all
 */
export function settingsHelp(
  command: string,
  purpose: string,
  names = Object.keys(settings) as readonly (keyof typeof settings)[],
): string {
  const lines = names.map((name) => {
    const setting: Parameters<typeof defaultOf>[0] = settings[name]
    const fallback = defaultOf(setting)
    return `  ${name}${fallback === '' ? '' : ` (${fallback})`}\n      ${setting.description}`
  })
  return `${purpose}\n\n  ${command}\n\nSettings are environment variables, or lines of a file .env in the folder it starts in:\n\n${lines.join('\n')}\n`
}

/** The variables that docker-compose.yml reads in addition to the service's settings, with their defaults. */
export const composeSettings: Record<string, { description: string; fallback: string }> = {
  POSTGRES_PASSWORD: {
    description: 'Password of PostgreSQL, in letters and digits: what openssl rand -hex 24 prints. Needed.',
    fallback: '',
  },
  REDIS_PASSWORD: {
    description: 'Password of Redis, in letters and digits: what openssl rand -hex 24 prints. Needed.',
    fallback: '',
  },
  DOMAIN: {
    description:
      'Name that clients reach the service by. A public one that leads to this machine gets a certificate from a public authority; for localhost the proxy is an authority itself.',
    fallback: 'localhost',
  },
  BIND_ADDRESS: {
    description: 'Address of this machine at which the proxy answers. 0.0.0.0 opens it to others.',
    fallback: '127.0.0.1',
  },
  WORKERS: { description: 'Processes for background work.', fallback: '1' },
  CONTAINER_MEMORY: {
    description:
      'Limit of memory of the API and of each worker. It has to grow with MEMORY_INDEX_BUDGET and MEMORY_CACHE_BUDGET.',
    fallback: '6g',
  },
  COMMIT: {
    description: 'What git rev-parse HEAD prints when the image is built. Metrics show it.',
    fallback: 'unknown',
  },
}

/** Settings that docker-compose.yml sets itself for the containers, overriding `.env`. */
export const setByCompose = [
  ...(['DATABASE_URL', 'REDIS_URL', 'MEMORY_DATA_DIR'] as const),
  ...(['HOST', 'PORT', 'OPS_HOST', 'OPS_PORT', 'WORKER_OPS_PORT'] as const),
] satisfies (keyof typeof settings)[]

const composeHead = `# ---- For docker-compose.yml alone. It needs MASTER_KEY too, and sets these itself, whatever is said of them above:
# ${setByCompose.join(', ')}.
# The others reach the API and the workers. Put a value with a $ in single quotes.
`

/** The contents of `.env.example`: every setting, commented out, with its default. */
export function envExample(): string {
  const blocks = Object.entries(settings).map(
    ([name, setting]) => `# ${setting.description}\n#${name}=${plainDefault(setting)}\n`,
  )
  const ofCompose = Object.entries(composeSettings).map(
    ([name, { description, fallback }]) => `# ${description}\n#${name}=${fallback}\n`,
  )
  return `# Copy to .env and take away the # of what you set. Written by npm run docs:settings.\n\n${[...blocks, composeHead, ...ofCompose].join('\n')}`
}

/** The table of `docs/settings.md`. */
export function settingsTable(): string {
  const rows = Object.entries(settings).map(
    ([name, setting]) => `| \`${name}\` | ${defaultOf(setting)} | ${setting.description} |`,
  )
  return ['| variable | default | meaning |', '|---|---|---|', ...rows].join('\n')
}

/** A default that can be written into the file as it is; empty for one that is computed at start. */
function plainDefault(setting: Parameters<typeof defaultOf>[0]): string {
  return setting.shownDefault === undefined ? defaultOf(setting) : ''
}
