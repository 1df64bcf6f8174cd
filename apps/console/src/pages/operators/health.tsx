import { Code, Stack, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { AnswerOf } from 'memory-service-sdk'
import { useTranslation } from 'react-i18next'
import { Asked } from '../../parts/asked.tsx'
import { type Fact, Facts } from '../../parts/facts.tsx'
import { Page } from '../../parts/page.tsx'
import { useMemory } from '../../parts/use-place.ts'
import { useNumbers, When } from '../../parts/when.tsx'
import { askingAgain } from '../../queries.ts'
import { useSizes } from './use-sizes.ts'

type Health = AnswerOf<'GET /v1/admin/health'>

const refreshMs = 10_000

export function HealthPage() {
  const { t } = useTranslation()
  const { client } = useMemory()
  const health = useQuery({
    queryKey: ['operators', 'health'],
    queryFn: ({ signal }) => client.admin.health({ signal }),
    refetchInterval: ({ state }) => askingAgain(state.error, refreshMs),
  })
  return (
    <Page title={t('health.title')} text={t('health.text')}>
      <Asked query={health}>
        {(health) => (
          <>
            <Runs health={health} />
            <StandsOn health={health} />
            <Holds health={health} />
          </>
        )}
      </Asked>
    </Page>
  )
}

function Part({ title, facts }: { title: string; facts: readonly Fact[] }) {
  return (
    <Stack component="section" aria-label={title} gap="xs">
      <Title order={2} size="h3">
        {title}
      </Title>
      <Facts label={title} facts={facts} />
    </Stack>
  )
}

function Runs({ health }: { health: Health }) {
  const { t } = useTranslation()
  const numbers = useNumbers()
  const { model, dimensions } = health.encoder
  const facts: Fact[] = [
    [t('health.status'), t(`health.status.${health.status}`, { reason: health.reason ?? '' })],
    [t('health.version'), health.version],
    [
      t('health.commit'),
      health.commit === null ? t('health.unknown') : <Code key="it">{health.commit}</Code>,
    ],
    [t('health.node'), health.node],
    [t('health.started'), <When key="it" at={health.started_at} />],
    [t('health.kernels'), t(`health.kernels.${health.kernels}`)],
    [t('health.encoder'), t('health.dimensions', { model, dimensions: numbers(dimensions) })],
  ]
  return <Part title={t('health.runs')} facts={facts} />
}

function StandsOn({ health: { database, redis, disk } }: { health: Health }) {
  const { t } = useTranslation()
  const sizes = useSizes()
  const ofRedis = () => {
    if (redis === null) return t('health.noRedis')
    return redis.answers ? (redis.version ?? '') : t('health.redisAway')
  }
  const facts: Fact[] = [
    [t('health.database'), t(`health.database.${database.kind}`, { version: database.version })],
    [t('health.migration'), database.migration],
    [t('health.redis'), ofRedis()],
    [
      t('health.disk'),
      disk === null
        ? t('health.unknown')
        : t('health.free', { free: sizes(disk.free_bytes), total: sizes(disk.total_bytes) }),
    ],
  ]
  return <Part title={t('health.standsOn')} facts={facts} />
}

function Holds({ health: { memory, caches, threads } }: { health: Health }) {
  const { t } = useTranslation()
  const sizes = useSizes()
  const numbers = useNumbers()
  const cache = ({ entries, bytes, hits, misses }: Health['caches']['embeddings']) =>
    t('health.cache', {
      entries: numbers(entries),
      size: sizes(bytes),
      hits: numbers(hits),
      misses: numbers(misses),
    })
  const facts: Fact[] = [
    [t('health.resident'), sizes(memory.resident_bytes)],
    [t('health.heap'), sizes(memory.heap_bytes)],
    [t('health.buffers'), sizes(memory.buffer_bytes)],
    [t('health.embeddings'), cache(caches.embeddings)],
    [t('health.payloads'), cache(caches.payloads)],
    [t('health.evictions'), numbers(caches.payloads.evictions)],
    [
      t('health.index'),
      t('health.spaces', { spaces: numbers(caches.index.spaces), size: sizes(caches.index.bytes) }),
    ],
    [t('health.lexical'), sizes(caches.lexical.bytes)],
    [
      t('health.threads'),
      t('health.queued', { threads: numbers(threads.count), queued: numbers(threads.queued) }),
    ],
  ]
  return <Part title={t('health.holds')} facts={facts} />
}
