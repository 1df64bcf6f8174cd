import { createHash } from 'node:crypto'
import { refreshTokenDays } from '@memory/identity/tokens/lifetimes'
import { ApiError } from '@memory/shared/catalogue/errors'
import { isSameSecret } from '@memory/shared/platform/same-secret'
import type { HttpHeaders } from '../http/endpoint.ts'

// A page's session is in two cookies: the refresh token, which no script can read; and a token made of it, which only pages of
// this origin can read. They send it in a header, which proves that a request is theirs.

/** The page that a request comes from. */
interface Page {
  secure: boolean
  /** Cookies do not tell ports apart, and two services may run on one machine. */
  port: string
}

/**
 * The page of this service that a request comes from: browsers name a page's origin with each request that changes something.
 * @param publicBaseUrl where browsers reach the service, when a setting says so
 * @throws ApiError foreign_page
 */
function pageOf(http: HttpHeaders, publicBaseUrl: string | undefined): Page {
  const origin = http.header('origin') ?? ''
  const url = URL.parse(origin)
  const isOwn =
    url !== null &&
    (url.host === http.header('host') ||
      (publicBaseUrl !== undefined && url.origin === new URL(publicBaseUrl).origin))
  if (!isOwn) throw new ApiError('foreign_page')
  return { secure: url.protocol === 'https:', port: url.port || '80' }
}

const nameOf = (kind: 'session' | 'csrf', { secure, port }: Page) =>
  secure ? `__Host-memory-${kind}` : `memory-${kind}-${port}`

const csrfTokenOf = (refreshToken: string) =>
  createHash('sha256').update(`csrf ${refreshToken}`).digest('base64url')

/** The cookies of a request from a page of this service. */
export class SessionCookies {
  readonly #http: HttpHeaders
  readonly #page: Page

  /** @throws ApiError foreign_page */
  constructor(http: HttpHeaders, publicBaseUrl: string | undefined) {
    this.#http = http
    this.#page = pageOf(http, publicBaseUrl)
  }

  /** The refresh token. @throws ApiError not_authenticated without one, foreign_page without the token made of it */
  read(): string {
    const name = `${nameOf('session', this.#page)}=`
    const cookies = this.#http.header('cookie')?.split(/; */) ?? []
    const refreshToken = cookies.find((cookie) => cookie.startsWith(name))?.slice(name.length)
    if (refreshToken === undefined || refreshToken === '') throw new ApiError('not_authenticated')
    const given = this.#http.header('x-csrf-token') ?? ''
    if (!isSameSecret(given, csrfTokenOf(refreshToken))) throw new ApiError('foreign_page')
    return refreshToken
  }

  keep(refreshToken: string): void {
    this.#set(refreshToken, csrfTokenOf(refreshToken), refreshTokenDays * 86_400)
  }

  clear(): void {
    this.#set('', '', 0)
  }

  #set(refreshToken: string, csrfToken: string, maxAgeS: number): void {
    const attributes = `; Path=/; Max-Age=${maxAgeS}; SameSite=Strict${this.#page.secure ? '; Secure' : ''}`
    this.#http.setHeader('Set-Cookie', [
      `${nameOf('session', this.#page)}=${refreshToken}${attributes}; HttpOnly`,
      `${nameOf('csrf', this.#page)}=${csrfToken}${attributes}`,
    ])
  }
}
