import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { table } from '../bench/support/results.ts'
import { fillMarks } from './marks.ts'

/**
 * What has to hold, by the code that names of tests begin with. In brackets stand the sections of OWASP ASVS 5.0.0 that a
 * group answers to.
 */
const requirements: Record<string, Record<string, string>> = {
  'Passwords (6.2, 11.4.2)': {
    P1: 'stored as argon2id of 19 MiB and two passes at least, with a salt of its own; a weaker hash is replaced at the next login',
    P2: 'one that is under 12 characters, over 1,024 bytes, the email, or widely used (where that list is on) is a 422, and nothing is hashed',
    P3: 'long ones, spaces, emoji, anything: compared as they are after NFKC, without trimming, cutting or folding case',
    P4: 'a change needs the current one; change and reset end the other sessions everywhere and are mailed',
    P5: 'of many logins at once `ARGON2_CONCURRENCY` hash, some wait, the rest is a 503; other requests take twice as long at most',
  },
  'Access tokens and secrets (9.1, 9.2, 11.2)': {
    T1: 'a token has exactly the header and claims that are documented, lives 900 s and names nobody',
    T2: 'forged, foreign, changed, expired and future tokens, and headers that point elsewhere, are a 401, without a request outside',
    T3: 'keys are RSA of 3,072 bits at least, named by their thumbprint; the key set shows public parts only',
    T4: 'rotation under load rejects no valid token; retirement in an emergency rejects everywhere at once',
    T5: 'secrets are sealed under the master key, bound to row and purpose; a wrong master key ends the start, and it is changed without downtime',
    T6: 'a token of one kind is refused as every other',
  },
  'Sessions (7)': {
    R1: 'refresh tokens are 256 random bits, stored as a hash; 30 days without use, 90 in all',
    R2: 'each works once, also at once, after a restart and on another process',
    R3: 'a spent one ends its session with all its tokens, is audited and mailed',
    R4: 'of parallel ones one succeeds; those that overlapped it get a 409 and no token',
    R5: 'after a revocation was answered no token of the session works, whatever was under way',
    R6: 'one sees and ends one’s own sessions; what was ended is refused everywhere, also while Redis is down',
  },
  'Second factor (6.4.3, 6.5)': {
    M1: 'it is on after a valid code; that ends the other sessions, and turning it off needs a code',
    M2: 'a code works once for a purpose, at once too, within one step of time',
    M3: 'a right password gives a challenge for one purpose, five minutes and five attempts, counted over challenges',
    M4: 'ten recovery codes, shown once, each used once; new ones void the old',
    M5: 'a reset never skips it, and it follows from what is stored',
  },
  'API keys': {
    K1: 'a checksum refuses typing errors without a look at the database; stored are hash, prefix and the last four characters',
    K2: 'scopes hold, keys never reach accounts, and the body never says whose something is',
    K3: 'a test key sees test data only, a live key live data',
    K4: 'what was revoked, expired or re-scoped is refused everywhere from the answer on',
    K5: 'the last use is written once a minute at most, off the request’s path',
    K6: 'a key in the address is a 401 and in no log',
  },
  'Isolation of tenants (8.2, 8.4.1)': {
    I1: 'every table with tenants’ rows enables and forces row level security, with policies for reading and writing',
    I2: 'processes work as a role that owns nothing and bypasses nothing, and do not start where they see a foreign row',
    I3: 'the tenant is named within the transaction; without one there are no rows, also after aborts and on reused connections',
    I4: 'unique and foreign keys between tenants’ tables have the tenant in them',
    I5: 'a foreign id is answered as an unknown one, by every operation',
    I6: 'searches, counts, cursors, errors and times tell nothing of another tenant',
  },
  'Throttling and enumeration (2.4.1, 6.3.1, 6.3.8)': {
    E1: 'login, reset and resending answer alike with and without an account, in the same time',
    E2: 'counters are atomic; nobody locks an owner out from elsewhere',
    E3: 'spellings of a path and forged addresses lead to the same bucket, or nowhere',
    E4: 'a 429 says when to come back, and that is true; also while Redis is down',
  },
  'Input (2.2, 4.2, 15.3)': {
    N1: 'bodies are bounded in size and depth, and must be valid UTF-8 and JSON of numbers that exist',
    N2: 'unknown fields pollute nothing, and values are never coerced',
    N3: 'thousands of random requests to each operation: no server error, none slow, memory comes back',
    N4: 'large or slow headers and bodies are refused or closed; slow clients hold up nobody',
  },
  'HTTP (3.4, 4.1, 13.4)': {
    H1: 'security headers on every answer, `no-store` on those to somebody, nothing of versions',
    H2: 'CORS for the origins that were named, exactly',
    H3: 'address and scheme from trusted proxies only; links from `PUBLIC_BASE_URL`',
    H4: 'other methods are a 405; metrics and queues are on the operators’ listener only',
  },
  'Webhooks (1.3.6, 15.3.2)': {
    W1: 'signed by Standard Webhooks 1.0.0, with an id that stays at repetitions',
    W2: 'for 24 hours after a rotation two signatures, then one',
    W3: '2xx within 15 s succeeds, redirects fail, 410 disables; repetitions as scheduled, then disabled and mailed',
    W4: 'only public https addresses, checked as bytes at each attempt, and the connection goes to the checked one',
    W5: 'of an answer at most 64 KiB are read and 1 KiB shown; an endpoint that hangs delays no other',
  },
  'Mail (1.3.11)': {
    L1: 'one plain address, checked after NFKC',
    L2: 'what users wrote is escaped in HTML, and breaks no header',
    L3: 'links have tokens of 256 bits, hashed, once; a new one voids the old',
    L4: 'a mail server that is down affects no request; a crash costs one duplicate at most',
  },
  'Secrets and logs (13.3, 16.2.5, 16.4.1)': {
    S1: 'marked secrets and texts are in no log, queue, metric or error, and secrets in no column in the clear',
    S2: 'whatever is sent, an event is one valid line of JSON',
    S3: 'locked packages with checksums and licences, a bill of materials, no advisory of high severity',
  },
  'Deletion, export, quotas': {
    D1: 'a deleted account is dead at once and can be restored for 30 days',
    D2: 'then every row is erased, also when the erasure is killed midway; the email is free again',
    D3: 'an export has what the database has, for its owner, for seven days',
    D4: 'after a restore erasures are applied again from a ledger',
    Q1: 'of 50 at once with one place left one gets it; what failed costs nothing',
  },
  Reliability: {
    F1: 'an event commits with its cause: none is lost, none is of what was rolled back',
    F2: 'a job has its effect once, though its worker is killed again and again',
    F3: 'a repeated `Idempotency-Key` gets the first answer: one effect, also across a kill',
    F4: 'without the database a 503 within 2 s, and service soon after its return',
    F5: 'without Redis everything goes on, as strict; what was in it is not missed',
    F6: 'a mail server or receiver that is down: writes are accepted, and the work goes on afterwards',
    F7: 'SIGTERM: what is in hand is finished, jobs are handed back, exit 0; a rolling restart fails no request',
    F8: 'liveness touches nothing; readiness asks database, migrations and keys',
    F9: 'beyond what it can do it refuses, and one organization leaves the others their turns',
    F10: 'a full disk: no answer that is not true, and no repair afterwards',
    F11: 'one process migrates, a killed migration completes, and the release before works on the new schema',
    F12: 'a backup restores: rows, secrets, search',
  },
}

