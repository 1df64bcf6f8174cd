import { Login } from '@memory/identity/accounts/schema'
import { giveConsent } from '@memory/identity/clients/consent'
import {
  ClientRefused,
  type KnownClient,
  type KnownClients,
  mayRedirect,
} from '@memory/identity/clients/known-clients'
import { ApiError } from '@memory/shared/catalogue/errors'
import type { Request, Response } from 'express'
import type { Context } from '../../context.ts'
import { originOf } from '../authenticate.ts'
import { type ClientScope, clientScopes, sendConsentPage, sendRefusalPage } from './page.ts'

/** What the endpoints of the authorization server work with. */
export interface OauthContext {
  context: Context
  clients: KnownClients
  /** Who issues tokens: the address of the service. */
  issuer: string
}

/** A request for authorization that may be put to a user. */
interface Authorization {
  client: KnownClient
  redirectUri: string
  state: string | undefined
  scopes: ClientScope[]
  codeChallenge: string
}

/** Error codes of RFC 6749, section 4.1.2.1, and RFC 8707. */
type Refusal = 'invalid_request' | 'unsupported_response_type' | 'invalid_scope' | 'invalid_target'

/**
 * The authorization endpoint: shows the user which program asks for what, and takes the password together with the answer. It
 * uses no cookie, which a page of another site could make the browser send: whoever allows something types the password here.
 * @param form the user's answer; undefined to show the page
 */
export async function authorize(
  oauth: OauthContext,
  req: Request,
  res: Response,
  form: URLSearchParams | undefined,
): Promise<void> {
  const query = new URL(req.url, oauth.issuer).searchParams
  const asked = await readAuthorization(oauth, query, req, res)
  if (asked === undefined) return
  const { client, redirectUri, scopes } = asked
  const page = { clientName: client.name, redirectUri, scopes }
  if (form === undefined) {
    sendConsentPage(res, page)
    return
  }
  const decision = form.get('decision')
  // A form that a page of another site sends is not the user's answer. Browsers say where it came from, other programs do not.
  const isOwnPage = [undefined, 'same-origin'].includes(req.headers['sec-fetch-site'])
  if (!isOwnPage || (decision !== 'allow' && decision !== 'deny')) {
    sendConsentPage(res, page)
    return
  }
  if (decision === 'deny') {
    redirect(oauth, res, asked, { error: 'access_denied' })
    return
  }
  const email = form.get('email') ?? ''
  try {
    const code = await consent(oauth, req, res, asked, form)
    redirect(oauth, res, asked, { code })
  } catch (error) {
    if (error instanceof Incomplete) {
      sendConsentPage(res, { ...page, wrong: error.message, email }, 401)
      return
    }
    if (!(error instanceof ApiError) || error.status >= 500) throw error
    if (error.retryAfterS !== undefined) res.setHeader('Retry-After', String(error.retryAfterS))
    sendConsentPage(res, { ...page, wrong: error.detail, email }, error.status)
  }
}

/** Something that the user has to add; the message says what. */
class Incomplete extends Error {
  override name = 'Incomplete'
}

/** Signs the user in, and gives their consent. @returns the code for the program @throws Incomplete; ApiError, to show the user */
async function consent(
  { context }: OauthContext,
  req: Request,
  res: Response,
  { client, redirectUri, scopes: askedFor, codeChallenge }: Authorization,
  form: URLSearchParams,
): Promise<string> {
  const factor = form.get('code')?.replaceAll(/\s/g, '') || undefined
  const credentials = Login.body.safeParse({
    email: form.get('email'),
    password: form.get('password'),
    // Recovery codes are longer, and have letters.
    ...(factor !== undefined && (/^\d{6}$/.test(factor) ? { mfa_code: factor } : { recovery_code: factor })),
  })
  if (!credentials.success) throw new ApiError('invalid_login')
  const scopes = askedFor.filter((scope) => form.getAll('scope').includes(scope))
  if (scopes.length === 0) throw new Incomplete('Choose what it may do')
  const code = await giveConsent(
    { accounts: context.accounts, clientTokens: context.callers.clientTokens },
    credentials.data,
    {
      clientId: client.id,
      clientName: client.name,
      environment: form.get('environment') === 'test' ? 'test' : 'live',
      scopes,
      redirectUri,
      codeChallenge,
    },
    originOf(req, res),
  )
  if (code === undefined) {
    throw new Incomplete('Type the code of your second factor, too')
  }
  return code
}

/**
 * Reads what a program asks for. Faults are shown to the user instead of being sent to the program's address: anybody may register
 * a program, so no link to this service may lead there before the user has read where that is.
 * @returns undefined when the request is refused, and was answered already
 */
async function readAuthorization(
  oauth: OauthContext,
  query: URLSearchParams,
  req: Request,
  res: Response,
): Promise<Authorization | undefined> {
  const { clients, context } = oauth
  const refuse = (error: Refusal) =>
    sendRefusalPage(res, `The client asks for what it can’t have (${error}).`)
  const one = (name: string) => singleOf(query, name)
  let client: KnownClient
  try {
    client = await clients.find(one('client_id') ?? '', originOf(req, res).ip)
  } catch (error) {
    if (!(error instanceof ClientRefused)) throw error
    sendRefusalPage(res, `The client ${error.message}.`)
    return undefined
  }
  const [only, ...others] = client.redirectUris
  const redirectUri = query.has('redirect_uri') ? one('redirect_uri') : others.length === 0 ? only : undefined
  if (redirectUri === undefined || !mayRedirect(client, redirectUri)) {
    sendRefusalPage(res, 'The address that the client wants you to be sent to is none that it has named.')
    return undefined
  }
  if (one('response_type') !== 'code') return refuse('unsupported_response_type')
  const codeChallenge = one('code_challenge')
  const isChallenge = codeChallenge !== undefined && /^[\w-]{43}$/.test(codeChallenge)
  if (!isChallenge || one('code_challenge_method') !== 'S256') return refuse('invalid_request')
  const resource = one('resource')
  if (query.has('resource') && resource !== context.callers.clientTokens.resource)
    return refuse('invalid_target')
  const scopes = scopesOf(one('scope'))
  if (scopes === undefined) return refuse('invalid_scope')
  return { client, redirectUri, state: one('state'), scopes, codeChallenge }
}

/** A parameter that was sent exactly once; undefined when it was not sent, or several times. */
export function singleOf(parameters: URLSearchParams, name: string): string | undefined {
  const [value, ...others] = parameters.getAll(name)
  return others.length === 0 ? value : undefined
}

/** The scopes that a program asks for, by default all; undefined when it asks for one that no program gets. */
function scopesOf(scope: string | undefined): ClientScope[] | undefined {
  const all = Object.keys(clientScopes) as ClientScope[]
  const named = scope?.split(' ').filter((each) => each !== '') ?? []
  if (named.length === 0) return all
  return named.every((each) => Object.hasOwn(clientScopes, each))
    ? all.filter((each) => named.includes(each))
    : undefined
}

/** Sends the browser back to the program, with the answer and who gives it (`iss`, RFC 9207). */
function redirect(
  { issuer }: OauthContext,
  res: Response,
  { redirectUri, state }: Pick<Authorization, 'redirectUri' | 'state'>,
  answer: Record<string, string>,
): void {
  const parameters = new URLSearchParams({ ...answer, ...(state !== undefined && { state }), iss: issuer })
  // The address as it was registered: parsing and writing it again might change it.
  res.setHeader('Location', `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${parameters}`)
  res.statusCode = 303
  res.end()
}
