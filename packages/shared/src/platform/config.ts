import { isIP } from 'node:net'
import { availableParallelism, totalmem } from 'node:os'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { mailboxOf } from '../catalogue/mailbox.ts'
import { type PlanName, planNames } from '../catalogue/plans.ts'
import { findMisspelt } from './misspelt.ts'

/** What `--help`, `.env.example` and `docs/settings.md` say about one environment variable. */
interface Setting {
  /** Reads the variable's text; an absent or empty variable is `undefined`. */
  schema: z.ZodType
  description: string
  /** How the default reads where it is computed or depends on another setting. */
  shownDefault?: string
}

const whole = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, 'must be a whole number')
    .transform(Number)
    .refine((n) => n >= min && n <= max, `must be between ${min} and ${max}`)

const oneOf = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.enum(values, { error: `must be one of ${values.join(', ')}` })

const urlWith = (...protocols: string[]) =>
  z
    .string()
    .refine(
      (text) => URL.canParse(text) && protocols.includes(new URL(text).protocol),
      `must be a URL that starts with ${protocols.map((p) => `${p}//`).join(' or ')}`,
    )

/** Whether paths can be appended to a URL. Null, for text that is no URL, passes: another check reports that. */
const isBase = (url: URL | null) =>
  url === null || (url.username === '' && url.password === '' && !/[?#]/.test(url.href))

/** Whether the database of a Redis URL is a number. The client would ignore other text, or use the digits it begins with. */
function namesDatabase(text: string): boolean {
  const url = URL.parse(text)
  const named = [url?.pathname.slice(1) || '0', url?.searchParams.get('db') ?? '0']
  return named.every((number) => /^\d{1,9}$/.test(number))
}

const commaList = (isValid: (part: string) => boolean, what: string) =>
  z
    .string()
    .transform((text) =>
      text
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== ''),
    )
    .refine((parts) => parts.every(isValid), `must be ${what}, separated by commas`)

function isAddressOrRange(part: string): boolean {
  const [address = '', bits, ...more] = part.split('/')
  const version = isIP(address)
  if (bits === undefined) return version !== 0 || ['loopback', 'linklocal', 'uniquelocal'].includes(part)
  return (
    version !== 0 && more.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128)
  )
}

/** `/0` is every address: trusting them all would let each client choose its own IP address. */
const isEveryAddress = (part: string) => /\/0+$/.test(part)

const isRange = (part: string) => /^[\d.a-f:]+\/\d+$/i.test(part) && isAddressOrRange(part)

const isHost = (text: string) => isIP(text) !== 0 || /^[\w.-]+$/.test(text)

const isEmail = (part: string) => /^[^@\s]+@[^@\s]+$/.test(part)

/** The memory that the process may use, in MB: the machine's, or the limit of its container. */
function memoryMb(): number {
  return Math.min(totalmem(), process.constrainedMemory() || Infinity) / 2 ** 20
}

/**
 * The default of MEMORY_CACHE_BUDGET for a machine with so much memory; both in MB. A cached payload with a value of 384
 * numbers takes 4.5 KB, so the payloads' half of 64 MB held 7,000 of them. With more in use, an answer of ten payloads has
 * to read from the database (1.2 ms instead of 0.6).
 */
export function cacheBudgetMb(memory: number): number {
  return Math.round(Math.min(1_024, Math.max(64, memory / 32)))
}

/** Whether a text is a secret as Standard Webhooks writes it: `whsec_` and 24 to 64 bytes in base64. */
function isWebhookSecret(part: string): boolean {
  const [, base64] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(part) ?? []
  if (base64 === undefined || base64.length % 4 !== 0) return false
  const { length } = Buffer.from(base64, 'base64')
  return length >= 24 && length <= 64
}

const isOrigin = (part: string) => URL.canParse(part) && new URL(part).origin === part

/** Variables by which the CLI finds a running service. They are no settings of the service itself. */
export const clientVariables = ['MEMORY_SERVICE_URL', 'MEMORY_SERVICE_API_KEY'] as const

