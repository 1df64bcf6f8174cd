import { ConnectionError } from 'memory-service-sdk'
import { afterEach, expect, it, vi } from 'vitest'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

it.each([
  ['begins', () => undefined],
  ['ends', () => new Response(new ReadableStream())],
])('a session is not waited for without an end where an answer never %s', async (_, answer) => {
  const page = { baseURI: 'http://127.0.0.1:8000/console/', querySelector: () => null, cookie: '' }
  vi.stubGlobal('document', page)
  vi.stubGlobal('location', new URL(page.baseURI))
  const limit = new AbortController()
  const limits = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal)
  const asked = Promise.withResolvers<void>()
  vi.stubGlobal('fetch', async (_url: string, { signal }: RequestInit) => {
    const late = new Promise<never>((_, reject) =>
      signal?.addEventListener('abort', () => reject(signal.reason)),
    )
    late.catch(() => {})
    asked.resolve()
    const response = answer()
    return response === undefined ? late : Object.assign(response, { text: () => late })
  })
  const { postSession } = await import('../../apps/console/src/session/post.ts')
  const renewed = postSession('refresh')
  await asked.promise
  expect(limits).toHaveBeenCalledWith(60_000)
  limit.abort(new DOMException('The time is over', 'TimeoutError'))
  await expect(renewed).rejects.toThrow(ConnectionError)
})
