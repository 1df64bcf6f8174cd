/** Where a client takes what it is not given: Node, Deno and Bun have these, browsers do not. */
const variables = { apiKey: 'MEMORY_SERVICE_API_KEY', baseUrl: 'MEMORY_SERVICE_URL' } as const

/** What is missing of a client without credentials. @param isForUser whether it was made for tokens */
export function withoutKey(isForUser: boolean): string {
  if (isForUser) return 'nobody is signed in'
  const unset = variable(variables.apiKey) ? '' : `, and ${variables.apiKey} is not set`
  return `the client has no apiKey${unset}`
}

const baseUrlDefault = 'http://127.0.0.1:8000'

/** A variable of the environment; undefined where there is none, or none that may be read (Deno asks). */
function variable(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } }
  try {
    return process?.env?.[name]
  } catch {
    return undefined
  }
}

/** @throws TypeError for one that can be none */
export function apiKeyOfEnvironment(): string | undefined {
  const apiKey = variable(variables.apiKey)
  if (apiKey !== undefined) requireCredential(variables.apiKey, apiKey)
  return apiKey
}

/** As keys are made. */
const keyShape = /^mem_(live|test)_[0-9A-Za-z]{49}$/
/** What stands for a key in examples and forms. */
const placeholder = /\.\.\.|^[<${[]|[>}\]]$|your|x{4}|\bkey[-_ ]here|change[-_ ]?me|placeholder/i

/** @throws TypeError where what is given can be no key or token, such as the placeholder of an example */
export function requireCredential(name: string, given: string): void {
  const stray = /[^\x21-\x7e]/u.exec(given)?.[0]
  const what =
    given === ''
      ? 'is empty'
      : stray !== undefined
        ? `contains ${JSON.stringify(stray)}, which none does: is it a placeholder, or was it copied with something else?`
        : !keyShape.test(given) && /key/i.test(name) && placeholder.test(given)
          ? 'is the placeholder of an example: the service says where its first key is when it starts'
          : undefined
  if (what !== undefined) throw new TypeError(`${name} ${what}`)
}

/**
 * An API key is of one organization and one of its spaces: another that is named beside it would not be the one that is reached.
 * @throws TypeError
 */
export function requirePlaceOfKey(
  apiKey: string,
  { organizationId, environment }: { organizationId?: string | undefined; environment?: string | undefined },
): void {
  if (organizationId !== undefined) {
    throw new TypeError('organizationId goes with tokens: an apiKey is of one organization')
  }
  const [, space] = /^mem_(live|test)_/.exec(apiKey) ?? []
  if (environment === undefined || environment === space) return
  throw new TypeError(
    `environment is ${JSON.stringify(environment)}, and the apiKey is of ${space ?? 'the space that it was made for'}`,
  )
}

/**
 * Refuses what a name stands for that nothing reads, such as a misspelt one: what it was to change would stay as it is.
 * @param known has each name that is read
 * @throws TypeError
 */
export function requireKnown(options: object, known: object, of: string): void {
  for (const name of Object.keys(options)) {
    if (!Object.hasOwn(known, name)) throw new TypeError(`${name} is no option of ${of}`)
  }
}

/** What each number may be. */
const ranges = {
  timeoutMs: { has: (n: number) => n > 0, words: 'more than 0' },
  maxRetries: { has: (n: number) => Number.isInteger(n) && n >= 0, words: 'a whole number, 0 or more' },
  ifMatch: { has: Number.isInteger, words: 'a whole number' },
}

/**
 * Refuses a number that is none, such as that of a variable which is not set: no count of attempts would ever reach it; and
 * one that nothing could be done with.
 * @throws TypeError that names the option
 */
export function requireNumbers(options: { readonly [Name in keyof typeof ranges]?: unknown }): void {
  for (const [name, { has, words }] of Object.entries(ranges)) {
    const given = options[name as keyof typeof ranges]
    if (given === undefined) continue
    const isNumber = typeof given === 'number' && !Number.isNaN(given)
    if (isNumber && has(given)) continue
    const shown = typeof given === 'string' ? JSON.stringify(given) : String(given)
    throw new TypeError(`${name} is ${shown}, and should be ${isNumber ? words : 'a number'}`)
  }
}

/** Where the service is, without a slash at its end. @throws TypeError for what is no address of a service */
export function addressOf(given: string | undefined): string {
  // A variable that is empty is not set: files of settings make such.
  const named = given === undefined ? variable(variables.baseUrl) || undefined : given
  const name = given === undefined ? variables.baseUrl : 'baseUrl'
  const url = (named ?? baseUrlDefault).trim()
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  // Errors go into logs, where no password should.
  const shown = JSON.stringify(url.replace(/^.*@/s, '…@'))
  const wrong = (why: string) => new TypeError(`${name} is ${shown}, ${why}`)
  if (parsed === undefined || !/^https?:\/\//i.test(url)) {
    throw wrong(`and should be an http or https address, as in ${baseUrlDefault}`)
  }
  const address = parsed.origin + parsed.pathname.replace(/\/+$/, '')
  if (parsed.search !== '' || parsed.hash !== '' || parsed.username !== '') {
    throw wrong(`and should be an address alone: ${address}`)
  }
  const [root] = address.split(/\/v1(?=\/|$)/) as [string]
  if (root !== address) throw wrong(`and the client adds /v1 by itself: give ${root}`)
  return address
}
