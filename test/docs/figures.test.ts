import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parameters } from '@memory/engine/parameters'
import { consoleLinkMinutes } from '@memory/identity/accounts/console-links'
import { accessTokenS, refreshTokenDays } from '@memory/identity/tokens/lifetimes'
import { errors } from '@memory/shared/catalogue/errors'
import { limits } from '@memory/shared/catalogue/limits'
import { plans, unlimited } from '@memory/shared/catalogue/plans'
import { retention } from '@memory/shared/catalogue/retention'
import { readConfig } from '@memory/shared/platform/config'
import { reserveBytes } from '@memory/shared/platform/database/disk-reserve'
import { leaseSeconds as leaseS } from '@memory/shared/platform/lease'
import { timing } from '@memory/shared/platform/queue/timing'
import { makeRules } from '@memory/shared/throttle/rules'
import { formats } from '@memory/shared/transfer/formats/formats'
import { describe, expect, it } from 'vitest'
import { pages, textOf } from './pages.ts'

const root = join(import.meta.dirname, '../..')

/** A number that stands in a source and is no export of it. */
function inSource(file: string, pattern: RegExp): number {
  const found = pattern.exec(readFileSync(join(root, file), 'utf8'))?.[1]
  if (found === undefined) throw new Error(`${file} has no ${pattern}`)
  return found.split('*').reduce((product, factor) => product * Number(factor.trim().replaceAll('_', '')), 1)
}

/** Numbers of a list that stands in a source. */
function inOrder(file: string, pattern: RegExp): number[] {
  const found = pattern.exec(readFileSync(join(root, file), 'utf8'))?.[1] ?? ''
  return found.split(',').map((each) => Number(each.trim().replaceAll('_', '')))
}

const n = (value: number) => value.toLocaleString('en')
const size = (bytes: number) =>
  bytes % 2 ** 20 === 0 ? `${n(bytes / 2 ** 20)} MiB` : `${n(bytes / 1_024)} KiB`
const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000] as const

const { http, loginLimits: login, registrationsPerHour, indexBudgetBytes, versionsKept } = readConfig({})
const rules = makeRules({ login, registrationsPerHour })
const { schedule } = parameters

const identity = 'packages/identity/src'
const shared = 'packages/shared/src'
const memory = 'packages/memory/src'
const config = `${shared}/platform/config.ts`
const abandonedS = inSource(`${shared}/platform/data-directory.ts`, /abandonedAfterMs = ([\d_]+)/) / second
const exportDays = inSource(`${identity}/accounts/export-store.ts`, /keptDays = (\d+)/)
const erasedDays = inSource(
  'migrations/0101-roles-and-helpers.sql',
  /p_deleted_at <= now\(\) - interval '(\d+) days'/,
)
const notificationDays = inSource(
  'migrations/0109-messages.sql',
  /created_at < now\(\) - interval '(\d+) days'/,
)
const idempotencyHours = inSource(
  'migrations/0105-spaces.sql',
  /created_at < now\(\) - interval '(\d+) hours'/,
)
const versionDays = inSource(
  'migrations/0114-addressing.sql',
  /replaced_at < now\(\) - interval '(\d+) days'/,
)
const deliveryDays = inSource(
  `${identity}/webhooks/delivery-store.ts`,
  /created_at < now\(\) - interval '(\d+) days'/,
)
const invitationDays = inSource(`${identity}/organizations/invitations.ts`, /validDays = (\d+)/)
const expiringDays = inSource('migrations/0103-keys.sql', /expires_at < now\(\) \+ interval '(\d+) days'/)
const keyDays = inSource('migrations/0103-keys.sql', /revoked_at < now\(\) - interval '(\d+) days'/)
const idleDays = refreshTokenDays
const sessionDays = inSource(`${identity}/accounts/session-store.ts`, /sessionDays = (\d+)/)
const rotatedHours = inSource(`${identity}/webhooks/manage.ts`, /replacedMs = ([\d_* ]+)/) / hour
const signingDays =
  inSource(`${identity}/tokens/rotate-signing-keys.ts`, /rotateAfterS = ([\d_* ]+)/) / (day / second)