/** Every environment variable the service reads: the one place that names them. */
export const settings = {
  PORT: {
    schema: whole(0, 65_535).default(8000),
    description: 'Port of the API. 0 takes a free one.',
  },
  OPS_PORT: {
    schema: whole(0, 65_535).default(8001),
    description: "Port of the operators' listener (metrics, keys) at OPS_HOST. 0 turns it off.",
  },
  WORKER_OPS_PORT: {
    schema: whole(0, 65_535).default(8002),
    description:
      "Port of the operators' listener of a worker process at OPS_HOST. Where it is taken the worker does without. 0 turns it off.",
  },
  OPS_HOST: {
    schema: z.string().default('127.0.0.1'),
    description:
      "Address of the operators' listeners. One that is not loopback opens health and metrics to whoever reaches it, by its IP address or a name without a dot; the rest stays this machine's.",
  },
  HOST: {
    schema: z.string().refine(isHost, 'must be an IP address or a name, without a port').default('127.0.0.1'),
    description:
      'Address the API listens on. One that is not loopback needs TRUSTED_PROXIES (a proxy that ends TLS) or MEMORY_ALLOW_PLAINTEXT=yes.',
  },
  PUBLIC_BASE_URL: {
    schema: urlWith('http:', 'https:')
      .refine(
        (text) => isBase(URL.parse(text)),
        'must have no user name, query or fragment, because links are made by appending to it',
      )
      // Nothing else is normalized: earlier tokens and receipts contain the URL exactly as it was written.
      .transform((text) =>
        text
          .trim()
          .replace(/^https?:/i, (scheme) => scheme.toLowerCase())
          .replace(/\/+$/, ''),
      )
      .optional(),
    description: 'Address that clients use; links are built from it.',
    shownDefault: 'http://HOST:PORT',
  },
  TRUSTED_PROXIES: {
    schema: commaList(isAddressOrRange, 'IP addresses or ranges such as 10.0.0.0/8')
      .refine((parts) => !parts.some(isEveryAddress), 'must name the proxies, not every address (/0)')
      .default([]),
    description:
      'Addresses or ranges (comma-separated) of the proxies whose X-Forwarded-For and X-Forwarded-Proto are believed.',
  },
  MEMORY_ALLOW_PLAINTEXT: {
    schema: oneOf(['yes', 'no']).default('no'),
    description:
      'yes: listen on a public address without TLS in front. Keys and memories then cross the network readable.',
  },
  CORS_ORIGINS: {
    schema: commaList(isOrigin, 'origins such as https://app.example.com').default([]),
    description: 'Origins (comma-separated, exact) whose browser pages may call the API.',
  },
  MEMORY_DATA_DIR: {
    schema: z.string().default('./data'),
    description: 'Folder of the embedded database, the first API key and other local files.',
  },
  MEMORY_BACKUP_DIR: {
    schema: z.string().default('./backups'),
    description: 'Folder that `npm run backup` puts backups into, and in which platform admins see them.',
  },
  DRAIN_SECONDS: {
    schema: whole(0, 10).optional(),
    description:
      'After SIGTERM requests are still answered for so long while readiness says 503, so that load balancers turn to other processes.',
    shownDefault: '3 with DATABASE_URL, else 0',
  },
  DATABASE_URL: {
    schema: urlWith('postgres:', 'postgresql:').optional(),
    description:
      'PostgreSQL 16 to 18 with pgvector. Without it the service uses an embedded database in MEMORY_DATA_DIR.',
    shownDefault: 'embedded database',
  },
  DATABASE_POOL_SIZE: {
    schema: whole(1, 200).default(10),
    description:
      'PostgreSQL connections of this process for its work. A worker takes two more to listen on, an API process one from its first notification stream on; without REDIS_URL the job queue takes up to five more.',
  },
  REDIS_URL: {
    schema: urlWith('redis:', 'rediss:')
      .refine(namesDatabase, 'must end with the port or with a database number such as /1')
      .optional(),
    description:
      'Redis 6.2 or later for the job queue: one, or one database number (redis://…/1), for each installation, since two that share one take each other’s background jobs. Without it jobs are kept in the database.',
    shownDefault: 'none',
  },
  MEMORY_MIGRATE: {
    schema: oneOf(['auto', 'off']).default('auto'),
    description: 'off: do not migrate the database at start; `npm run migrate` does it.',
  },
  MASTER_KEY: {
    schema: z
      .string()
      .transform((text) => text.split(',').map((part) => part.trim()))
      .refine(
        (keys) => keys.every((key) => /^[A-Za-z0-9+/]{43}=$/.test(key)),
        'must be 32 bytes in base64 (openssl rand -base64 32); to change it, the new key, a comma and the old one',
      )
      .optional(),
    description:
      'Key under which secrets are sealed: 32 bytes in base64. To change it: the new key, a comma and the old one. Needed with DATABASE_URL.',
    shownDefault: 'made at first start and kept in MEMORY_DATA_DIR/master-key',
  },
  MEMORY_ENCODER_DIR: {
    schema: z.string().default(fileURLToPath(new URL('../../../../models', import.meta.url))),
    description: "Folder with the encoder's model.onnx, tokenizer.json and tokenizer_config.json.",
    shownDefault: './models',
  },
  MEMORY_POOL_THREADS: {
    schema: whole(1, 64).default(Math.min(8, availableParallelism())),
    description: 'Threads that encode and search.',
    shownDefault: 'processor cores, at most 8',
  },
  MEMORY_INDEX_BUDGET: {
    schema: whole(16, 1_000_000).default(2_048),
    description:
      'Memory for the vectors of the spaces in use, in MB; recall may take half as much again for words and passages.',
  },
  MEMORY_CACHE_BUDGET: {
    schema: whole(1, 1_000_000).default(cacheBudgetMb(memoryMb())),
    description: 'Memory for the embedding cache and the payload cache, half each, in MB.',
    shownDefault: 'a 32nd of the memory there is, 64 to 1,024',
  },
  MEMORY_BOOTSTRAP: {
    schema: oneOf(['on', 'off']).optional(),
    description:
      'on: the first start creates a local organization with an API key and keeps the key in MEMORY_DATA_DIR/local-api-key.',
    shownDefault: 'on with the embedded database, off with DATABASE_URL',
  },
  MEMORY_MCP: {
    schema: oneOf(['on', 'off']).default('on'),
    description: 'off: no MCP server at `/mcp`, and no `/oauth` for its clients.',
  },
  MEMORY_MCP_CLIENT_DOCUMENTS: {
    schema: oneOf(['on', 'off']).default('off'),
    description:
      'on: a program that asks users to let it in by MCP may name a document at an https address as its id, which the service then reads there.',
  },
  MEMORY_DEFAULT_PLAN: {
    schema: oneOf(planNames).default('free'),
    description: 'Plan of organizations that are created without naming one.',
  },
  MEMORY_PLATFORM_ADMINS: {
    schema: commaList(isEmail, 'email addresses')
      .transform((emails) => emails.map(mailboxOf))
      .default([]),
    description:
      'Email addresses (comma-separated) of the users who run the service. They are platform admins once their address is verified.',
  },
  MEMORY_REGISTRATIONS_PER_HOUR: {
    schema: whole(1, 1_000_000).default(100),
    description:
      'Registrations that one address may attempt in an hour. The machine itself may attempt any number: a proxy that TRUSTED_PROXIES does not name stands for everybody.',
  },
  MEMORY_AUDIT_RETENTION_DAYS: {
    schema: whole(30, 3_650).default(365),
    description: 'Days for which entries of the audit log are kept.',
  },
  MEMORY_VERSIONS_KEPT: {
    schema: whole(0, 1_000).default(20),
    description:
      'Versions of a pattern that are kept when another takes their place, each for a year at most.',
  },
  MEMORY_LOGIN_FAILURES: {
    schema: z
      .string()
      .regex(/^[1-9]\d{0,5},[1-9]\d{0,5},[1-9]\d{0,5}$/, 'must be three whole numbers such as 10,50,100')
      .transform((text) => {
        const [pair = 0, address = 0, email = 0] = text.split(',').map(Number)
        return { pair, address, email }
      })
      .default({ pair: 10, address: 50, email: 100 }),
    description:
      'Failed logins allowed in 15 minutes: of one email from one address, from one address, of one email from anywhere.',
    shownDefault: '10,50,100',
  },
  PASSWORD_BLOCKLIST: {
    schema: oneOf(['on', 'off']).optional(),
    description: 'on: refuse passwords that are widely used.',
    shownDefault: 'on when PUBLIC_BASE_URL starts with https://, else off',
  },
  ARGON2_CONCURRENCY: {
    schema: whole(1, 256).default(availableParallelism()),
    description: 'Passwords that are hashed at once. Each takes a core and 19 MiB; others wait.',
    shownDefault: 'processor cores',
  },
  SMTP_URL: {
    schema: urlWith('smtp:', 'smtps:').optional(),
    description:
      'Server that mails are sent through: smtp://USER:PASSWORD@HOST:587, or smtps:// for TLS from the start.',
    shownDefault: 'each mail is a file in MEMORY_DATA_DIR/outbox',
  },
  MAIL_FROM: {
    schema: z
      .string()
      .regex(
        /^([^<>@\p{Cc}]+ <[^\s<>@,]+@[^\s<>@,]+>|[^\s<>@,]+@[^\s<>@,]+)$/u,
        'must be an email address, or a name and an address such as Memory <memory@example.com>',
      )
      .optional(),
    description: 'Sender of mails. Needed with SMTP_URL.',
    shownDefault: 'Memory Service <memory@localhost>',
  },
  MEMORY_BILLING_SECRET: {
    schema: z.string().refine(isWebhookSecret, 'must be whsec_ and 24 to 64 bytes in base64').optional(),
    description:
      'Secret (whsec_…) that the payment provider signs with. Without it POST /v1/billing/webhook is a 404.',
    shownDefault: 'none',
  },
  WEBHOOK_ALLOW_CIDRS: {
    schema: commaList(isRange, 'ranges such as 10.0.0.0/8').default([]),
    description:
      'Ranges (comma-separated) within your own network that webhooks may lead to, by plain http too. Others must be public and https.',
    shownDefault: 'none',
  },
  ACCEL: {
    schema: oneOf(['auto', 'native', 'js']).default('auto'),
    description:
      'Kernels of the search: native where they were built (a Rust toolchain at installation), else JavaScript. native: fail without them.',
  },
  LOG_LEVEL: {
    schema: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
    description: 'Least severity that is logged. Logs are JSON lines on standard output.',
  },
} as const satisfies Record<string, Setting>

