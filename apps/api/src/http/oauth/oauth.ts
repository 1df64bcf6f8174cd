import {
  type ClientAnswer,
  exchangeCode,
  refreshClient,
  revokeClient,
} from '@memory/identity/clients/consent'
import { ClientRefused, KnownClients } from '@memory/identity/clients/known-clients'
import { ApiError } from '@memory/shared/catalogue/errors'
import { limits } from '@memory/shared/catalogue/limits'
import { linkBaseOf } from '@memory/shared/platform/config'
import type { Request, RequestHandler, Response } from 'express'
import type { Context } from '../../context.ts'
import { originOf } from '../authenticate.ts'
import { parseBody, readBytes } from '../body.ts'
import { whenAbandoned } from '../endpoint.ts'
import { sendError } from '../error-answers.ts'
import { isForOwnHost } from '../mcp/meant.ts'
import { resourceMetadataPath } from '../mcp/paths.ts'
import { authorize, type OauthContext, singleOf } from './authorize.ts'
import { clientScopes } from './page.ts'

/**
 * An authorization server for the MCP server alone: authorization code with PKCE for public clients (OAuth 2.1), on the accounts
 * of the service.
 */
export function answerOauth(context: Context): RequestHandler {
  const { config, admission } = context
  const reading = { gate: context.webhooks.gate, throttle: context.accounts.throttle }
  const clients = new KnownClients(
    context.secrets.deriveAll('mcp clients'),
    config.http.clientDocuments ? reading : undefined,
  )
  const oauth: OauthContext = { context, clients, issuer: linkBaseOf(config) }
  const answers = answersOf(oauth)
  return (req, res, next) => {
    const route = answers[req.path]
    if (route === undefined) {
      next()
      return
    }
    res.locals.route = req.path
    const answer = route[req.method === 'HEAD' ? 'GET' : req.method]
    if (answer === undefined) {
      res.setHeader('Allow', Object.keys(route).join(', '))
      sendError(res, new ApiError('method_not_allowed'))
      return
    }
    if (!isForOwnHost(req, config.http)) {
      next(new ApiError('foreign_origin'))
      return
    }
    const asker = {
      lane: admission.laneOf(undefined, originOf(req, res).ip),
      signal: whenAbandoned(res),
      spent: res.locals.spent,
    }
    // Read before the turn begins, so that a slow sender holds no turn.
    const body =
      req.method === 'POST' ? readBytes(req, res, limits.authBodyBytes) : Promise.resolve(undefined)
    body.then((bytes) => admission.admit(asker, async () => answer(req, res, bytes))).catch(next)
  }
}

/** @param bytes the body of a POST */
type Answer = (req: Request, res: Response, bytes: Buffer | undefined) => void | Promise<void>