const accessMinutes = accessTokenS / 60
const retries = inOrder(`${identity}/webhooks/schedule.ts`, /delaysS = \[([^\]]+)\]/).slice(1)
const pythonSettings = 'packages/python/src/memory_service/_settings.py'
const pythonNeeded = `Python 3.${inSource('packages/python/pyproject.toml', /requires-python = ">=3\.(\d+)"/)} and later`
const sdkRetries = inOrder('packages/sdk/src/retry.ts', /delaysMs = \[([^\]]+)\]/).map((ms) => ms / second)
const sdkRetriesSaid = `${sdkRetries.slice(0, -1).join(', ')} and ${sdkRetries.at(-1)} s`
const planOf = (name: string, plan: (typeof plans)[keyof typeof plans]) =>
  [
    name,
    ...[plan.patterns, plan.queriesPerDay, plan.apiKeys, plan.members].map((each) =>
      each === unlimited ? 'unlimited' : n(each),
    ),
  ].join(' | ')
const inHand = (what: string, own: number, all: number, show: (value: number) => string) =>
  `${what} | ${show(own)} | ${show(all)} |`

/** What each page says with a figure in it, made from what the code has. */
const said: Record<string, string[]> = {
  'docs/concepts.md': [
    `a JSON object of ${size(limits.metadataBytes)} at most`,
    `embeds it as ${limits.embeddingDimensions} numbers`,
    `own key, of 1 to ${n(limits.vectorDimensions)} numbers`,
    ...Object.entries(plans).map(([name, plan]) => planOf(name, plan)),
    'at threshold 1 removes, and what has similarity 1.',
    `sleeps by itself ${schedule.idleMs / minute} to ${(schedule.idleMs + retention.latencyMs + schedule.spreadMs) / minute} minutes after its last use`,
    `one that is never idle, ${schedule.patienceMs / hour} hours after it could have`,
    `a second finds more than ${inSource(`${memory}/tiers/access-log.ts`, /countedAtOnce = (\d+)/)} patterns of a space`,
  ],
  'docs/getting-started.md': [
    `after ${sdkRetriesSaid}`,
    `Something listens on ${http.port} or ${http.opsPort}`,
    `free within ${abandonedS} seconds`,
    'is -1 because',
  ],
  'docs/glossary.md': [
    `that vector, ${limits.embeddingDimensions} numbers`,
    `| ${inSource('packages/engine/src/encoder/encoder.ts', /WINDOW_TOKENS = (\d+)/)} tokens`,
    'the mean of 1 / rank of the first that is',
  ],
  'docs/operating.md': [
    `over ports ${inSource('docker-compose.yml', /:(\d+):8080'/)} and ${inSource('docker-compose.yml', /:(\d+):8443'/)}`,
    `publish port ${http.port} of`,
    '| always 1; its labels',
    `the index of the ${inSource('apps/cli/src/doctor/verify-restored.ts', /spacesMax = (\d+)/)} largest spaces`,
    'The exit code is 1 where something fails',
    `another container frees it after ${abandonedS} seconds`,
    `has less than ${size(reserveBytes)} left`,
    `a request has ${inSource('apps/api/src/main.ts', /drainMs = ([\d_]+)/) / second} seconds and is answered with`,
    `a background job then has ${timing.drainMs / second} seconds and is handed back after that. It exits with 0, and with 1 where`,
    `takes longer than ${inSource(`${shared}/platform/process.ts`, /stopDeadlineMs = ([\d_]+)/) / second} seconds`,
    `after ${accessMinutes} minutes the browser asks again`,
    `(${http.workerOpsPort}): `,
    `the service replaces every ${signingDays} days`,
    `for ${rotatedHours} hours deliveries carry signatures of both`,
    `kept for ${inSource(`${shared}/mail/file-mailer.ts`, /keptMs = ([\d_]+) \*/)} days`,
    `registrations, ${registrationsPerHour} an hour for one address`,
    `Deleted ones are erased after ${erasedDays} days`,
    `that another replaced, for ${versionDays} days`,
    `the last ${n(limits.signalRecords)} records of a space`,
    `${n(parameters.conflicts.openMax)} open ones of an end user and ${n(parameters.conflicts.openOfSpaceMax)} of a space`,
    `| ${idempotencyHours} hours |`,
    `kept for ${inSource('migrations/0108-usage.sql', /::date - (\d+)/)} days; ${retention.daysMs / day} days of usage`,
    `and ${limits.keysPerHour} made in an hour by one organization; ${keyDays} days after they were revoked`,
    `${inSource(`${identity}/accounts/session-store.ts`, /sessionsMax = (\d+)/)} sessions of a user`,
    `have ended, for ${inSource('migrations/0104-accounts.sql', /revoked_at < now\(\) - interval '(\d+) days'/)} days`,
    `${n(inSource(`${identity}/accounts/session-store.ts`, /tokensOfSession = ([\d_]+)/))} tokens of a session`,
    `${n(rules.userChange.limit)} changes an hour by one user, as many sign-ins of one, as many of webhooks by one organization, and ${rules.anomaly.limit} injected anomalies`,
    `${rules.invitation.limit} invitations an hour by one user`,
    `| ${notificationDays} days |`,
    `| ${limits.webhooks} for an organization, two secrets each; ${deliveryDays} days after a delivery was made, unless it is still pending, with the newest ${limits.deliveryAttempts} attempts at it, and ${rules.webhookTest.limit} tests an hour`,
    inHand('requests worked on at a time', limits.requestsInHand, limits.requestsInHandInAll, n),
    inHand('requests that wait', limits.requestsWaiting, limits.requestsWaitingInAll, n),
    inHand(
      `bodies of more than ${size(limits.smallBytes)}, in bytes`,
      limits.bodyBytesInHand,
      limits.bodyBytesInHandInAll,
      size,
    ),
    inHand(
      `answers of more than ${size(limits.smallBytes)} that clients have not taken yet, in bytes`,
      limits.answerBytesInHand,
      limits.answerBytesInHandInAll,
      size,
    ),
    inHand(
      `answers that may show more than ${inSource(`${shared}/platform/asker.ts`, /shortAnswerPatterns = (\d+)/)} patterns, being made`,
      limits.longAnswersAtOnce,
      limits.longAnswersAtOnceInAll,
      n,
    ),
    `where ${size(limits.streamBytes)} for one more are not free |`,
    `counts ${size(limits.streamBytes)} |`,
    `facts of more than ${size(limits.streamBytes)} is made`,
    `| a waiting answer of which less than ${size(limits.leastTakenBytes)} is taken | ${limits.unreadAnswerMs / second} s | |`,
    `loads the spaces of ${n(inSource(`${memory}/index/space-cache.ts`, /savedPatternsMin = ([\d_]+)/))} patterns and more`,
    `free for the repetition ${leaseS} s after it died`,
    `for up to ${leaseS} s; then`,
    `free for another process ${leaseS} s after it was killed`,
    `when ${inSource(`${shared}/platform/database/embedded-upkeep.ts`, /defaultWalMaxMiB = (\d+)/)} MiB have gathered`,
    `(${inSource('packages/engine/src/encoder/encoder.ts', /WINDOW_TOKENS = (\d+)/)} tokens)`,
    `for ${inSource('apps/api/src/pool/fair-queue.ts', /activeMs = ([\d_]+)/) / second} seconds after each request`,
    `takes more than ${limits.batchEncodingMs / second} seconds to encode`,
  ],
  'docs/security.md': [
    `have ${limits.passwordChars} characters or more`,
    `live ${accessMinutes} minutes`,
    `an answer leaves ${inSource(`${identity}/accounts/refresh.ts`, /overlapMs = (\d+)/)} ms after the token was spent`,
    `ends after ${idleDays} days without use, and after ${sessionDays} in any case`,
    `Within ${rules.loginPair.windowS / 60} minutes ${login.pair} failed logins of one email from one address, ${login.address} from one address, or ${login.email} of one email`,
    `attempt ${registrationsPerHour} registrations an hour`,
    `reading stops at ${size(inSource(`${identity}/webhooks/post.ts`, /answerBytesMax = ([\d_* ]+)/))}`,
    `less than ${size(limits.leastTakenBytes)} of a waiting answer for ${limits.unreadAnswerMs / second} s`,
  ],
  'docs/what-it-does.md': [
    `texts of up to ${n(limits.textChars)} characters`,
    `keys of 1 to ${n(limits.vectorDimensions)} numbers`,
    `up to ${n(limits.batchPatterns)} in one transaction`,
    `up to ${n(limits.batchQueries)} queries in one pass`,
    `access tokens (${accessMinutes} minutes) and refresh tokens (once, ${idleDays} days)`,
    `embedded as ${limits.embeddingDimensions} numbers`,
  ],
  'docs/guides/console.md': [
    `within ${consoleLinkMinutes} minutes`,
    `up to ${n(limits.mapPoints)} memories as points`,
  ],
  'docs/guides/accounts.md': [`lives ${accessMinutes} minutes`, `mails a token for ${invitationDays} days`],
  'docs/guides/context.md': [
    `an eighth of the budget at most, or ${inSource(`${memory}/prompt/fill.ts`, /leastLine, mostLine\] = \[(\d+)/)} tokens`,
    `never more than ${n(inSource(`${memory}/prompt/fill.ts`, /leastLine, mostLine\] = \[\d+, ([\d_]+)/))}`,
    `among the first ${n(inSource(`${memory}/prompt/service.ts`, /filteredMax = ([\d_]+)/))} in`,
    `\`token_budget\` (${limits.contextTokensMin} to ${n(limits.contextTokensMax)}; ${n(inSource(`${memory}/prompt/schema.ts`, /contextTokensMax\)\.default\(([\d_]+)\)/))} unless said)`,
    `in steps (${inSource('migrations/functions/standing.sql', /p_answers >= (\d+) then 1/)} answers, then`,
    'an empty 304 while',
  ],
  'docs/guides/forgetting-and-gdpr.md': [
    `the least cosine, ${inSource(`${memory}/schema.ts`, /\.number\((0\.5), 1\)\s+\.default\(0\.85\)/)} to 1, ${inSource(`${memory}/schema.ts`, /default\((0\.85)\)/)} unless said`,
    'at threshold 1 nothing else does',
    `read it, for ${exportDays} days`,
    `An archive is ${inSource(`${identity}/accounts/export-archive.ts`, /bytesMax = 2 \*\* (\d+)/) === 32 ? 4 : '?'} GiB at most`,
    `For ${erasedDays} days a platform admin can restore`,
  ],
  'docs/guides/importing.md': [
    `batches of up to ${limits.batchStoreItems} texts (fewer long ones) or ${n(limits.batchPatterns)} vectors`,
    `Within ${idempotencyHours} hours each line`,
    '30 February',
    `one transaction of up to ${limits.batchStoreItems} texts`,
    `the same answer for ${idempotencyHours} hours`,
    `go up to ${n(limits.batchPatterns)} at a time`,
    // What was looked at of each format stands in the code.
    ...Object.values(formats).flatMap(({ takes, seen }) => [takes, seen]),
    'seconds or milliseconds since 1970',
  ],
  'docs/guides/langgraph.md': [
    `has up to ${n(limits.textChars)} characters`,
    `to it, ${n(limits.metadataBytes)} bytes.`,
    `has up to ${limits.subjectChars} characters with its dots, and with the key ${limits.externalIdChars - '..999.'.length}.`,
    `Up to ${limits.batchStoreItems} texts go in one request.`,
  ],
  'docs/guides/mcp.md': [`for ${limits.forgetPreviewMs / minute} minutes`, `shows up to ${limits.getByIds}.`],
  'docs/guides/python.md': [
    `of up to ${limits.embeddedTexts} texts a request`,
    pythonNeeded,
    `in time: ${inSource(pythonSettings, /TIMEOUT_DEFAULT = (\d+)/)} s unless said`,
    `after about ${Array.from(
      { length: inSource(pythonSettings, /MAX_RETRIES_DEFAULT = (\d+)/) },
      (_, n) => 2 ** n * inSource('packages/python/src/memory_service/_core.py', /_FIRST_PAUSE = (\d+)/),
    )
      .join(', ')
      .replace(/, (?=\d+$)/, ' and ')} s`,
    `is waited for up to ${inSource(pythonSettings, /MAX_RETRY_AFTER_DEFAULT = (\d+)/)} s;`,
  ],
  'docs/guides/own-ids-and-history.md': [`the last ${versionsKept} before it are kept`],
  'docs/guides/scoping-by-user.md': [`in 1 to ${limits.actorChars} characters`],
  'docs/guides/tuning.md': [
    `${inSource(`${memory}/schema.ts`, /integer\(1, max\)\.default\((\d+)\)/)} unless said, but one for`,
    'The least cosine of a result, -1 to 1.',
    `vectors in memory, ${indexBudgetBytes / 2 ** 20} MB`,
    `a ${inSource(config, /memory \/ (\d+)\)/)}nd of the memory there is`,
    `from ${inSource(config, /Math\.max\((\d+), memory/)} to ${n(inSource(config, /Math\.min\(([\d_]+), Math/))} MB`,
    `at most ${inSource(config, /Math\.min\((\d+), availableParallelism/)};`,
  ],
  'docs/guides/vercel-ai-sdk.md': [
    `version ${inSource('packages/sdk/package.json', /"ai": "\^(\d+)\.0\.0"/)}`,
  ],
  'docs/guides/webhooks.md': [
    `kept for ${notificationDays} days`,
    `over ${inSource('migrations/functions/messages.sql', /of (\d+) % and of 100 %/)}% of the patterns`,
    `expires within ${expiringDays} days`,
    `within ${inSource(`${identity}/webhooks/attempt.ts`, /timeoutMs = ([\d_]+)/) / second} seconds is tried again after ${retries[0]} s, ${retries[1]! / 60} and ${retries[2]! / 60} min, ${retries
      .slice(3, -1)
      .map((s) => s / 3_600)
      .join(', ')} and ${retries.at(-1)! / 3_600} hours`,
    `(${inSource(`${identity}/webhooks/dispatcher.ts`, /slow = \{.*perOrganization: (\d+)/)} attempts at once for an organization, ${inSource(`${identity}/webhooks/dispatcher.ts`, /slow = \{ max: (\d+)/)} in a process)`,
    `listed for ${deliveryDays} days`,
    `for ${rotatedHours} hours deliveries carry signatures of both`,
    `at most ${limits.webhooks}.`,
    `each attempt (the newest ${limits.deliveryAttempts})`,
    `revoked (within ${limits.streamBeatMs / second} seconds`,
    `comment every ${limits.streamBeatMs / second} seconds`,
    `may have ${limits.notificationStreams} streams open`,
  ],
  'packages/router/README.md': [
    `topics (${limits.composeMin} to ${limits.composeMax})`,
    `limited to ${size(inSource('packages/router/src/body.ts', /bodyBytesMax = ([\d_* ]+)/))}`,
  ],
  'packages/python/README.md': [pythonNeeded],
  'packages/sdk/README.md': [
    `(${inSource('packages/sdk/src/transport.ts', /timeoutMsDefault = ([\d_]+)/) / second} s unless said)`,
    `after ${sdkRetriesSaid}; a longer ${'`Retry-After`'} is waited for up to ${inSource('packages/sdk/src/retry.ts', /retryAfterSecondsMax = (\d+)/)} s`,
    `within ${idempotencyHours} hours`,
  ],
}

