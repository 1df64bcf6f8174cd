import { readFileSync, writeFileSync } from 'node:fs'
import { limits } from '@memory/shared/catalogue/limits'
import { plans, unlimited } from '@memory/shared/catalogue/plans'
import { readConfig } from '@memory/shared/platform/config'
import { makeRules, type Rule, type RuleName } from '@memory/shared/throttle/rules'
import { table } from '../bench/support/results.ts'
import { fillMarks } from './marks.ts'

type LimitName = keyof typeof limits

/** What the page says of a limit: of what it is one, and why it is as it is. */
type Told = [what: string, why: string]

/** Limits that the specification sets are the same for every service that implements it. */
const specified = 'the specification'

/** Every limit, by where it applies: one that is told nowhere does not compile. */
const groups = {
  texts: {
    textChars: [
      'characters of a text',
      `${specified}; longer ones are read in windows, and again by passages for recall, so time grows with them`,
    ],
    queryChars: ['characters of a query, and of texts to compare', specified],
    queryFormChars: [
      'characters of their normal form (NFKC), which the encoder reads',
      'one character of some scripts stands for a sentence, and somebody waits for the answer',
    ],
    batchStoreItems: ['texts of one batch store', specified],
    embeddedTexts: ['texts of one request for embeddings', 'the longest take some minutes to encode'],
    batchEncodingMs: [
      'time that the texts of one store may take to encode',
      'less than clients and proxies usually wait; what was encoded is remembered for the repetition',
    ],
    embeddingDimensions: ['numbers of an embedding', 'what the encoder makes'],
    categoryChars: ['characters of a category', 'it is a name; a longer one counts as none'],
    receiptChars: ['characters of a receipt to verify', 'several times those of any that is made'],
    receiptIds: ['ids that a receipt is verified with', 'a large space that was emptied at once'],
    importantMax: ['personal facts in one answer', 'the newest are what is asked for'],
  },
  vectors: {
    vectorDimensions: [
      'numbers of a key, and of a value',
      'above the length of the usual embeddings; bounds what one pattern takes',
    ],
    batchPatterns: [
      'patterns of one batch store',
      'one transaction, which others wait for on the embedded database',
    ],
    batchQueries: ['queries of one batch retrieve', 'they are searched in blocks that share a pass'],
    batchAnswerBytes: [
      'of JSON that one batch retrieve answers',
      'a client holds it whole; send fewer queries or a smaller `top_k`',
    ],
    composeMin: ['keys of a composition, at least', specified],
    composeMax: ['keys of a composition, at most', specified],
  },
  searches: {
    textTopK: ['results of a text search', specified],
    vectorTopK: ['results of a vector search', specified],
    tieredTopK: ['results of a search by tier', specified],
    contextTokensMin: ['tokens of a context, at least', 'the marks and a line of it have room'],
    contextTokensMax: ['tokens of a context, at most', 'what an assistant reads at once'],
    contextKeys: ['keys that one warm-up names', 'each is a search'],
    prefetchDepth: ['hops of a warm-up', 'what lies further is not asked for next'],
    efePathways: [
      'pathways that one request evaluates',
      'there are three; one that is named twice counts once',
    ],
    mapPoints: ['patterns of a map, at most', 'a browser draws so many while one moves about'],
    mapPointsDefault: ['patterns of a map, unless said', 'they are drawn in a second or so'],
    mapAssociations: ['associations of a map', 'more lines hide each other'],
    signalRecords: [
      'records of signal and regime that are kept, and shown',
      'a space keeps so many rows and no more',
    ],
    runRecords: ['sleeps and explorations that are kept, and shown', 'what a space did in months'],
    benchmarkOperations: ['operations of one benchmark', 'a repeated one counts once'],
    benchmarkIterations: ['repetitions of each', 'beside 30 seconds in all'],
    reasonChars: ['characters of the reason of a calibration, or of a suspension', 'a note for people'],
  },
  fields: {
    metadataBytes: ['of metadata, as JSON', 'they are in every answer, and in memory for it'],
    metadataDepth: ['levels of metadata', 'filters compare them'],
    filterBytes: ['of a filter, as JSON', 'lists of values are long at times'],
    filterConditions: ['conditions of a filter', 'each is a look at an index'],
    filterDepth: ['filters within filters', 'no question needs more'],
    filterJsonDepth: ['levels of a filter, as JSON', 'two for each filter within one'],
    selectorBytes: [
      'of a selector that a receipt is verified with',
      'as many long ids as one request deletes fit',
    ],
    externalIdChars: ['characters of an `external_id`', 'it is an id'],
    subjectChars: ['characters of a `subject`', 'it is an id'],
    actorChars: ['characters of `X-Memory-Actor`', 'it is an id'],
    idempotencyKeyChars: ['characters of an `Idempotency-Key`', 'it is an id'],
    keyNameChars: ['characters of the name of an API key', specified],
    fullNameChars: ['characters of a full name', 'it is in mails'],
    organizationNameChars: ['characters of the name of an organization', 'it is in mails'],
    webhookDescriptionChars: ['characters of the description of a webhook', 'a note for people'],
    passwordChars: ['characters of a password, at least', `${specified}, as current advice has it`],
    passwordBytes: ['of a password, at most', 'hashing takes what it is given; passphrases fit'],
    forgetPreviewMs: [
      'for which a preview of the tool `forget` may be confirmed',
      'time to read it, and not to forget what it was',
    ],
    ignoredFields: ['ignored fields that one answer names', 'they are in a header'],
  },
  lists: {
    listDefault: ['rows of a list, unless said', 'a page'],
    listMax: ['rows of a list, at most', 'a few statements of the embedded database, which others wait for'],
    getByIds: ['patterns that one request gets by their ids', 'as many as a page has'],
    deleteByIds: ['patterns that one request deletes by their ids', 'one transaction, which others wait for'],
    versionsDefault: ['versions of a pattern, unless said', 'as many as are kept, unless set otherwise'],
    versionsMax: ['versions of a pattern, at most', 'each may hold the longest text or vector'],
    notificationsDefault: ['notifications, unless said', specified],
    notificationsMax: ['notifications, at most', specified],
    notificationPageMax: ['greatest page of notifications', 'a number that the database can count to'],
    jobErrorChars: ['characters of a job’s error that operators are shown', 'the log has all of it'],
    auditDepth: [
      'entries of the audit log up to the end of a page',
      'those before it are read too; `since` and `until` lead further',
    ],
  },
  organizations: {
    webhooks: ['webhooks of an organization', 'each event is sent to each'],
    deliveryAttempts: [
      'attempts at a delivery that are kept, and shown',
      'ten are made, and ten more where it is sent again',
    ],
    notificationStreams: [
      'streams of notifications of an organization, in each process',
      'each is a connection; the tabs of a browser have one together',
    ],
    keysPerHour: ['API keys that an organization makes in an hour', 'revoked ones are kept for 90 days'],
  },
  http: {
    bodyBytes: ['of a body', 'a full batch of the longest texts with their metadata fits'],
    batchBodyBytes: [
      'of a body of batch store or batch retrieve',
      '5,000 keys and values of 384 numbers fit',
    ],
    bodyValueBytes: [
      'of its limit for each value of a body over 256 KiB, where 16 numbers are one, and vectors none',
      'three bytes of a body may take a hundred in memory',
    ],
    authBodyBytes: ['of a body about accounts', 'nobody is known yet who could be held to more'],
    mcpBodyBytes: ['of a message to the MCP server', 'the longest text with its metadata fits many times'],
    noBodyBytes: ['of a body that is sent where none belongs', 'it is read and passed over'],
    jsonDepth: ['levels of JSON', 'reading it is recursive'],
    headerBytes: ['of all headers', 'they are read before anything is known of the client'],
    requestsInHand: ['requests of an organization worked on at a time', 'others get their turn'],
    requestsWaiting: [
      'requests of an organization that wait',
      'more would be answered after their clients gave up',
    ],
    notificationStreamsInAll: [
      'streams of notifications of all, in each process',
      'connections of one process',
    ],
    streamBeatMs: ['between signs of life of a stream', 'proxies and clients wait for longer'],
    streamSecondsMax: ['seconds after which a stream is asked to end', 'a day'],
    requestsInHandInAll: ['requests of all worked on at a time', 'memory of one process'],
    requestsWaitingInAll: ['requests of all that wait', 'the same'],
    longBodiesAtOnce: [
      'bodies over 256 KiB of an organization read at a time, when they have arrived',
      'each has the thread that answers all for milliseconds at a time',
    ],
    bodyBytesInHand: ['of large bodies of an organization in memory', 'four of the largest'],
    bodyBytesInHandInAll: ['of large bodies of all in memory', 'memory of one process'],
    answerBytesInHand: [
      'of large answers of an organization that clients have not taken',
      'a client that does not read costs memory',
    ],
    answerBytesInHandInAll: ['of large answers of all', 'memory of one process'],
    longAnswersAtOnce: [
      'answers of an organization made at a time, where they may be long',
      'how long one is shows when it is made',
    ],
    longAnswersAtOnceInAll: ['the same of all', 'memory of one process'],
    streamBytes: [
      'of an answer that is being made, or made as it is sent, in memory',
      'enough to keep a network busy',
    ],
    smallBytes: [
      'bodies and answers of up to so many are not counted',
      'most are, and counting them all would cost more than they do',
    ],
    unreadAnswerMs: [
      'for which a client may take less of its answer than the next says, while some of it waits',
      'then the connection is closed',
    ],
    leastTakenBytes: ['that a client takes of a waiting answer within that time', 'slower than any network'],
  },
} as const satisfies Record<string, Partial<Record<LimitName, Told>>>

