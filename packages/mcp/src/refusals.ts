import { isInitializeRequest, parseJSONRPCMessage } from '@modelcontextprotocol/server'

/** Why a message is not taken, as JSON-RPC has it. */
export interface Refusal {
  id?: unknown
  code: number
  message: string
}

/**
 * What a message is refused for before anything is done with it, alike over HTTP and stdio; undefined for one that is taken.
 * @param message undefined for what is no JSON
 */
export function refusalOf(message: unknown): Refusal | undefined {
  if (message === undefined) return { code: -32_700, message: 'Parse error: this is no JSON' }
  // No batches, which could contain thousands of requests; the protocol has removed them too.
  if (Array.isArray(message)) return { code: -32_600, message: 'Invalid Request: send one message at a time' }
  const { id, method } = (message ?? {}) as { id?: unknown; method?: unknown }
  try {
    parseJSONRPCMessage(message)
  } catch {
    return { id: idOf(id), code: -32_600, message: 'Invalid Request: this is no message of JSON-RPC' }
  }
  // The library would call it an error of its own. Where each request says its revision, there is no such method: it says so itself.
  const isInitialize = method === 'initialize' && id !== undefined && !saysRevision(message as object)
  if (isInitialize && !isInitializeRequest(message)) {
    const needed = 'initialize takes protocolVersion, capabilities and clientInfo'
    return { id, code: -32_602, message: `Invalid params: ${needed}` }
  }
  return undefined
}

/** Whether a message says the revision that it is of, as messages of the later ones do. */
const saysRevision = ({ params }: { params?: { _meta?: unknown } }): boolean =>
  Object.hasOwn(Object(params?._meta), 'io.modelcontextprotocol/protocolVersion')

/** What is answered to it. */
export const refused = ({ id = null, ...error }: Refusal) => ({ jsonrpc: '2.0' as const, id, error })

const idOf = (id: unknown): unknown => (typeof id === 'string' || typeof id === 'number' ? id : undefined)
