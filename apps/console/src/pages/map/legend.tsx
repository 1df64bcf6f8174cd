import { Group, Stack, Text, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { readFilter } from '../../parts/filter.ts'
import { PageLink } from '../../parts/links.tsx'
import { Shown } from '../../parts/stored-text.tsx'
import { useNumbers, useTimes } from '../../parts/when.tsx'
import type { MapColouring, MapSearch } from '../../searches.ts'
import type { Kind } from './kinds.ts'
import { type Mark, pixelsOf } from './marks.ts'

interface Props {
  kinds: Kind[]
  by: MapColouring
  /** What the map is narrowed to, which the lists are too. */
  search: MapSearch
}

/** What the marks mean: the same as a list for who does not see the map, each with the memories that it stands for. */
export function Legend({ kinds, by, search: { subject, filter } }: Props) {
  const { t } = useTranslation()
  const numbers = useNumbers()
  return (
    <section aria-labelledby="map-legend">
      <Title order={2} size="h4" id="map-legend" mb="xs">
        {t(`map.legend.${by}`)}
      </Title>
      <Stack component="ul" gap={6} p={0} m={0} style={{ listStyle: 'none' }}>
        {kinds.map((kind, n) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the place of a kind is its name
          <Group component="li" key={n} gap="xs" wrap="nowrap" align="flex-start">
            <Sample mark={kind.mark} />
            {kind.search === undefined ? (
              <Name what={kind.what} />
            ) : (
              <PageLink
                to="/memories"
                search={{ ...kind.search, subject, filter: both(filter, kind.search.filter) }}
                size="sm"
              >
                <Name what={kind.what} />
              </PageLink>
            )}
            <Text size="sm" ml="auto">
              {numbers(kind.count)}
            </Text>
          </Group>
        ))}
      </Stack>
    </section>
  )
}

/** The filter that takes what both take. */
function both(a: string | undefined, b: string | undefined): string | undefined {
  const [first, second] = [readFilter(a).filter, readFilter(b).filter]
  if (first === undefined) return b
  return second === undefined ? a : JSON.stringify({ $and: [first, second] })
}

function Name({ what }: { what: Kind['what'] }) {
  const { t } = useTranslation()
  const times = useTimes()
  if (what.by === 'tier') return t(`map.tier.${what.tier}`)
  if (what.by === 'age') return t('map.age', { from: times(what.from), to: times(what.to) })
  if (what.words.length === 0) return t('map.nameless', { number: what.number })
  return (
    <>
      {`${what.number} `}
      <span dir="auto" className="stored">
        <Shown text={what.words.join(', ')} />
      </span>
    </>
  )
}

const radius = 6

/** A mark as the map has it. */
function Sample({ mark }: { mark: Mark }) {
  const path = pixelsOf(mark.shape, radius)
    .map(([x, y]) => `M${x + radius} ${y + radius}h1v1h-1z`)
    .join('')
  return (
    <svg width={16} height={16} viewBox="0 0 14 14" aria-hidden="true" className="map-sample">
      <path d={path} fill={mark.colour} />
    </svg>
  )
}