type Settings = typeof settings
type Environment = { [Name in keyof Settings]: z.output<Settings[Name]['schema']> }

/** The settings by subject, as the rest of the code reads them. */
export interface Config {
  /** Names of variables that look like settings and are none. */
  unknown: string[]
  http: {
    host: string
    port: number
    /** The address of the two operators' listeners below. */
    opsHost: string
    /** The operators' listener of the API process. Undefined: no listener. */
    opsPort: number | undefined
    /** The operators' listener of a worker process. Undefined: no listener. */
    workerOpsPort: number | undefined
    publicBaseUrl: string | undefined
    trustedProxies: string[]
    corsOrigins: string[]
    /** Whether there is an MCP server. */
    mcp: boolean
    /** Whether an OAuth client may name a document at an https URL as its id, which the service then fetches. */
    clientDocuments: boolean
    /** How long requests are still accepted after SIGTERM. */
    drainMs: number
  }
  /** Issuer of access tokens. */
  issuer: string
  dataDir: string
  /** Default folder of backups. */
  backupDir: string
  /** In base64; the first one seals, all of them open. Undefined: the key is kept in the data directory. */
  masterKeys: string[] | undefined
  database: { url: string | undefined; poolSize: number; migrate: boolean }
  /** Undefined: the job queue is in the database. */
  redisUrl: string | undefined
  encoderDir: string
  poolThreads: number
  indexBudgetBytes: number
  cacheBudgetBytes: number
  bootstrap: boolean
  defaultPlan: PlanName
  /** In lower case. */
  platformAdmins: string[]
  /** Registrations that one address may attempt in an hour. */
  registrationsPerHour: number
  auditRetentionDays: number
  /** Earlier versions kept of each pattern. */
  versionsKept: number
  /** Failed logins allowed in 15 minutes: of one email from one address, from one address, of one email from anywhere. */
  loginLimits: { pair: number; address: number; email: number }
  passwords: { concurrency: number; blocklist: boolean }
  /** Whether platform admins must have verified their email address. */
  verifiedAdminsOnly: boolean
  mail: {
    /** Undefined: mails become files in the data directory. */
    smtpUrl: string | undefined
    from: string
  }
  /** `whsec_…`; undefined: no payment provider. */
  billingSecret: string | undefined
  /** Address ranges of the own network to which webhooks may be sent, besides public addresses. */
  webhookAllowCidrs: string[]
  /** The kernels read this variable themselves when they are loaded; here it is only validated and listed. */
  accel: 'auto' | 'native' | 'js'
  logLevel: string
}

