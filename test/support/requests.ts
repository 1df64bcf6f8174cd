/** An answer with its body read. */
export interface Answer {
  status: number
  headers: Headers
  // Tests look into bodies freely; what they expect is what they check.
  // biome-ignore lint/suspicious/noExplicitAny: the body's shape is what is under test
  body: any
}

/** Sends a request, with its body as JSON (a string or Buffer as it is), and reads the answer. */
export async function send(
  url: string,
  method: string,
  headers: Record<string, string>,
  body?: unknown,
): Promise<Answer> {
  const sent =
    body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body)
  const response = await fetch(url, {
    method,
    headers: { ...(sent === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers },
    body: Buffer.isBuffer(sent) ? new Uint8Array(sent) : (sent ?? null),
  })
  const text = await textOf(response)
  // Downloads are files of other types.
  const isJson = /^application\/json/.test(response.headers.get('content-type') ?? '')
  return {
    status: response.status,
    headers: response.headers,
    body: isJson ? JSON.parse(text) : text || undefined,
  }
}

/** The body of an answer as text. A stream has no end: of it, what it says until its first event. */
async function textOf(response: Response): Promise<string> {
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return response.text()
  let text = ''
  const decoder = new TextDecoder()
  // Leaving the loop hangs up.
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    if (/^event: [\s\S]*\n\n/m.test(text)) break
  }
  return text
}

/** The verbs of HTTP over one way of sending a request. */
export abstract class Requests {
  /** Sends `body` as JSON (a string or Buffer as it is). */
  abstract request(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer>

  get(path: string, headers?: Record<string, string>): Promise<Answer> {
    return this.request('GET', path, undefined, headers)
  }

  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer> {
    return this.request('POST', path, body, headers)
  }

  put(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer> {
    return this.request('PUT', path, body, headers)
  }

  patch(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer> {
    return this.request('PATCH', path, body, headers)
  }

  delete(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer> {
    return this.request('DELETE', path, body, headers)
  }
}