type ToldName = { [Group in keyof typeof groups]: keyof (typeof groups)[Group] }[keyof typeof groups]
/** Does not compile while a limit of the catalogue is told in no group. */
const _everyLimitIsTold: [Exclude<LimitName, ToldName>] extends [never] ? true : never = true

/** A limit with its unit, which its name tells. */
const withUnit = (name: string, value: number): string => {
  if (name.endsWith('Ms')) return `${value / 1_000} s`
  if (!name.endsWith('Bytes') && !/Bytes(InHand|InHandInAll)$/.test(name)) return value.toLocaleString('en')
  return value % 2 ** 20 === 0
    ? `${value / 2 ** 20} MiB`
    : value % 1_024 === 0
      ? `${value / 1_024} KiB`
      : `${value} bytes`
}

function limitsTable(group: keyof typeof groups): string {
  const told: Partial<Record<LimitName, Told>> = groups[group]
  return table(
    ['limit', 'of what', 'why'],
    Object.entries(told).map(([name, [what, why]]) => [withUnit(name, limits[name as LimitName]), what, why]),
  )
}

function plansTable(): string {
  const show = (value: number) => (value === unlimited ? 'unlimited' : value.toLocaleString('en'))
  return table(
    ['plan', 'patterns a space', 'queries a day and space', 'API keys', 'members'],
    Object.entries(plans).map(([name, plan]) => [
      name,
      ...[plan.patterns, plan.queriesPerDay, plan.apiKeys, plan.members].map(show),
    ]),
  )
}

