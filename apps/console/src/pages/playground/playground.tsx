import { Button, NumberInput, SimpleGrid, Stack, Tabs, Text, TextInput, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Asked } from '../../parts/asked.tsx'
import { useAsking } from '../../parts/asking.ts'
import { Copyable } from '../../parts/copyable.tsx'
import { readFilter } from '../../parts/filter.ts'
import { Form } from '../../parts/form.tsx'
import { Narrowing } from '../../parts/narrowing.tsx'
import { Nothing, Page } from '../../parts/page.tsx'
import { requestAs } from '../../parts/snippets.ts'
import { useMemory } from '../../parts/use-place.ts'
import { useNumbers } from '../../parts/when.tsx'
import { onlyWhenAsked } from '../../queries.ts'
import type { PlaygroundSearch } from '../../searches.ts'
import { apiUrl } from '../../session/page-address.ts'
import { RecallFacts, ScoredResults } from './scored-results.tsx'

const route = getRouteApi('/inside/playground')

const answers = 5

export function Playground() {
  const { t } = useTranslation()
  const search = route.useSearch()
  return (
    <Page title={t('playground.title')} text={t('playground.text')}>
      <AskForm key={JSON.stringify(search)} search={search} />
      {search.q === undefined ? (
        <Nothing title={t('playground.ask')} />
      ) : readFilter(search.filter).isWrong ? null : (
        <Both search={search} q={search.q} />
      )}
    </Page>
  )
}

function AskForm({ search }: { search: PlaygroundSearch }) {
  const { t } = useTranslation()
  const navigate = route.useNavigate()
  const asking = useAsking(['recall'], ['retrieve'])
  const [q, setQ] = useState(search.q ?? '')
  const [k, setK] = useState<number | string>(search.k ?? answers)
  const [given, setGiven] = useState({ subject: search.subject ?? '', filter: search.filter ?? '' })
  const { subject, filter } = given
  const [isWrong, setWrong] = useState(readFilter(search.filter).isWrong === true)
  const ask = () => {
    const wrong = readFilter(filter).isWrong === true
    setWrong(wrong)
    if (wrong) return
    const search = {
      q,
      k: Number(k) === answers ? undefined : Number(k),
      subject: subject || undefined,
      filter: filter.trim() || undefined,
    }
    void asking(() => navigate({ search }))
  }
  return (
    <Form label={t('playground.title')} onSend={ask}>
      <TextInput
        label={t('playground.query')}
        dir="auto"
        required
        value={q}
        onChange={({ currentTarget }) => setQ(currentTarget.value)}
      />
      <Narrowing
        value={given}
        onChange={(changed) => setGiven((before) => ({ ...before, ...changed }))}
        isWrong={isWrong}
      >
        <NumberInput
          label={t('playground.k')}
          min={1}
          max={50}
          required
          hideControls
          value={k}
          onChange={setK}
        />
      </Narrowing>
      <Button type="submit" style={{ alignSelf: 'flex-start' }}>
        {t('playground.do')}
      </Button>
    </Form>
  )
}

function bodyOf({ q, k = answers, subject, filter }: PlaygroundSearch & { q: string }) {
  const parsed = readFilter(filter).filter
  return {
    query: q,
    top_k: k,
    ...(subject === undefined ? {} : { subject }),
    ...(parsed === undefined ? {} : { filter: parsed }),
  }
}

function Both({ search, q }: { search: PlaygroundSearch; q: string }) {
  const { t } = useTranslation()
  const body = bodyOf({ ...search, q })
  return (
    <>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Recalled body={body} />
        <Retrieved body={body} />
      </SimpleGrid>
      <Title order={2} size="h3">
        {t('playground.request')}
      </Title>
      <Requests body={body} />
    </>
  )
}

type Body = ReturnType<typeof bodyOf>

/** Asked so that the space learns nothing of it, and each result says what it was ranked by. */
const looked = { explain: true, read_only: true }

function Recalled({ body }: { body: Body }) {
  const { t } = useTranslation()
  const { client, key } = useMemory()
  const recalled = useQuery({
    ...onlyWhenAsked,
    queryKey: ['recall', ...key, body],
    queryFn: ({ signal }) => client.text.recall({ ...body, ...looked }, { signal }),
  })
  return (
    <Stack component="section" aria-label={t('playground.recall')}>
      <Title order={2} size="h3">
        {t('playground.recall')}
      </Title>
      <Asked query={recalled}>
        {({ results, info, latency_ms: ms }) => (
          <>
            <Took ms={ms} />
            <ScoredResults results={results} />
            <RecallFacts info={info} />
          </>
        )}
      </Asked>
    </Stack>
  )
}

function Retrieved({ body }: { body: Body }) {
  const { t } = useTranslation()
  const { client, key } = useMemory()
  const retrieved = useQuery({
    ...onlyWhenAsked,
    queryKey: ['retrieve', ...key, body],
    queryFn: ({ signal }) => client.text.retrieve({ ...body, ...looked }, { signal }),
  })
  return (
    <Stack component="section" aria-label={t('playground.retrieve')}>
      <Title order={2} size="h3">
        {t('playground.retrieve')}
      </Title>
      <Asked query={retrieved}>
        {({ results, latency_ms: ms }) => (
          <>
            <Took ms={ms} />
            <ScoredResults results={results} />
          </>
        )}
      </Asked>
    </Stack>
  )
}

function Took({ ms }: { ms: number }) {
  const { t } = useTranslation()
  const numbers = useNumbers()
  return <Text size="sm">{t('playground.took', { ms: numbers(ms, 1) })}</Text>
}

function Requests({ body }: { body: Body }) {
  const { t } = useTranslation()
  return (
    <Tabs defaultValue="curl" keepMounted={false}>
      <Tabs.List>
        {Object.keys(requestAs).map((language) => (
          <Tabs.Tab key={language} value={language}>
            {language}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {Object.entries(requestAs).map(([language, write]) => (
        <Tabs.Panel key={language} value={language} pt="sm">
          <Copyable text={write(apiUrl, body)} label={`${t('playground.request')}: ${language}`} />
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}
