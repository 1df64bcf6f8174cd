import type { Answer } from './client.ts'

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
