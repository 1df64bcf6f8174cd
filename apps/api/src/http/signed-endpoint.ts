import { ValidationError } from '@memory/shared/catalogue/errors'
import { limits } from '@memory/shared/catalogue/limits'
import type { Operation, Origin, Output } from '@memory/shared/catalogue/operation'
import type { Request, Response } from 'express'
import type { Context } from '../context.ts'
import { originOf } from './authenticate.ts'
import { parseBody, readBytes } from './body.ts'
import type { Endpoint } from './endpoint.ts'
import { announceHandling, isStrict } from './handling.ts'
import { sendJson } from './send-json.ts'
import { parseRequest, type RequestSchemas, type RequestValue } from './validation/request.ts'

/** A request whose signature the handler has yet to check. */
interface SignedRequest {
  context: Context
  origin: Origin
  /** The value of a header; empty when it is absent. */
  header(name: string): string
  /** The body as it was sent, over which the signature is made. */
  bytes: Buffer
  /** The body's JSON, not yet validated. */
  value: unknown
  /** Validates query, headers and body. @throws ValidationError */
  parse<Schemas extends RequestSchemas>(schemas: Schemas): RequestValue<Schemas>
}

/**
 * Joins an operation's description with its handler, for operations without credentials whose requests are signed over the
 * bytes of their body. The handler must check the signature before it calls `parse`.
 * @param requireReady throws, before the body is read, when this service has the operation turned off
 */
export function signedEndpoint<const Op extends Operation>(
  operation: Op,
  requireReady: (context: Context) => void,
  handler: (request: SignedRequest) => Promise<Output<Op>>,
): Endpoint {
  const bytesMax = operation.bodyBytes ?? limits.authBodyBytes

  async function answer(context: Context, req: Request, res: Response, sent?: Buffer): Promise<void> {
    const body = await parseBody(req, sent, bytesMax)
    const answer = await handler({
      context,
      origin: originOf(req, res),
      header: (name) => req.get(name) ?? '',
      bytes: body?.bytes ?? Buffer.alloc(0),
      value: body?.value,
      parse: (schemas) => {
        const { headers, query } = req
        const handling = { strict: isStrict(headers), onSelector: undefined }
        const parsed = parseRequest(schemas, { query, headers, body: body?.value }, {}, handling)
        announceHandling(res, handling.strict, parsed.ignored)
        if (!parsed.ok) throw new ValidationError(parsed.detail)
        return parsed.value
      },
    })
    sendJson(res, operation.status ?? 200, JSON.stringify(answer))
  }

  return {
    operation,
    handle: async (context, req, res) => {
      requireReady(context)
      // Read before the turn begins, so that a slow sender, who may be anybody until the signature is checked, holds no turn.
      const sent = await readBytes(req, res, bytesMax)
      const lane = context.admission.laneOf(undefined, originOf(req, res).ip)
      await context.admission.admit({ lane }, () => answer(context, req, res, sent))
    },
  }
}
