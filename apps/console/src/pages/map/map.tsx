import { Button, Group, SegmentedControl, SimpleGrid, Stack, Switch, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Asked } from '../../parts/asked.tsx'
import { useAsking } from '../../parts/asking.ts'
import { readFilter } from '../../parts/filter.ts'
import { Form } from '../../parts/form.tsx'
import { ButtonLink } from '../../parts/links.tsx'
import { Narrowing } from '../../parts/narrowing.tsx'
import { Nothing, Page } from '../../parts/page.tsx'
import { unseen } from '../../parts/unseen.ts'
import { useMemory } from '../../parts/use-place.ts'
import { useNumbers } from '../../parts/when.tsx'
import { onlyWhenAsked } from '../../queries.ts'
import { type MapColouring, type MapSearch, mapColourings } from '../../searches.ts'
import { MapCanvas } from './canvas.tsx'
import { type Kind, kindsOf, type SpaceMap } from './kinds.ts'
import { Legend } from './legend.tsx'
import { LookedAt } from './looked-at.tsx'
import type { Scene } from './painter.ts'

const route = getRouteApi('/inside/map')

/** As many as the service maps at most. */
const points = 20_000

export function SpaceMapPage() {
  const { t } = useTranslation()
  const search = route.useSearch()
  const { client, key } = useMemory()
  const { subject, filter, dimensions } = search
  const { filter: narrowed, isWrong } = readFilter(filter)
  const map = useQuery({
    ...onlyWhenAsked,
    queryKey: ['map', ...key, subject, filter, dimensions],
    enabled: isWrong !== true,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      client.patterns.map(
        {
          limit: points,
          dimensions,
          // Whoever names no end user must not say so by undefined.
          ...(subject === undefined ? {} : { subject }),
          ...(narrowed === undefined ? {} : { filter: JSON.stringify(narrowed) }),
        },
        { signal },
      ),
  })
  return (
    <Page title={t('map.title')} text={t('map.text')}>
      <Narrow key={JSON.stringify([subject, filter])} search={search} />
      {isWrong ? null : (
        <Asked query={map}>
          {(map) =>
            map.pattern_ids.length === 0 ? (
              <None isNarrowed={map.total > 0 || subject !== undefined || narrowed !== undefined} />
            ) : (
              <Drawn map={map} search={search} />
            )
          }
        </Asked>
      )}
    </Page>
  )
}

function None({ isNarrowed }: { isNarrowed: boolean }) {
  const { t } = useTranslation()
  if (isNarrowed) return <Nothing title={t('memories.noneSuch')} />
  return (
    <Nothing title={t('memories.none')}>
      <ButtonLink to="/start" variant="default">
        {t('start.title')}
      </ButtonLink>
    </Nothing>
  )
}

function Narrow({ search }: { search: MapSearch }) {
  const { t } = useTranslation()
  const navigate = route.useNavigate()
  const asking = useAsking(['map'])
  const [given, setGiven] = useState({ subject: search.subject ?? '', filter: search.filter ?? '' })
  const { subject, filter } = given
  const [isWrong, setWrong] = useState(readFilter(search.filter).isWrong === true)
  const go = () => {
    const wrong = readFilter(filter).isWrong === true
    setWrong(wrong)
    if (wrong) return
    const isSame = subject === (search.subject ?? '') && filter.trim() === (search.filter ?? '')
    const narrowed = {
      ...search,
      subject: subject || undefined,
      filter: filter.trim() || undefined,
      // Among others there may be none of this length.
      dimensions: isSame ? search.dimensions : undefined,
    }
    void asking(() => navigate({ search: narrowed }))
  }
  return (
    <Form label={t('map.narrow')} onSend={go}>
      <Narrowing
        value={given}
        onChange={(changed) => setGiven((before) => ({ ...before, ...changed }))}
        isWrong={isWrong}
      />
      <Button type="submit" variant="default" style={{ alignSelf: 'flex-start' }}>
        {t('map.show')}
      </Button>
    </Form>
  )
}