/** Names of tests that begin with codes. */
const titles = /\b(?:it|describe)(?:\.\w+)*(?:\((?:[^()]|\([^()]*\))*\))?\(\s*[`'"]((?:[A-Z]\d{1,2},? )+)/g

/** The files that hold each requirement, by its code. */
function testsByCode(): Map<string, string[]> {
  const root = fileURLToPath(new URL('..', import.meta.url))
  const found = new Map<string, Set<string>>()
  for (const path of globSync('test/**/*.test.ts', { cwd: root }).sort()) {
    for (const [, codes = ''] of readFileSync(`${root}${path}`, 'utf8').matchAll(titles)) {
      for (const code of codes.match(/[A-Z]\d+/g) ?? [])
        found.set(code, (found.get(code) ?? new Set()).add(path))
    }
  }
  return new Map([...found].map(([code, paths]) => [code, [...paths]]))
}

/** Codes in names of tests that no requirement has. */
export function unknownCodes(): string[] {
  const known = Object.values(requirements).flatMap((group) => Object.keys(group))
  return [...testsByCode().keys()].filter((code) => !known.includes(code))
}

/** `docs/security-requirements.md` with the tests as they are. `npm test` fails when it is another. */
export function renderRequirements(page: string): string {
  const tests = testsByCode()
  const link = (path: string) => `[${path.replace(/^test\/(.+)\.test\.ts$/, '$1')}](../${path})`
  const sections = Object.entries(requirements).map(([title, group]) => {
    const rows = Object.entries(group).map(([code, text]) => [
      code,
      text,
      (tests.get(code) ?? []).map(link).join(', ') || 'no test by this name',
    ])
    return `## ${title}\n\n${table(['', 'what has to hold', 'tests'], rows)}`
  })
  return fillMarks(page, 'requirements', sections.join('\n\n'))
}

if (import.meta.main) {
  const page = new URL('../docs/security-requirements.md', import.meta.url)
  writeFileSync(page, renderRequirements(readFileSync(page, 'utf8')))
}