/** Written by programs, or of other products and past days. */
const others = [
  'CHANGELOG.md',
  'docs/benchmarks.md',
  'docs/comparison.md',
  'docs/conformance.md',
  'docs/endpoints.md',
  'docs/errors.md',
  'docs/limits.md',
  'docs/security-requirements.md',
  'docs/settings.md',
  'docs/upgrading.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
]

const fold = (text: string) => text.replaceAll(/\s+/g, ' ')

/** A section that the test of starts that fail compares whole. */
const startErrors = /\n## When it does not start\n[\s\S]*?(?=\n## )/

/** A page without what other tests check, or what has its own: blocks, generated tables, code, addresses, dates. */
const proseOf = (page: string) =>
  textOf(page)
    .replace(startErrors, '')
    .replaceAll(/^( *)```[\s\S]*?^\1```$/gm, '')
    .replaceAll(/<!-- (\w[\w: ]*) -->[\s\S]*?<!-- \/\1 -->/g, '')

const statuses = [...Object.values(errors).map(({ status }) => status), 200, 204, 410, 422, 502, 504]
/** Numbers that are names: in code and addresses, of products and standards, statuses. */
const names = new RegExp(
  [
    '`[^`\\n]*`|\\]\\([^)]*\\)|https?://\\S+|127\\.0\\.0\\.1',
    '\\b(?:Node|PostgreSQL|OpenAPI|Redis|UTF|SHA|AES|RS|HTTP)[- ]?\\d[\\d.]*(?: to 18)?',
    `\\b(?:${statuses.join('|')}|[1-5]xx)\\b`,
  ].join('|'),
  'g',
)

describe.each(pages.filter((page) => !others.includes(page)))('%s', (page) => {
  const phrases = said[page] ?? []

  it('says what the code has', () => {
    const text = fold(proseOf(page))
    expect(phrases.filter((phrase) => !text.includes(phrase))).toEqual([])
  })

  it('has no other figure', () => {
    const rest = phrases.reduce((text, phrase) => text.replaceAll(phrase, ' '), fold(proseOf(page)))
    const left = rest.replaceAll(names, ' ')
    expect([...left.matchAll(/.{0,40}(?<![\w.])\d.{0,30}/g)].map(([figure]) => figure)).toEqual([])
  })
})
