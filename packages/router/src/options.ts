import { isInvisible, MemoryClient, type MemoryClientOptions } from 'memory-service-sdk'

/** Metadata that belong to one end user: what they store gets it, and only what has it is theirs. */
export type Scope = Readonly<Record<string, string | number | boolean>>

export interface Hooks<Request> {
  /** Says whether a request is let in; false is a 403. Throw a `RefusedError` for another answer. */
  authorize?: ((request: Request) => boolean | Promise<boolean>) | undefined
  /**
   * The metadata of the end user whom a request is from. With this hook every request is kept to them: what is stored
   * gets the metadata, what is found and forgotten has it, and a request without a scope, or with a value that is
   * missing or empty in it, is refused.
   */
  scope?: ((request: Request) => Scope | undefined | Promise<Scope | undefined>) | undefined
  /**
   * The name of the end user whom a request is from, as the service knows them (`subject`). With this hook what is stored
   * is theirs, only what is theirs is found and forgotten, and a request without a name is refused. With `scope` too both
   * hold.
   */
  subject?: ((request: Request) => string | undefined | Promise<string | undefined>) | undefined
}

/** Whom a request is kept to, by each of the hooks that there is. */
export interface KeptTo {
  scope: Scope | undefined
  subject: string | undefined
}

export type MemoryRouterOptions<Request> = Hooks<Request> & {
  /** Path under which the endpoints are; `/memory` unless said. */
  prefix?: string | undefined
  /** How `query` searches: `recall`, by everything that the space has learned, or `retrieve`, by meaning alone. */
  search?: 'recall' | 'retrieve' | undefined
} & ({ client: MemoryClient } | (MemoryClientOptions & { client?: undefined }))

/** A request that is not answered as asked. */
export class RefusedError extends Error {
  override name = 'RefusedError'
  readonly status: number
  /** A sentence, or the entries of a 422. */
  readonly detail: string | readonly object[]

  constructor(status: number, detail: string | readonly object[]) {
    super(typeof detail === 'string' ? detail : 'The request is not valid')
    this.status = status
    this.detail = detail
  }
}

/**
 * @throws TypeError for a hook that is no function, or an option that there is not, as a misspelt hook: requests would fail, or
 * not be kept to anybody; and for a client of `forSubject`, which can't ask for the space as a whole, as the counts do: the hook `subject` keeps requests to a user
 */
export function clientOf<Request>(options: MemoryRouterOptions<Request>): MemoryClient {
  const { authorize, scope, subject, prefix, search, client: own, ...others } = options
  for (const [hook, given] of Object.entries({ authorize, scope, subject })) {
    if (given !== undefined && typeof given !== 'function') throw new TypeError(`${hook} must be a function`)
  }
  // The client refuses those that it has not.
  const client = own ?? new MemoryClient(others)
  const [beside] = own === undefined ? [] : Object.keys(others)
  if (beside !== undefined) throw new TypeError(`${beside} is no option beside a client`)
  if (client.subject !== undefined)
    throw new TypeError('Give the client itself, and the end user by the hook `subject`')
  return client
}

/** The prefix with a slash before it and none behind; empty for the root. */
export function prefixOf({ prefix = '/memory' }: { prefix?: string | undefined }): string {
  const path = prefix.replace(/^\/+|\/+$/g, '')
  return path === '' ? '' : `/${path}`
}

/**
 * Asks the hooks about a request.
 * @returns whom to keep it to
 * @throws RefusedError
 */
export async function admit<Request>(hooks: Hooks<Request>, request: Request): Promise<KeptTo> {
  if (hooks.authorize !== undefined && !(await hooks.authorize(request))) {
    throw new RefusedError(403, 'Forbidden')
  }
  return {
    scope: hooks.scope && scopeOf(await hooks.scope(request)),
    subject: hooks.subject && subjectOf(await hooks.subject(request)),
  }
}

function scopeOf(given: unknown): Scope {
  const scope = isPlain(given) ? { ...given } : {}
  const values = Object.values(scope)
  if (values.length === 0 || !values.every(tellsApart)) throw ofNobody()
  return scope as Scope
}

/** Null would be the patterns of nobody, and nothing those of everybody. */
function subjectOf(given: unknown): string {
  if (typeof given !== 'string' || !tellsApart(given)) throw ofNobody()
  return given
}

const ofNobody = () => new RefusedError(403, 'The request belongs to no user')

/** An object as literals make it: what a class, a map or a promise holds would not be sent. */
function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  const prototype = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/** Whether a value tells users apart. JSON leaves undefined out, and a filter without it finds everybody's memory. */
const tellsApart = (value: unknown): boolean =>
  typeof value === 'string' ? !isInvisible(value) : typeof value === 'boolean' || Number.isFinite(value)
