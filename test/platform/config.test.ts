import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import {
  type Config,
  ConfigError,
  cacheBudgetMb,
  clientVariables,
  readConfig,
  settings,
} from '@memory/shared/platform/config'
import { findMisspelt } from '@memory/shared/platform/misspelt'
import { composeSettings, envExample } from '@memory/shared/platform/settings-help'
import { requireSurroundings } from '@memory/shared/platform/surroundings'
import { describe, expect, it } from 'vitest'
import { renderSettings } from '../../scripts/settings.ts'

const root = new URL('../../', import.meta.url)
const names = Object.keys(settings) as (keyof typeof settings)[]

/** A setting that no part of the configuration shows by itself. */
const checkedOnly = { shows: () => 'accepted', as: 'accepted', fallback: 'accepted' }

const masterKey = Buffer.alloc(32, 1).toString('base64')

/** For each setting: a value that is accepted, what it needs beside it, where it shows, and values that are not. */
const examples: Record<
  keyof typeof settings,
  {
    given: string
    beside?: Record<string, string>
    shows: (config: Config) => unknown
    as: unknown
    fallback: unknown
    bad: string[]
  }
> = {
  PORT: {
    given: '0',
    shows: (c) => c.http.port,
    as: 0,
    fallback: 8000,
    bad: ['65536', '-1', '80.5', 'http', ' 80', '0x50', '1e3'],
  },
  OPS_PORT: {
    given: '0',
    shows: (c) => c.http.opsPort,
    as: undefined,
    fallback: 8001,
    bad: ['65536', '-1', 'off'],
  },
  WORKER_OPS_PORT: {
    given: '0',
    shows: (c) => c.http.workerOpsPort,
    as: undefined,
    fallback: 8002,
    bad: ['65536', '-1', 'off'],
  },
  OPS_HOST: { given: '0.0.0.0', shows: (c) => c.http.opsHost, as: '0.0.0.0', fallback: '127.0.0.1', bad: [] },
  DRAIN_SECONDS: {
    given: '7',
    shows: (c) => c.http.drainMs,
    as: 7_000,
    fallback: 0,
    bad: ['11', '-1', '1.5', 'off'],
  },
  HOST: {
    given: '::1',
    shows: (c) => c.http.host,
    as: '::1',
    fallback: '127.0.0.1',
    bad: ['127.0.0.1:80', '[::1]', 'http://here'],
  },
  PUBLIC_BASE_URL: {
    given: 'https://memory.example.com/',
    shows: (c) => c.http.publicBaseUrl,
    as: 'https://memory.example.com',
    fallback: undefined,
    bad: [
      ...['memory.example.com', 'ftp://example.com', 'javascript:alert(1)'],
      ...['https://a.example/?b=c', 'https://a.example/?', 'https://a.example/#b', 'https://b:c@a.example'],
    ],
  },
  TRUSTED_PROXIES: {
    given: '10.0.0.1, 10.1.0.0/16,',
    shows: (c) => c.http.trustedProxies,
    as: ['10.0.0.1', '10.1.0.0/16'],
    fallback: [],
    bad: [
      'the proxy',
      '10.0.0.0/33',
      '10.0.0.0/',
      '::1/129',
      '10.0.0.1;10.0.0.2',
      '10.0.0.0/8/8',
      '0.0.0.0/0',
      '10.0.0.1,::/00',
    ],
  },
  MEMORY_ALLOW_PLAINTEXT: { ...checkedOnly, given: 'yes', bad: ['true', '1'] },
  CORS_ORIGINS: {
    given: 'https://a.example,https://b.example',
    shows: (c) => c.http.corsOrigins,
    as: ['https://a.example', 'https://b.example'],
    fallback: [],
    bad: ['https://a.example/', '*', 'a.example', 'https://a.example,b.example'],
  },
  MEMORY_MCP: { given: 'off', shows: (c) => c.http.mcp, as: false, fallback: true, bad: ['no', 'false'] },
  MEMORY_MCP_CLIENT_DOCUMENTS: {
    given: 'on',
    shows: (c) => c.http.clientDocuments,
    as: true,
    fallback: false,
    bad: ['yes', 'true'],
  },
  MEMORY_DATA_DIR: {
    given: '/srv/memory',
    shows: (c) => c.dataDir,
    as: '/srv/memory',
    fallback: './data',
    bad: [],
  },
  MEMORY_BACKUP_DIR: {
    given: '/srv/backups',
    shows: (c) => c.backupDir,
    as: '/srv/backups',
    fallback: './backups',
    bad: [],
  },
  DATABASE_URL: {
    given: 'postgres://memory@db/memory',
    beside: { MASTER_KEY: masterKey },
    shows: (c) => c.database.url,
    as: 'postgres://memory@db/memory',
    fallback: undefined,
    bad: ['mysql://db/memory', 'db:5432'],
  },
  DATABASE_POOL_SIZE: {
    given: '200',
    shows: (c) => c.database.poolSize,
    as: 200,
    fallback: 10,
    bad: ['0', '201', 'many'],
  },
  REDIS_URL: {
    ...checkedOnly,
    given: 'rediss://cache:6379/1',
    bad: [
      'cache:6379',
      'http://cache',
      'redis://cache/abc',
      'redis://cache/1/2',
      'redis://cache/1x',
      'redis://cache?db=a',
    ],
  },
  MEMORY_MIGRATE: {
    given: 'off',
    shows: (c) => c.database.migrate,
    as: false,
    fallback: true,
    bad: ['on', 'no'],
  },
  MASTER_KEY: {
    given: `${Buffer.alloc(32, 2).toString('base64')}, ${masterKey}`,
    shows: (c) => c.masterKeys,
    as: [Buffer.alloc(32, 2).toString('base64'), masterKey],
    fallback: undefined,
    bad: [
      Buffer.alloc(31).toString('base64'),
      Buffer.alloc(33).toString('base64'),
      `${masterKey},`,
      `${masterKey},${masterKey.slice(1)}`,
      masterKey.replace('A', '!'),
      'a'.repeat(64),
    ],
  },
  MEMORY_ENCODER_DIR: {
    given: '/srv/models',
    shows: (c) => c.encoderDir,
    as: '/srv/models',
    fallback: fileURLToPath(new URL('models', root)),
    bad: [],
  },
  MEMORY_POOL_THREADS: {
    given: '64',
    shows: (c) => c.poolThreads,
    as: 64,
    fallback: expect.toSatisfy((threads: number) => threads >= 1 && threads <= 8),
    bad: ['0', '65', 'auto'],
  },
  MEMORY_INDEX_BUDGET: {
    given: '16',
    shows: (c) => c.indexBudgetBytes,
    as: 16 * 2 ** 20,
    fallback: 2_048 * 2 ** 20,
    bad: ['15', '1000001', '2GB'],
  },
  MEMORY_CACHE_BUDGET: {
    given: '1',
    shows: (c) => c.cacheBudgetBytes,
    as: 2 ** 20,
    fallback: expect.toSatisfy((bytes: number) => bytes >= 64 * 2 ** 20 && bytes <= 1_024 * 2 ** 20),
    bad: ['0', '64 MB'],
  },
  MEMORY_BOOTSTRAP: {
    given: 'off',
    shows: (c) => c.bootstrap,
    as: false,
    fallback: true,
    bad: ['yes', 'ON'],
  },
  MEMORY_DEFAULT_PLAN: {
    given: 'pro',
    shows: (c) => c.defaultPlan,
    as: 'pro',
    fallback: 'free',
    bad: ['gold', 'Free'],
  },
  MEMORY_PLATFORM_ADMINS: {
    given: 'Root@example.com, ops@example.com',
    shows: (c) => c.platformAdmins,
    as: ['root@example.com', 'ops@example.com'],
    fallback: [],
    bad: ['root', 'root@example.com;ops@example.com'],
  },
  MEMORY_LOGIN_FAILURES: {
    given: '5,20,30',
    shows: (c) => c.loginLimits,
    as: { pair: 5, address: 20, email: 30 },
    fallback: { pair: 10, address: 50, email: 100 },
    bad: ['10', '10,50', '0,50,100', '10,50,100,200', '10, 50, 100', 'off'],
  },
  MEMORY_AUDIT_RETENTION_DAYS: {
    given: '30',
    shows: (c) => c.auditRetentionDays,
    as: 30,
    fallback: 365,
    bad: ['29', '3651', '0', 'forever'],
  },
  MEMORY_VERSIONS_KEPT: {
    given: '0',
    shows: (c) => c.versionsKept,
    as: 0,
    fallback: 20,
    bad: ['-1', '1001', 'all'],
  },
  MEMORY_REGISTRATIONS_PER_HOUR: {
    given: '1',
    shows: (c) => c.registrationsPerHour,
    as: 1,
    fallback: 100,
    bad: ['0', '1000001', 'none'],
  },
  PASSWORD_BLOCKLIST: {
    given: 'on',
    shows: (c) => c.passwords.blocklist,
    as: true,
    fallback: false,
    bad: ['yes', 'ON'],
  },
  ARGON2_CONCURRENCY: {
    given: '3',
    shows: (c) => c.passwords.concurrency,
    as: 3,
    fallback: availableParallelism(),
    bad: ['0', '257', 'all'],
  },
  SMTP_URL: {
    given: 'smtps://memory:secret@mail.example.com',
    beside: { MAIL_FROM: 'memory@example.com' },
    shows: (c) => c.mail.smtpUrl,
    as: 'smtps://memory:secret@mail.example.com',
    fallback: undefined,
    bad: ['mail.example.com:25', 'https://mail.example.com'],
  },
  MAIL_FROM: {
    given: 'The Memory <memory@example.com>',
    shows: (c) => c.mail.from,
    as: 'The Memory <memory@example.com>',
    fallback: 'Memory Service <memory@localhost>',
    bad: ['memory', 'a@example.com, b@example.com', 'Memory\r\nBcc: x <a@example.com>', '<a@example.com>'],
  },
  MEMORY_BILLING_SECRET: {
    given: `whsec_${masterKey}`,
    shows: (c) => c.billingSecret,
    as: `whsec_${masterKey}`,
    fallback: undefined,
    bad: [masterKey, 'whsec_', 'whsec_c2hvcnQ=', `whsec_${masterKey} `, `whsec_${masterKey.slice(0, -1)}`],
  },
  WEBHOOK_ALLOW_CIDRS: {
    given: '10.0.0.0/8, fd00::/8,',
    shows: (c) => c.webhookAllowCidrs,
    as: ['10.0.0.0/8', 'fd00::/8'],
    fallback: [],
    bad: ['10.0.0.1', 'loopback', '10.0.0.0/33', '::1/129', 'example.com/8', '::ffff:10.0.0.1/x'],
  },
  ACCEL: { given: 'js', shows: (c) => c.accel, as: 'js', fallback: 'auto', bad: ['rust', 'JS'] },
  LOG_LEVEL: {
    given: 'debug',
    shows: (c) => c.logLevel,
    as: 'debug',
    fallback: 'info',
    bad: ['verbose', '30'],
  },
}

