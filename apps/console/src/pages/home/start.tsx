import { Anchor, Code, Group, List, Stack, Text, Title } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Trans, useTranslation } from 'react-i18next'
import { ActButton } from '../../parts/act-button.tsx'
import { Asked } from '../../parts/asked.tsx'
import { Copyable } from '../../parts/copyable.tsx'
import { ErrorNote } from '../../parts/error-note.tsx'
import { PageLink } from '../../parts/links.tsx'
import { MemoryCard } from '../../parts/memory-card.tsx'
import { isAdministrator, OfOrganization, useOrganization } from '../../parts/of-organization.tsx'
import { Nothing, Page } from '../../parts/page.tsx'
import { ShownOnce } from '../../parts/shown-once.tsx'
import { shellQuoted } from '../../parts/snippets.ts'
import { useMemory } from '../../parts/use-place.ts'
import { askingAgain } from '../../queries.ts'
import { apiUrl } from '../../session/page-address.ts'
import { type LocalKey, session } from '../../session/session.ts'
import { StoreMemory } from './store-memory.tsx'

/** A person looks from the terminal to the page in about that time. */
const arriveMs = 1_000
const shown = 5

export function Start() {
  const { t } = useTranslation()
  const local = useLocalKey()
  const [made, setMade] = useState<string>()
  const key = made ?? local?.key
  return (
    <Page title={t('start.title')} text={t('start.text')}>
      <List
        type="ordered"
        spacing="xl"
        withPadding={false}
        listStyleType="none"
        styles={{ itemWrapper: wide, itemLabel: wide }}
      >
        <List.Item>
          <Step title={t('start.key')}>
            <Key made={made} local={local} onMade={setMade} />
          </Step>
        </List.Item>
        <List.Item>
          <Step title={t('start.store')}>
            <StoreMemory example={t('start.example')} />
            <Text size="sm">{t('start.orTerminal')}</Text>
            <Copyable text={storeCommand(key)} label={t('start.storeLabel')} />
          </Step>
        </List.Item>
        <List.Item>
          <Step title={t('start.arrives')}>
            <Arriving />
          </Step>
        </List.Item>
      </List>
      <Group>
        <PageLink to="/playground" search={{ q: t('start.question') }}>
          {t('start.askIt')}
        </PageLink>
        <Anchor href={`${apiUrl}/docs`}>{t('start.reference')}</Anchor>
      </Group>
    </Page>
  )
}

const wide = { width: '100%', display: 'block' }

/** The local key, where the page is about its organization, and about the live space, which it is of. */
function useLocalKey(): LocalKey | undefined {
  const { place } = useMemory()
  const organization = useOrganization()
  const { localKey } = session
  const isHere = place.space === undefined && organization?.id === localKey?.organization_id
  return isHere ? localKey : undefined
}

function storeCommand(key: string | undefined): string {
  return `curl -s ${apiUrl}/v1/memory/text/store -H ${key === undefined ? '"X-API-Key: $MEMORY_SERVICE_API_KEY"' : shellQuoted(`X-API-Key: ${key}`)} \\
  -H 'Content-Type: application/json' -d '{"text": "Ada moved to Lisbon in May."}'`
}

function Step({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        {title}
      </Title>
      {children}
    </Stack>
  )
}

interface KeyProps {
  made: string | undefined
  local: LocalKey | undefined
  onMade: (key: string) => void
}

function Key({ made, local, onMade }: KeyProps) {
  const { t } = useTranslation()
  const { client, place } = useMemory()
  const making = useMutation({
    mutationFn: () => client.apiKeys.create({ name: t('start.keyName'), environment: place.space ?? 'live' }),
    onSuccess: ({ key }) => onMade(key),
  })
  if (made !== undefined) {
    return <ShownOnce text={made} label={t('keys.new')} once={t('keys.once')} />
  }
  return (
    <>
      {local === undefined ? null : (
        <>
          <Copyable text={local.key} label={t('start.localKey')} />
          <Text size="sm">
            <Trans i18nKey="start.keyFile" values={{ file: local.file }} components={{ file: <Code /> }} />
          </Text>
        </>
      )}
      {making.error === null ? null : <ErrorNote error={making.error} />}
      <OfOrganization>
        {({ role }) =>
          isAdministrator(role) ? (
            <div>
              <ActButton variant={local === undefined ? 'filled' : 'default'} doing={making}>
                {t(local === undefined ? 'start.makeKey' : 'start.makeAnother')}
              </ActButton>
            </div>
          ) : (
            <Text>{t('keys.notAdmin')}</Text>
          )
        }
      </OfOrganization>
    </>
  )
}

/** The newest memories, as they come. */
function Arriving() {
  const { t } = useTranslation()
  const { client, key } = useMemory()
  const memories = useQuery({
    queryKey: ['memories', ...key, 'arriving'],
    queryFn: ({ signal }) => client.patterns.search({ order: '-created_at', limit: shown }, { signal }),
    refetchInterval: ({ state }) => askingAgain(state.error, arriveMs),
  })
  return (
    <Asked query={memories}>
      {({ patterns }) => (
        <div role="log" aria-label={t('start.arrives')}>
          {patterns.length === 0 ? (
            <Nothing title={t('start.waiting')} />
          ) : (
            <Stack component="ul" gap="sm" p={0} m={0} style={{ listStyle: 'none' }}>
              {patterns.map((memory) => (
                <MemoryCard key={memory.pattern_id} memory={memory} />
              ))}
            </Stack>
          )}
        </div>
      )}
    </Asked>
  )
}