/** A setting that the service can't start with; the message is one sentence for the operator. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

/** @throws ConfigError for a variable that is almost a setting, or almost one of the commands' own */
export function refuseMisspelt(variables: Record<string, string | undefined>): void {
  const found = findMisspelt(variables, [...Object.keys(settings), ...clientVariables])
  if (found === undefined) return
  const { name, meant } = found
  throw new ConfigError(
    `${name} is no setting, but almost ${meant}: rename it, or set ${meant} too where ${name} is for another program.`,
  )
}

/** What is set, looks like a setting, and is none. */
const unknownIn = (variables: Record<string, string | undefined>): string[] =>
  Object.keys(variables).filter(
    (each) =>
      each.startsWith('MEMORY_') && !(each in settings) && !clientVariables.some((name) => name === each),
  )

/**
 * Reads and checks the settings.
 * @throws ConfigError naming the variable and what it must be.
 */
export function readConfig(variables: Record<string, string | undefined>): Config {
  refuseMisspelt(variables)
  const env = readEnvironment(variables)
  requireSafeAddress(env)
  requireMasterKey(env)
  requireSender(env)
  return {
    unknown: unknownIn(variables),
    http: {
      host: env.HOST,
      port: env.PORT,
      opsHost: env.OPS_HOST,
      opsPort: env.OPS_PORT === 0 ? undefined : env.OPS_PORT,
      workerOpsPort: env.WORKER_OPS_PORT === 0 ? undefined : env.WORKER_OPS_PORT,
      publicBaseUrl: env.PUBLIC_BASE_URL,
      trustedProxies: env.TRUSTED_PROXIES,
      corsOrigins: env.CORS_ORIGINS,
      mcp: env.MEMORY_MCP === 'on',
      clientDocuments: env.MEMORY_MCP_CLIENT_DOCUMENTS === 'on',
      // With the embedded database there is no other process to turn to, so waiting would be useless.
      drainMs: 1_000 * (env.DRAIN_SECONDS ?? (env.DATABASE_URL === undefined ? 0 : 3)),
    },
    issuer: env.PUBLIC_BASE_URL ?? 'memory-service',
    dataDir: env.MEMORY_DATA_DIR,
    backupDir: env.MEMORY_BACKUP_DIR,
    masterKeys: env.MASTER_KEY,
    database: {
      url: env.DATABASE_URL,
      poolSize: env.DATABASE_POOL_SIZE,
      migrate: env.MEMORY_MIGRATE === 'auto',
    },
    redisUrl: env.REDIS_URL,
    encoderDir: env.MEMORY_ENCODER_DIR,
    poolThreads: env.MEMORY_POOL_THREADS,
    indexBudgetBytes: env.MEMORY_INDEX_BUDGET * 1024 * 1024,
    cacheBudgetBytes: env.MEMORY_CACHE_BUDGET * 1024 * 1024,
    bootstrap: (env.MEMORY_BOOTSTRAP ?? (env.DATABASE_URL === undefined ? 'on' : 'off')) === 'on',
    defaultPlan: env.MEMORY_DEFAULT_PLAN,
    platformAdmins: env.MEMORY_PLATFORM_ADMINS,
    registrationsPerHour: env.MEMORY_REGISTRATIONS_PER_HOUR,
    auditRetentionDays: env.MEMORY_AUDIT_RETENTION_DAYS,
    versionsKept: env.MEMORY_VERSIONS_KEPT,
    loginLimits: env.MEMORY_LOGIN_FAILURES,
    passwords: {
      concurrency: env.ARGON2_CONCURRENCY,
      blocklist: (env.PASSWORD_BLOCKLIST ?? (isPublic(env) ? 'on' : 'off')) === 'on',
    },
    verifiedAdminsOnly: isPublic(env),
    mail: { smtpUrl: env.SMTP_URL, from: env.MAIL_FROM ?? 'Memory Service <memory@localhost>' },
    billingSecret: env.MEMORY_BILLING_SECRET,
    webhookAllowCidrs: env.WEBHOOK_ALLOW_CIDRS,
    accel: env.ACCEL,
    logLevel: env.LOG_LEVEL,
  }
}

