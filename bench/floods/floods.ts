/** What one client does to a service. */
export interface Flood {
  sockets: number
  /** Requests that each sends without waiting for an answer. */
  pipelined: number
  /** Whether it reads what it is answered. */
  reads: boolean
  /** @param key of the organization that floods */
  request(key: string): Buffer
}

/** Patterns of the flooding organization with the longest values, which any query of one number finds. */
export const longPatterns = 100
/** Queries whose answer is about 240 MB of JSON. */
export const batchQueries = 27
/** Texts of the flooding organization, and the bytes of metadata of each. */
export const listedTexts = 200
export const listedMetadataBytes = 2_000

const get = (key: string, path: string) =>
  Buffer.from(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-API-Key: ${key}\r\n\r\n`)

function post(path: string, body: unknown, key?: string): Buffer {
  const text = JSON.stringify(body)
  const credentials = key === undefined ? '' : `X-API-Key: ${key}\r\n`
  return Buffer.from(
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${credentials}Content-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text}`,
  )
}

const list = (key: string) => get(key, '/v1/memory/patterns?limit=200')
const madeUp = () => post('/v1/auth/refresh', { refresh_token: 'x'.repeat(43) })

export const floods: Readonly<Record<string, Flood>> = {
  '1,000 lists in one pipeline': { sockets: 1, pipelined: 1_000, reads: true, request: list },
  'lists from 200 sockets': { sockets: 200, pipelined: 1, reads: true, request: list },
  '1,000 refreshes in one pipeline, made up': {
    sockets: 1,
    pipelined: 1_000,
    reads: true,
    request: madeUp,
  },
  'refreshes from 200 sockets, made up': { sockets: 200, pipelined: 1, reads: true, request: madeUp },
  'batches of 240 MB unread by 18 sockets': {
    sockets: 18,
    pipelined: 1,
    reads: false,
    request: (key) =>
      post(
        '/v1/memory/batch/retrieve',
        { queries: Array.from({ length: batchQueries }, () => ({ embedding: [1], top_k: 100 })) },
        key,
      ),
  },
  'lists unread by 200 sockets': { sockets: 200, pipelined: 100, reads: false, request: list },
}