const attempts: Record<RuleName, Told> = {
  loginPair: ['failed logins of one email from one address', 'guessing; a setting, `MEMORY_LOGIN_FAILURES`'],
  loginAddress: ['failed logins from one address', 'trying one password with many emails; the same setting'],
  loginEmail: ['failed logins of one email from anywhere', 'guessing from many addresses; the same setting'],
  mfaUser: ['wrong codes of one user', 'six digits are soon guessed'],
  signIn: ['sign-ins of one user, and codes for them', 'each leaves an audit entry'],
  registrationAddress: [
    'registrations from one address',
    'each makes rows; a setting, `MEMORY_REGISTRATIONS_PER_HOUR`',
  ],
  mailRequestAddress: ['requests for mails from one address', "others' mailboxes"],
  clientDocument: [
    'documents of MCP programs that one address has the service read',
    'each sends a request to an address of its choice',
  ],
  verificationMail: ['verification mails to one address', 'the same'],
  resetMail: ['reset mails to one address', 'the same'],
  invitationMail: ['invitations mailed to one address', 'the same'],
  invitation: ['invitations by one user', 'the same'],
  export: ['exports by one user', 'each is kept for a week'],
  userChange: [
    'changes by one user of accounts, keys, members and organizations',
    'each leaves an audit entry',
  ],
  webhookChange: ['changes by one organization of its webhooks, and deliveries sent again', 'the same'],
  webhookTest: ['tests of webhooks by one organization', 'each sends a request to an address of its choice'],
  anomaly: ['anomalies that one organization injects', 'each leaves an audit entry'],
}

function attemptsTable(): string {
  const { loginLimits: login, registrationsPerHour } = readConfig({})
  const rules = makeRules({ login, registrationsPerHour })
  const windowOf = ({ windowS }: Rule) =>
    windowS < 3_600 ? `${windowS / 60} minutes` : windowS === 3_600 ? 'an hour' : 'a day'
  return table(
    ['limit', 'in', 'of what', 'why'],
    Object.entries(attempts).map(([name, [what, why]]) => {
      const rule = rules[name as RuleName]
      return [rule.limit.toLocaleString('en'), windowOf(rule), what, why]
    }),
  )
}

/** `docs/limits.md` with the limits as they are. `npm test` fails when it is another. */
export function renderLimits(page: string): string {
  const filled = Object.keys(groups).reduce(
    (filled, group) => fillMarks(filled, `limits: ${group}`, limitsTable(group as keyof typeof groups)),
    page,
  )
  return fillMarks(fillMarks(filled, 'limits: plans', plansTable()), 'limits: attempts', attemptsTable())
}

if (import.meta.main) {
  const page = new URL('../docs/limits.md', import.meta.url)
  writeFileSync(page, renderLimits(readFileSync(page, 'utf8')))
}