function answersOf(oauth: OauthContext): Record<string, Record<string, Answer>> {
  const { issuer, clients, context } = oauth
  const { clientTokens } = context.callers
  const metadata = (document: object) => ({ GET: (_req: Request, res: Response) => void res.json(document) })
  const resource = metadata({
    resource: clientTokens.resource,
    authorization_servers: [issuer],
    scopes_supported: Object.keys(clientScopes),
    bearer_methods_supported: ['header'],
    resource_name: 'Memory Service',
  })
  return {
    '/.well-known/oauth-protected-resource': resource,
    [resourceMetadataPath]: resource,
    '/.well-known/oauth-authorization-server': metadata({
      issuer,
      authorization_endpoint: `${issuer}/oauth/authorize`,
      token_endpoint: `${issuer}/oauth/token`,
      registration_endpoint: `${issuer}/oauth/register`,
      revocation_endpoint: `${issuer}/oauth/revoke`,
      scopes_supported: Object.keys(clientScopes),
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_methods_supported: ['none'],
      revocation_endpoint_auth_methods_supported: ['none'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: clients.readsDocuments,
    }),
    '/oauth/authorize': {
      GET: (req, res) => authorize(oauth, req, res, undefined),
      POST: (req, res, bytes) => authorize(oauth, req, res, formOf(req, bytes)),
    },
    '/oauth/token': { POST: (req, res, bytes) => answerToken(oauth, req, res, formOf(req, bytes)) },
    '/oauth/register': { POST: (req, res, bytes) => answerRegistration(oauth, req, res, bytes) },
    '/oauth/revoke': { POST: (req, res, bytes) => answerRevocation(oauth, req, res, formOf(req, bytes)) },
  }
}

/** Errors of RFC 6749, section 5.2, and RFC 8707. */
type TokenError = 'invalid_request' | 'invalid_grant' | 'unsupported_grant_type' | 'invalid_target'

const refuse = (res: Response, error: string, description?: string) =>
  void res.status(400).json({ error, ...(description !== undefined && { error_description: description }) })

async function answerToken(
  { context }: OauthContext,
  req: Request,
  res: Response,
  form: URLSearchParams,
): Promise<void> {
  const one = (name: string) => singleOf(form, name) ?? ''
  const { clientTokens } = context.callers
  const refused = (error: TokenError) => refuse(res, error)
  if (form.has('resource') && one('resource') !== clientTokens.resource) return refused('invalid_target')
  const clientsContext = { accounts: context.accounts, clientTokens }
  const clientId = one('client_id')
  let after = () => {}
  let answer: ClientAnswer
  try {
    if (one('grant_type') === 'authorization_code') {
      const [code, redirectUri, codeVerifier] = [one('code'), one('redirect_uri'), one('code_verifier')]
      if (!clientId || !code || !redirectUri || !/^[\w.~-]{43,128}$/.test(codeVerifier))
        return refused('invalid_request')
      const presented = { code, clientId, redirectUri, codeVerifier }
      answer = await exchangeCode(clientsContext, presented, originOf(req, res))
    } else if (one('grant_type') === 'refresh_token') {
      const refreshToken = one('refresh_token')
      if (!clientId || !refreshToken) return refused('invalid_request')
      const refreshing = {
        origin: originOf(req, res),
        arrivedMs: res.locals.arrivedMs,
        afterAnswer: (work: () => void) => {
          after = work
        },
      }
      answer = await refreshClient(clientsContext, { refreshToken, clientId }, refreshing)
    } else return refused('unsupported_grant_type')
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error
    if (error.code === 'refresh_in_progress' || error.status === 429) return comeBack(res, error.retryAfterS)
    return refused('invalid_grant')
  }
  res.once('finish', after)
  res.json(answer)
}

/** Asks the client to try again: its token is still valid, and after `invalid_grant` it would throw it away. */
function comeBack(res: Response, seconds = 1): void {
  res.setHeader('Retry-After', String(seconds))
  res.status(503).json({ error: 'temporarily_unavailable' })
}

/** Dynamic registration (RFC 7591) of public clients: nothing is stored of them. */
async function answerRegistration(
  { clients }: OauthContext,
  req: Request,
  res: Response,
  bytes: Buffer | undefined,
): Promise<void> {
  try {
    const metadata = (await parseBody(req, bytes, limits.authBodyBytes))?.value
    const { id, name, redirectUris } = clients.register(metadata)
    res.status(201).json({
      client_id: id,
      client_name: name,
      redirect_uris: redirectUris,
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    })
  } catch (error) {
    if (!(error instanceof ClientRefused)) throw error
    refuse(res, 'invalid_client_metadata', `The client ${error.message}.`)
  }
}

/** Revocation (RFC 7009): whatever is presented, the answer is the same. */
async function answerRevocation(
  { context }: OauthContext,
  req: Request,
  res: Response,
  form: URLSearchParams,
): Promise<void> {
  const { accounts, callers } = context
  const presented = { token: form.get('token') ?? '', clientId: form.get('client_id') ?? '' }
  await revokeClient({ accounts, clientTokens: callers.clientTokens }, presented, originOf(req, res))
  res.status(200).end()
}

/** The fields of a body that is a form; none for any other body. */
function formOf(req: Request, bytes: Buffer | undefined): URLSearchParams {
  const isForm = /^application\/x-www-form-urlencoded\s*(;|$)/i.test(req.headers['content-type'] ?? '')
  return new URLSearchParams(isForm ? bytes?.toString('utf8') : '')
}