function Drawn({ map, search }: { map: SpaceMap; search: MapSearch }) {
  const { t } = useTranslation()
  const navigate = route.useNavigate()
  const numbers = useNumbers()
  // A point is one of its map alone: in another the number names another memory.
  const [choice, setChoice] = useState<{ map: SpaceMap; point: number | undefined }>()
  const chosen = choice?.map === map ? choice.point : undefined
  const by = search.by ?? 'cluster'
  const { kinds, of } = useMemo(() => kindsOf(map, by), [map, by])
  const scene = useMemo(() => sceneOf(map, kinds, of, search.links === true), [map, kinds, of, search.links])
  const idOf = (point: number | undefined) => (point === undefined ? undefined : map.pattern_ids[point])
  return (
    <Stack>
      <Controls by={by} linked={map.associations.from.length} search={search} />
      <SimpleGrid cols={{ base: 1, md: 2 }} className="map-beside">
        <Stack gap="xs">
          <MapCanvas
            label={t('map.of', { count: map.pattern_ids.length })}
            describedBy="map-keys"
            scene={scene}
            chosen={chosen}
            onChoose={(point) => setChoice({ map, point })}
            onOpen={(point) => {
              const id = idOf(point)
              if (id !== undefined) void navigate({ to: '/memories/$id', params: { id }, search: {} })
            }}
          >
            <LookedAt id={idOf(chosen)} />
          </MapCanvas>
          <Text size="xs" id="map-keys">
            {t('map.keys')}
          </Text>
        </Stack>
        <Stack gap="xs">
          <Text size="sm">
            {map.pattern_ids.length === map.total
              ? t('map.all', { count: map.total, shown: numbers(map.total) })
              : t('map.some', { shown: numbers(map.pattern_ids.length), total: numbers(map.total) })}
          </Text>
          <Lengths map={map} search={search} />
          <Legend kinds={kinds} by={by} search={search} />
        </Stack>
      </SimpleGrid>
    </Stack>
  )
}

function Controls({ by, linked, search }: { by: MapColouring; linked: number; search: MapSearch }) {
  const { t } = useTranslation()
  const navigate = route.useNavigate()
  const show = (changed: MapSearch) => void navigate({ search: { ...search, ...changed }, replace: true })
  return (
    <Group justify="space-between">
      <SegmentedControl
        aria-label={t('map.by')}
        data={mapColourings.map((value) => ({ value, label: t(`map.by.${value}`) }))}
        value={by}
        onChange={(value) => {
          const by = mapColourings.find((each) => each === value)
          show({ by: by === 'cluster' ? undefined : by })
        }}
      />
      <Switch
        label={t('map.links', { count: linked })}
        disabled={linked === 0}
        checked={search.links ?? false}
        onChange={({ currentTarget }) => show({ links: currentTarget.checked || undefined })}
      />
    </Group>
  )
}

/** What else the space holds: vectors of other lengths have a map of their own. */
function Lengths({ map, search }: { map: SpaceMap; search: MapSearch }) {
  const { t } = useTranslation()
  const others = map.lengths.filter(({ dimensions }) => dimensions !== map.dimensions)
  return others.map(({ dimensions, patterns }) => (
    <ButtonLink
      key={dimensions}
      to="/map"
      search={{ ...search, dimensions }}
      variant="default"
      size="xs"
      style={{ alignSelf: 'flex-start' }}
    >
      {t('map.length', { dimensions, count: patterns })}
    </ButtonLink>
  ))
}

function sceneOf(map: SpaceMap, kinds: Kind[], of: Uint8Array, withLinks: boolean): Scene {
  return {
    x: map.x,
    y: map.y,
    kind: of,
    marks: kinds.map(({ mark }) => mark),
    // A canvas can't name what is unseen.
    labels: map.clusters.map(({ words, x, y }, n) => ({
      text: `${n + 1} ${(words[0] ?? '').replace(unseen, '').slice(0, 20)}`,
      x,
      y,
    })),
    links: withLinks ? map.associations : undefined,
  }
}
