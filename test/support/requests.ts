/** An answer with its body read. */
export interface Answer {
  status: number
  headers: Headers
  // Tests look into bodies freely; what they expect is what they check.
  // biome-ignore lint/suspicious/noExplicitAny: the body's shape is what is under test
  body: any
}

/** The body of an answer as text. A stream has no end: of it, what it says until its first event. */
export async function textOf(response: Response): Promise<string> {
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
