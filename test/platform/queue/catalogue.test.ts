import { jobs, jobTypes } from '@memory/shared/catalogue/jobs'
import { queueSchemaVersion } from '@memory/shared/platform/database/queue-schema'
import { LATEST_SCHEMA_VERSION } from 'bullmq'
import { expect, it } from 'vitest'
import { z } from 'zod'

interface Described {
  type?: string
  format?: string
  enum?: unknown[]
  properties?: Record<string, Described>
}

it.each(jobTypes)('S1 a job %s carries ids and numbers, no texts', (type) => {
  const { properties = {} } = z.toJSONSchema(jobs[type].payload) as Described
  const texts = Object.entries(properties).filter(
    ([, { type, format = '', enum: values }]) =>
      !['integer', 'number', 'boolean'].includes(type ?? '') &&
      values === undefined &&
      !['uuid', 'guid', 'date-time'].includes(format),
  )
  expect(texts).toEqual([])
})

it('migrates the schema that the library asks for', () => {
  expect(queueSchemaVersion).toBe(LATEST_SCHEMA_VERSION)
})
