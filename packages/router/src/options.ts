import { MemoryClient, type MemoryClientOptions } from '@memory/sdk'

/** Metadata that belong to one end user: what they store gets it, and only what has it is theirs. */
export type Scope = Readonly<Record<string, string | number | boolean>>

export interface Hooks<Request> {
  /** Says whether a request is let in; false is a 403. Throw a `RefusedError` for another answer. */
  authorize?: ((request: Request) => boolean | Promise<boolean>) | undefined
  /**
   * The metadata of the end user whom a request is from. With this hook every request is kept to them: what is stored
   * gets the metadata, what is found and forgotten has it, and a request without a scope is refused.
   */
  scope?: ((request: Request) => Scope | undefined | Promise<Scope | undefined>) | undefined
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

export function clientOf<Request>(options: MemoryRouterOptions<Request>): MemoryClient {
  return options.client ?? new MemoryClient(options)
}

/** The prefix with a slash before it and none behind; empty for the root. */
export function prefixOf({ prefix = '/memory' }: { prefix?: string | undefined }): string {
  const path = prefix.replace(/^\/+|\/+$/g, '')
  return path === '' ? '' : `/${path}`
}

/**
 * Asks the hooks about a request.
 * @returns the scope to keep it to; undefined where there is no such hook
 * @throws RefusedError
 */
export async function admit<Request>(hooks: Hooks<Request>, request: Request): Promise<Scope | undefined> {
  if (hooks.authorize !== undefined && !(await hooks.authorize(request))) {
    throw new RefusedError(403, 'Forbidden')
  }
  if (hooks.scope === undefined) return undefined
  const scope = await hooks.scope(request)
  // An empty filter would be none: everybody's memory.
  if (scope === undefined || Object.keys(scope).length === 0) {
    throw new RefusedError(403, 'The request belongs to no user')
  }
  return scope
}