function refusal(variables: Record<string, string>): string {
  try {
    readConfig(variables)
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError)
    return (error as ConfigError).message
  }
  throw new Error(`Accepted: ${JSON.stringify(variables)}`)
}

describe.each(names)('%s', (name) => {
  const { given, beside = {}, shows, as, fallback, bad } = examples[name]

  it('is read, and has its default when absent or empty', () => {
    expect(shows(readConfig({ ...beside, [name]: given }))).toEqual(as)
    expect(shows(readConfig({}))).toEqual(fallback)
    expect(shows(readConfig({ [name]: '' }))).toEqual(fallback)
  })

  it.each(bad)('refuses %j with one sentence that names it', (value) => {
    const message = refusal({ [name]: value })
    expect(message).toMatch(new RegExp(`^${name} must .+\\.$`))
    expect(message).not.toContain('\n')
    if (name === 'MASTER_KEY') expect(message).not.toContain(value.slice(0, 20))
  })
})

describe('HOST', () => {
  it.each(['0.0.0.0', '::', '192.168.1.10', 'memory.example.com'])(
    'refuses %s unless TLS in front or plain HTTP is confirmed',
    (host) => {
      expect(refusal({ HOST: host })).toMatch(/^HOST .*TRUSTED_PROXIES.*MEMORY_ALLOW_PLAINTEXT=yes.*\.$/)
      expect(refusal({ HOST: host, MEMORY_ALLOW_PLAINTEXT: 'no', TRUSTED_PROXIES: ' , ' })).toMatch(/^HOST /)
      expect(readConfig({ HOST: host, TRUSTED_PROXIES: '10.0.0.1' }).http.host).toBe(host)
      expect(readConfig({ HOST: host, MEMORY_ALLOW_PLAINTEXT: 'yes' }).http.host).toBe(host)
    },
  )

  it.each(['127.0.0.1', '::1', 'localhost'])('accepts %s as it is', (host) => {
    expect(readConfig({ HOST: host }).http.host).toBe(host)
  })
})

