import { Mixture } from '../vectors/mixture.ts'

/** A request as it is sent. */
export interface LoadRequest {
  method: 'GET' | 'POST'
  path: string
  body?: Buffer
}

/** What one organization does while another is measured. */
export interface Load {
  connections: number
  /** Makes the requests; called once, before the load begins. */
  requests(): (at: number) => LoadRequest
}

/** Of the organization that makes the load: found by batches of queries, and by filters. */
export const vectorPatterns = 10_000
export const vectorDimensions = 384
export const filteredPatterns = 100_000
export const filteredDimensions = 64
/** Values of the metadata's field `kind`. */
export const filteredKinds = 10

const toBody = (value: unknown): Buffer => Buffer.from(JSON.stringify(value))
const longText = '机器学习系统需要可靠的长期记忆来保存用户的偏好和历史事件并在需要时准确地找回它们'
  .repeat(300)
  .slice(0, 10_000)
/** Another text each time, so that none is known from before. */
const turned = (at: number): string => longText.slice(at) + longText.slice(0, at)

const post = (path: string, body?: unknown): LoadRequest => ({
  method: 'POST',
  path,
  ...(body !== undefined && { body: toBody(body) }),
})
const always = (connections: number, request: LoadRequest): Load => ({
  connections,
  requests: () => () => request,
})

export const loads: Readonly<Record<string, Load>> = {
  'long texts': {
    connections: 4,
    requests: () => (at) =>
      post('/v1/memory/text/batch-store', {
        items: Array.from({ length: 4 }, (_, i) => ({ text: turned((4 * at + i) % longText.length) })),
      }),
  },
  'batches of queries': {
    connections: 4,
    requests: () => {
      const mixture = new Mixture(vectorDimensions, 100, 2)
      const queries = Array.from({ length: 1_000 }, () => ({
        embedding: Array.from(mixture.next()),
        top_k: 10,
      }))
      const request = post('/v1/memory/batch/retrieve', { queries })
      return () => request
    },
  },
  'acceleration benchmark': {
    connections: 1,
    requests: () => () =>
      post('/v1/memory/acceleration/benchmark', {
        operations: ['cosine', 'einsum', 'hdc_bind', 'top_k', 'hopfield', 'quantized_top_k', 'slerp'],
        n_iterations: 10_000,
      }),
  },
  imports: {
    connections: 4,
    requests: () => {
      const mixture = new Mixture(vectorDimensions, 100, 3)
      const vectors = post('/v1/memory/batch/store', {
        patterns: Array.from({ length: 1_000 }, () => ({ key: Array.from(mixture.next()), value: [1] })),
      })
      return (at) =>
        at % 2 === 0
          ? vectors
          : post('/v1/memory/text/batch-store', {
              items: Array.from({ length: 50 }, (_, i) => ({
                text: `Imported line ${50 * at + i} of a file.`,
              })),
            })
    },
  },
  filters: {
    connections: 4,
    requests: () => {
      const mixture = new Mixture(filteredDimensions, 100, 4)
      const kind = Array.from({ length: filteredKinds / 2 }, (_, i) => i)
      return () =>
        post('/v1/memory/query', { embedding: Array.from(mixture.next()), top_k: 10, filter: { kind } })
    },
  },
  deletions: {
    connections: 1,
    requests: () => {
      const mixture = new Mixture(vectorDimensions, 100, 5)
      const stored = post('/v1/memory/batch/store', {
        patterns: Array.from({ length: 1_000 }, () => ({
          key: Array.from(mixture.next()),
          value: [1],
          subject: 'gone',
        })),
      })
      const removed = post('/v1/memory/patterns/delete', { subject: 'gone' })
      // 5,000 of one end user at once.
      return (at) => (at % 6 === 5 ? removed : stored)
    },
  },
  sleep: always(4, post('/v1/memory/sleep', { batch_size: 20 })),
  explore: always(4, post('/v1/memory/explore', { batch_size: 20 })),
  'detect-spurious': always(4, post('/v1/memory/explore/detect-spurious')),
  suggestions: always(4, { method: 'GET', path: '/v1/memory/explore/suggestions' }),
}