/** Whether clients come over TLS, which tells a public service from one that somebody tries on their own machine. */
const isPublic = (env: Environment) => env.PUBLIC_BASE_URL?.startsWith('https:') ?? false

function readEnvironment(variables: Record<string, string | undefined>): Environment {
  const values: Record<string, unknown> = {}
  for (const [name, setting] of Object.entries(settings)) {
    const given = variables[name]
    const parsed = setting.schema.safeParse(given === '' ? undefined : given)
    if (!parsed.success)
      throw new ConfigError(`${name} ${parsed.error.issues[0]?.message ?? 'is not valid'}.`)
    values[name] = parsed.data
  }
  return values as Environment
}

/** With DATABASE_URL no key is made in the data directory: that may be lost with its container, and the key with it. */
function requireMasterKey(env: Environment): void {
  if (env.DATABASE_URL === undefined || env.MASTER_KEY !== undefined) return
  throw new ConfigError(
    'MASTER_KEY is needed with DATABASE_URL: set it to 32 random bytes in base64 (openssl rand -base64 32) and keep it, because the database’s secrets open with it alone.',
  )
}

/** Mail servers refuse mail from a sender that does not exist, such as the default one. */
function requireSender(env: Environment): void {
  if (env.SMTP_URL === undefined || env.MAIL_FROM !== undefined) return
  throw new ConfigError('MAIL_FROM is needed with SMTP_URL: set it to the address that mails come from.')
}