describe('a variable that is almost a setting', () => {
  it.each([
    ['MEMORY_DATADIR', 'MEMORY_DATA_DIR'],
    ['MEMORY_DATA_DIRS', 'MEMORY_DATA_DIR'],
    ['MEMROY_DATA_DIR', 'MEMORY_DATA_DIR'],
    ['memory_data_dir', 'MEMORY_DATA_DIR'],
    ['MEMORY_INDEX_BUGDET', 'MEMORY_INDEX_BUDGET'],
    ['MEMORY_PLATFORM_ADMIN', 'MEMORY_PLATFORM_ADMINS'],
    ['MEMORY_POOL_TREADS', 'MEMORY_POOL_THREADS'],
    ['MEMORY_SERVICE_URI', 'MEMORY_SERVICE_URL'],
    ['MEMORY_SERVICE_APIKEY', 'MEMORY_SERVICE_API_KEY'],
    ['DATABSE_URL', 'DATABASE_URL'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['REDISURL', 'REDIS_URL'],
    ['MASTERKEY', 'MASTER_KEY'],
    ['SMTPURL', 'SMTP_URL'],
  ])('%s is refused, and %s named', (name, meant) => {
    expect(refusal({ [name]: '1' })).toMatch(
      new RegExp(`^${name} is no setting, but almost ${meant}: .+\\.$`),
    )
    expect(() => readConfig({ [name]: '' })).not.toThrow()
  })

  it('is left alone where the setting is set too', () => {
    expect(readConfig({ MEMORY_DATA_DIR: '/a', MEMORY_DATA_DIRS: '/b' }).dataDir).toBe('/a')
  })

  it('is not what other programs set: Kubernetes and Docker for a service called memory, and every shell', () => {
    const theirs = [
      ...['SERVICE_HOST', 'SERVICE_PORT', 'SERVICE_PORT_HTTP', 'PORT', 'PORT_8000_TCP', 'NAME', 'ENV_PATH'],
      ...['PORT_8000_TCP_ADDR', 'API_PORT', 'API_SERVICE_HOST', 'AVAILABLE', 'LIMIT', 'MAX', 'USE', 'SIZE'],
    ].map((name) => `MEMORY_${name}`)
    const shell = ['HOME', 'HOSTNAME', 'PATH', 'PWD', 'OLDPWD', 'LANG', 'TERM', 'USER', 'MAIL', 'SHELL', 'TZ']
    const databases = [
      'DATABASE_HOST',
      'DATABASE_PORT',
      'DATABASE_USER',
      'REDIS_HOST',
      'REDIS_TLS_URL',
      'PORTS',
    ]
    for (const name of [...theirs, ...shell, ...databases, 'TEST_DATABASE_URL', 'POSTGRES_PASSWORD']) {
      expect(() => readConfig({ [name]: '1' }), name).not.toThrow()
    }
  })

  it('is never another setting', () => {
    const all = [...names, ...clientVariables]
    for (const name of all)
      expect(
        findMisspelt(
          { [name]: '1' },
          all.filter((each) => each !== name),
        ),
        name,
      ).toBe(undefined)
  })
})

describe('SMTP_URL', () => {
  it('needs MAIL_FROM: servers refuse mail from an address that is nobody’s', () => {
    expect(refusal({ SMTP_URL: 'smtp://mail.example.com' })).toMatch(
      /^MAIL_FROM is needed with SMTP_URL.*\.$/,
    )
  })
})

describe('MASTER_KEY', () => {
  it('T5 is needed with DATABASE_URL: the message says how to make one', () => {
    const message = refusal({ DATABASE_URL: 'postgres://localhost/memory' })
    expect(message).toMatch(/^MASTER_KEY is needed with DATABASE_URL.*openssl rand -base64 32.*\.$/)
    expect(readConfig({}).masterKeys).toBeUndefined()
  })
})

describe('PASSWORD_BLOCKLIST', () => {
  it('is on where clients come over TLS, unless it is set', () => {
    const PUBLIC_BASE_URL = 'https://memory.example.com'
    expect(readConfig({ PUBLIC_BASE_URL }).passwords.blocklist).toBe(true)
    expect(readConfig({ PUBLIC_BASE_URL, PASSWORD_BLOCKLIST: 'off' }).passwords.blocklist).toBe(false)
  })
})

describe('PUBLIC_BASE_URL', () => {
  it.each(['HTTPS://memory.example.com/of-us/', ' https://memory.example.com/of-us'])(
    'is public however it is written: %j',
    (PUBLIC_BASE_URL) => {
      const config = readConfig({ PUBLIC_BASE_URL })
      expect(config.verifiedAdminsOnly).toBe(true)
      expect(config.passwords.blocklist).toBe(true)
      expect(config.http.publicBaseUrl).toBe('https://memory.example.com/of-us')
      expect(config.issuer).toBe('https://memory.example.com/of-us')
    },
  )

  it('says what links could not be appended to', () => {
    expect(refusal({ PUBLIC_BASE_URL: 'https://a.example/?b=c' })).toBe(
      'PUBLIC_BASE_URL must have no user name, query or fragment, because links are made by appending to it.',
    )
  })
})

describe('a variable that looks like a setting and is none', () => {
  it('is told of when a process starts, and one of the commands is not', async () => {
    const config = readConfig({ MEMORY_SERVICE_HOST: '10.0.0.1', MEMORY_SERVICE_URL: 'http://a', PATH: '/' })
    expect(await requireSurroundings(config)).toEqual([
      'MEMORY_SERVICE_HOST is set, and no setting is called so.',
    ])
    expect(await requireSurroundings(readConfig({}))).toEqual([])
  })
})

describe('MEMORY_BOOTSTRAP', () => {
  it('is on with the embedded database and off with DATABASE_URL, unless it is set', () => {
    const given = { DATABASE_URL: 'postgres://localhost/memory', MASTER_KEY: masterKey }
    expect(readConfig(given).bootstrap).toBe(false)
    expect(readConfig({ ...given, MEMORY_BOOTSTRAP: 'on' }).bootstrap).toBe(true)
  })
})

describe('what is written about the settings', () => {
  it('is in .env.example and docs/settings.md as npm run docs:settings writes it', () => {
    expect(readFileSync(new URL('.env.example', root), 'utf8')).toBe(envExample())
    const page = readFileSync(new URL('docs/settings.md', root), 'utf8')
    expect(page).toBe(renderSettings(page))
  })

  it('can be copied to .env as it is, and with every line uncommented starts with the defaults', () => {
    const lines = envExample().split('\n')
    expect(lines.filter((line) => line !== '' && !line.startsWith('#'))).toEqual([])
    const uncommented = lines.flatMap((line) => {
      const [, name, value] = /^#([A-Z0-9_]+)=(.*)$/.exec(line) ?? []
      return name === undefined || value === undefined ? [] : [[name, value] as const]
    })
    expect(uncommented.map(([name]) => name)).toEqual([...names, ...Object.keys(composeSettings)])
    expect(readConfig(Object.fromEntries(uncommented))).toEqual(readConfig({}))
  })

  it('takes a 32nd of the memory for caches, within bounds', () => {
    expect([0, 512, 2_048, 8_192, 24_000, 32_768, 1_000_000].map(cacheBudgetMb)).toEqual([
      64, 64, 64, 256, 750, 1_024, 1_024,
    ])
  })
})
