/** What a page of the console sends and keeps, as a browser does it for a page of an origin. */
export class BrowserSession {
  readonly #url: string
  readonly #origin: string | undefined
  readonly #jar = new Map<string, string>()
  /** The cookies of the last answer that had some, without their values. */
  received: { name: string; attributes: string[] }[] = []

  /** @param origin the service's own unless said; null sends none */
  constructor(url: string, origin: string | null = url) {
    this.#url = url
    this.#origin = origin ?? undefined
  }

  /** The value of a cookie; undefined where there is none. */
  cookie(kind: 'session' | 'csrf'): string {
    for (const [name, value] of this.#jar) if (name.includes(`memory-${kind}`)) return value
    throw new Error(`There is no ${kind} cookie.`)
  }

  /** Another one that has the same cookies. */
  copy(origin: string | null | undefined = this.#origin): BrowserSession {
    const other = new BrowserSession(this.#url, origin)
    for (const [name, value] of this.#jar) other.#jar.set(name, value)
    return other
  }

  async post(
    name: string,
    body?: object,
    accessToken?: string,
    csrf: string = [...this.#jar].find(([name]) => name.includes('csrf'))?.[1] ?? '',
    more: Record<string, string> = {},
  ) {
    const cookies = [...this.#jar].filter(([, value]) => value !== '')
    const response = await fetch(`${this.#url}/console/session/${name}`, {
      method: 'POST',
      headers: {
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(this.#origin === undefined ? {} : { Origin: this.#origin }),
        ...(accessToken === undefined ? {} : { Authorization: `Bearer ${accessToken}` }),
        'X-CSRF-Token': csrf,
        Cookie: cookies.map((pair) => pair.join('=')).join('; '),
        ...more,
      },
      body: body === undefined ? null : JSON.stringify(body),
    })
    this.#keep(response.headers.getSetCookie())
    return { status: response.status, body: await response.json() }
  }

  #keep(cookies: string[]): void {
    if (cookies.length > 0) this.received = []
    for (const cookie of cookies) {
      const [pair = '', ...attributes] = cookie.split('; ')
      const [name = '', value = ''] = pair.split('=')
      this.#jar.set(name, value)
      this.received.push({ name, attributes })
    }
  }
}
