import * as f from '@memory/shared/catalogue/fields'
import { limits } from '@memory/shared/catalogue/limits'
import { operation } from '@memory/shared/catalogue/operation'
import { z } from 'zod'
import { operations } from './workloads.ts'

const tag = 'Performance'

const AccelerationStatusResponse = z
  .object({
    rust_available: z.boolean().meta({ description: 'Whether the native kernels are loaded.' }),
    operations_accelerated: z
      .array(z.enum(operations))
      .meta({ description: 'What the native kernels compute.' }),
    speedup_factors: z.record(z.string(), z.number()).meta({
      description:
        'JavaScript time / native time, measured on this machine after the start and by each benchmark.',
    }),
    fallback_to_python: z
      .boolean()
      .meta({ description: 'Whether the fallback, which is JavaScript, does the work.' }),
  })
  .meta({ id: 'AccelerationStatus' })

export const AccelerationStatus = operation({
  id: 'accelerationStatus',
  method: 'get',
  path: '/v1/memory/acceleration/status',
  tag,
  summary: 'Whether native kernels are in use, and what they gain',
  access: 'memory:read',
  response: AccelerationStatusResponse,
})

const timeMs = z.number().nonnegative()

const OperationTiming = z
  .object({
    rust_ms: timeMs.nullable().meta({
      description: 'Time of one iteration by the native kernels, in milliseconds; null without them.',
    }),
    python_ms: timeMs.meta({
      description: 'Time of one iteration by the fallback, which is JavaScript, in milliseconds.',
    }),
    speedup: z.number().nullable().meta({ description: 'python_ms / rust_ms.' }),
  })
  .meta({ id: 'OperationTiming' })

export const RunBenchmark = operation({
  id: 'runAccelerationBenchmark',
  method: 'post',
  path: '/v1/memory/acceleration/benchmark',
  tag,
  summary: 'Time the native kernels against the fallback',
  description:
    'Both compute the same on the same data, and their answers are checked to agree before they are timed. It takes one thread at a time in short slices between other requests, and one benchmark runs at a time. After 30 seconds it answers with what it has.',
  access: 'ops:run',
  body: z
    .object({
      operations: f
        .list(f.choice(operations), 1, limits.benchmarkOperations)
        // `default` would not show in the OpenAPI document, since a list is preprocessed.
        .prefault(['cosine', 'einsum', 'hdc_bind'])
        .meta({ description: 'A repeated one counts once.' }),
      n_iterations: f.integer(1, limits.benchmarkIterations).default(100),
    })
    .meta({ id: 'RunBenchmarkRequest' }),
  response: z
    .object({
      results: z.record(z.string(), OperationTiming),
      n_iterations: z.int().meta({ description: 'Iterations that were run of each operation.' }),
      total_duration_ms: z.number().meta({ description: 'With all checks, warm-up and waiting.' }),
    })
    .meta({ id: 'RunBenchmarkResponse' }),
  errors: ['benchmark_running'],
})
