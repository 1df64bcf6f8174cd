import { Button, Checkbox, Group, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Asked } from '../../parts/asked.tsx'
import { useAsking } from '../../parts/asking.ts'
import { readFilter } from '../../parts/filter.ts'
import { Form } from '../../parts/form.tsx'
import { ButtonLink } from '../../parts/links.tsx'
import { type Listed, MemoryCard } from '../../parts/memory-card.tsx'
import { Narrowing } from '../../parts/narrowing.tsx'
import { Nothing, Page } from '../../parts/page.tsx'
import { Pages } from '../../parts/pages.tsx'
import { useMemory } from '../../parts/use-place.ts'
import { useNumbers } from '../../parts/when.tsx'
import { onlyWhenAsked } from '../../queries.ts'
import { type MemoriesSearch, type Way, ways } from '../../searches.ts'

const route = getRouteApi('/inside/memories')

/** A page of a list, and as many as a search by meaning answers at most. */
const listed = 25

interface Found {
  memories: (Listed & { similarity?: number })[]
  next: string | null
}

export function Memories() {
  const { t } = useTranslation()
  const search = route.useSearch()
  return (
    <Page title={t('memories.title')} text={t('memories.text')}>
      {/* Whoever comes by another address finds its fields filled in. */}
      <SearchForm key={JSON.stringify({ ...search, cursor: undefined })} search={search} />
      <Results search={search} />
    </Page>
  )
}

function SearchForm({ search }: { search: MemoriesSearch }) {
  const { t } = useTranslation()
  const navigate = route.useNavigate()
  const asking = useAsking(['memories'])
  const [given, setGiven] = useState({
    way: search.way ?? ('newest' satisfies Way),
    q: search.q ?? '',
    subject: search.subject ?? '',
    filter: search.filter ?? '',
    all: search.all ?? false,
  })
  const [isWrong, setWrong] = useState(readFilter(search.filter).isWrong === true)
  const set = (changed: Partial<typeof given>) => setGiven((before) => ({ ...before, ...changed }))
  const go = ({ way, q, subject, filter, all }: typeof given) => {
    const wrong = readFilter(filter).isWrong === true
    setWrong(wrong)
    if (wrong) return
    const search: MemoriesSearch = {
      way: way === 'newest' ? undefined : way,
      q: way === 'newest' ? undefined : q || undefined,
      subject: subject || undefined,
      filter: filter.trim() || undefined,
      all: all || undefined,
    }
    void asking(() => navigate({ search }))
  }
  return (
    <Form label={t('memories.search')} onSend={() => go(given)}>
      <SegmentedControl
        aria-label={t('memories.way')}
        data={ways.map((value) => ({ value, label: t(`memories.way.${value}`) }))}
        value={given.way}
        onChange={(value) => {
          const way = ways.find((each) => each === value) ?? 'newest'
          set({ way })
          if (way === 'newest') go({ ...given, way })
        }}
      />
      {given.way === 'newest' ? null : (
        <TextInput
          label={t(`memories.q.${given.way}`)}
          description={given.way === 'words' ? t('memories.wordsHint') : undefined}
          dir="auto"
          required
          value={given.q}
          onChange={({ currentTarget }) => set({ q: currentTarget.value })}
        />
      )}
      <Narrowing value={given} onChange={set} isWrong={isWrong} />
      <Group>
        <Button type="submit">{t('memories.do')}</Button>
        <Checkbox
          label={t('memories.all')}
          checked={given.all}
          onChange={({ currentTarget }) => set({ all: currentTarget.checked })}
        />
      </Group>
    </Form>
  )
}

/** As many words as a filter has room for beside another: a longer text is looked for as it stands. */
const wordsMax = 50

/** A filter for texts that have each of some words, in whatever order, beside what else is asked of them. */
function ofWords(q: string, filter: Record<string, unknown> | undefined) {
  const words = q.match(/\S+/g) ?? []
  const parts = words.length === 0 || words.length > wordsMax ? [q] : words
  return {
    $and: [
      ...(filter === undefined ? [] : [filter]),
      ...parts.map((part) => ({ $text: { $contains: part } })),
    ],
  }
}

function useFound(search: MemoriesSearch) {
  const { client, key } = useMemory()
  const { way = 'newest', q, subject, cursor, all } = search
  const { filter, isWrong } = readFilter(search.filter)
  const narrowed = {
    // null would ask for what is of no subject.
    ...(subject === undefined ? {} : { subject }),
    ...(filter === undefined ? {} : { filter }),
    include_superseded: all ?? false,
  }
  return useQuery({
    queryKey: ['memories', ...key, search],
    ...(way === 'meaning' ? onlyWhenAsked : {}),
    enabled: isWrong !== true && (way === 'newest' || q !== undefined),
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<Found> => {
      if (way === 'meaning') {
        // Looking at a memory from here is no use that it should learn from.
        const asked = { ...narrowed, query: q ?? '', top_k: listed, read_only: true }
        const { results } = await client.text.retrieve(asked, { signal })
        return { memories: results, next: null }
      }
      const words = way === 'words' && q !== undefined ? { filter: ofWords(q, filter) } : {}
      const asked = { ...narrowed, ...words, order: '-created_at' as const, limit: listed }
      const page = await client.patterns.search({ ...asked, cursor: cursor ?? null }, { signal })
      return { memories: page.patterns, next: page.next_cursor }
    },
  })
}

function Results({ search }: { search: MemoriesSearch }) {
  const { t } = useTranslation()
  const found = useFound(search)
  const numbers = useNumbers()
  if (readFilter(search.filter).isWrong) return null
  if (found.fetchStatus === 'idle' && found.isPending) return <Text>{t('memories.askFirst')}</Text>
  return (
    <Asked query={found}>
      {({ memories, next }) => (
        <>
          {memories.length === 0 ? <None search={search} /> : null}
          <Stack component="ul" gap="sm" p={0} m={0} style={{ listStyle: 'none' }}>
            {memories.map((memory) => (
              <MemoryCard key={memory.pattern_id} memory={memory}>
                {memory.similarity === undefined ? null : (
                  <Text size="xs">{t('similarity', { value: numbers(memory.similarity, 3) })}</Text>
                )}
              </MemoryCard>
            ))}
          </Stack>
          <Pages cursor={search.cursor} next={next} />
        </>
      )}
    </Asked>
  )
}

function None({ search }: { search: MemoriesSearch }) {
  const { t } = useTranslation()
  const isNarrowed = Object.entries(search).some(
    ([name, value]) => value !== undefined && !['way', 'org', 'space', 'all'].includes(name),
  )
  if (isNarrowed) return <Nothing title={t('memories.noneSuch')} />
  return (
    <Nothing title={t('memories.none')}>
      <ButtonLink to="/start" variant="default">
        {t('start.title')}
      </ButtonLink>
    </Nothing>
  )
}
