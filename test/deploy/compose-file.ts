import { readFileSync } from 'node:fs'
import { parse } from 'yaml'

export interface ComposeService {
  image: string
  build?: string | { context: string; args: Record<string, string> }
  environment?: Record<string, string>
  env_file?: string
  command?: string[]
  ports?: string[]
  volumes?: string[]
  networks?: string[]
  healthcheck?: { test?: string[] }
  depends_on?: Record<string, { condition: string }>
  deploy?: { replicas: string }
  user?: string
  cap_drop?: string[]
  cap_add?: string[]
  privileged?: boolean
  security_opt?: string[]
  read_only?: boolean
  tmpfs?: string[]
  mem_limit?: string
}

export type ServiceName = 'postgres' | 'redis' | 'api' | 'worker' | 'proxy'

export interface Compose {
  services: Record<ServiceName, ComposeService>
  networks: Record<string, null>
  volumes: Record<string, null>
}

type Variables = Record<string, string>

const path = new URL('../../docker-compose.yml', import.meta.url)
export const composeText = readFileSync(path, 'utf8')
/** The file with its variables as they stand in it. */
export const compose = parse(composeText, { merge: true }) as Compose

/** What `docker compose` makes of a text with variables: defaults (also within each other), and those that are needed. */
export function interpolate(text: string, variables: Variables): string {
  const innermost = /\$\{(\w+):([-?])([^${}]*)\}/
  let rest = text
  for (let found = innermost.exec(rest); found !== null; found = innermost.exec(rest)) {
    const [whole, name = '', kind, otherwise = ''] = found
    const given = variables[name]
    if (!given && kind === '?') throw new Error(`required variable ${name} is missing a value: ${otherwise}`)
    rest = rest.replace(whole, () => given || otherwise)
  }
  return rest.replaceAll('$$', '$')
}

/** The environment that a service's container gets beside its image's, when `.env` holds these variables. */
export function environmentWith(name: ServiceName, variables: Variables): Variables {
  const { environment = {}, env_file } = compose.services[name]
  const set = Object.entries(environment).map(([key, value]) => [key, interpolate(value, variables)])
  return { ...(env_file === '.env' ? variables : {}), ...Object.fromEntries(set) }
}