const loopback = new Set(['127.0.0.1', '::1', 'localhost'])

/** Whether a service listening on this HOST can be reached from this machine only. */
export const isLoopbackHost = (host: string): boolean => loopback.has(host)

/** Whether one person runs the service for themselves, on their own machine: its start prints a link that signs them in. */
export const isLocalStart = ({ bootstrap, database, http }: Config): boolean =>
  bootstrap && database.url === undefined && isLoopbackHost(http.host)

function requireSafeAddress(env: Environment): void {
  if (isLoopbackHost(env.HOST) || env.TRUSTED_PROXIES.length > 0 || env.MEMORY_ALLOW_PLAINTEXT === 'yes')
    return
  // Only listening on another address would show whether this machine has it, and in which network.
  const verb = env.HOST === '0.0.0.0' || env.HOST === '::' ? 'is' : 'may be'
  throw new ConfigError(
    `HOST ${env.HOST} ${verb} reachable from other machines and nothing says that TLS is in front: set TRUSTED_PROXIES to the proxy's address, or MEMORY_ALLOW_PLAINTEXT=yes to accept plain HTTP.`,
  )
}

/** The configured database, described for a person: without the password that DATABASE_URL may contain. */
export function databaseOf({ database: { url }, dataDir }: Config): string {
  if (url === undefined) return `embedded, ${resolve(dataDir, 'database')}`
  const { host, pathname, searchParams } = new URL(url)
  // A Unix socket's folder is given as the query parameter `host`.
  const server = host || searchParams.get('host') || 'localhost'
  return `PostgreSQL at ${server}${decodeURIComponent(pathname)} (DATABASE_URL)`
}

/** The base URL of links, without a trailing slash. Made from settings only: a request's Host header could be forged. */
export function linkBaseOf({ http }: Config): string {
  if (http.publicBaseUrl !== undefined) return http.publicBaseUrl
  const isEvery = http.host === '0.0.0.0' || http.host === '::'
  const host = isEvery ? '127.0.0.1' : isIP(http.host) === 6 ? `[${http.host}]` : http.host
  return `http://${host}:${http.port}`
}

/** A setting's default as the help, `.env.example` and `docs/settings.md` show it; empty for none. */
export function defaultOf(setting: Setting): string {
  if (setting.shownDefault !== undefined) return setting.shownDefault
  const value = setting.schema.safeParse(undefined).data
  return value === undefined || (Array.isArray(value) && value.length === 0) ? '' : String(value)
}
