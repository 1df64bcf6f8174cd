import { Badge, Button, Checkbox, Code, NativeSelect, Paper, Stack, Table, Text, Title } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { AnswerOf } from 'memory-service-sdk'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Asked } from '../../parts/asked.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Form } from '../../parts/form.tsx'
import { Listing } from '../../parts/listing.tsx'
import { isAdministrator, OfOrganization, useIsAdministrator } from '../../parts/of-organization.tsx'
import { Nothing, Page } from '../../parts/page.tsx'
import { InPages } from '../../parts/pages.tsx'
import { ShownOnce } from '../../parts/shown-once.tsx'
import { Shown } from '../../parts/stored-text.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { useMemory } from '../../parts/use-place.ts'
import { When } from '../../parts/when.tsx'

const route = getRouteApi('/inside/keys')

type Key = AnswerOf<'GET /v1/api-keys'>[number]
type Made = AnswerOf<'POST /v1/api-keys'>

export function Keys() {
  const { t } = useTranslation()
  const { client, key } = useMemory()
  const { page } = route.useSearch()
  const keys = useQuery({
    queryKey: ['keys', ...key],
    queryFn: ({ signal }) => client.apiKeys.list({ signal }),
  })
  return (
    <Page title={t('keys.title')} text={t('keys.text')}>
      <OfOrganization>
        {({ role }) => (isAdministrator(role) ? <NewKey /> : <Text>{t('keys.notAdmin')}</Text>)}
      </OfOrganization>
      <Title order={2} size="h3">
        {t('keys.list')}
      </Title>
      <Asked query={keys}>
        {(keys) =>
          keys.length === 0 ? (
            <Nothing title={t('keys.none')} />
          ) : (
            <InPages items={keys} page={page} parameter="page">
              {(shown) => <List keys={shown} />}
            </InPages>
          )
        }
      </Asked>
    </Page>
  )
}

/** What a key may do, from least to most. */
const rights = {
  read: ['memory:read'],
  write: ['memory:read', 'memory:write'],
  all: null,
} as const
type Right = keyof typeof rights
/** Which of them a key has; undefined for one that was made with other scopes. */
const rightOf = (scopes: Key['scopes']) =>
  Object.keys(rights)
    .filter(isRight)
    .find((right) => JSON.stringify(rights[right]) === JSON.stringify(scopes?.toSorted() ?? null))

const isRight = (name: string): name is Right => Object.hasOwn(rights, name)

function NewKey() {
  const { t } = useTranslation()
  const { client, place } = useMemory()
  const queryClient = useQueryClient()
  const [name, setName] = useState('')
  const [right, setRight] = useState<Right>('write')
  const [isTest, setTest] = useState(place.space === 'test')
  // None goes from the page for the next one: each is shown this once.
  const [made, setMade] = useState<Made[]>([])
  const making = useMutation({
    mutationFn: () => {
      const scopes = rights[right]
      return client.apiKeys.create({
        name,
        environment: isTest ? 'test' : 'live',
        scopes: scopes === null ? null : [...scopes],
      })
    },
    onSuccess: async (key) => {
      setMade((before) => [key, ...before])
      setName('')
      await queryClient.invalidateQueries({ queryKey: ['keys'] })
    },
  })
  return (
    <Paper withBorder p="md">
      <Stack>
        <Title order={2} size="h3">
          {t('keys.make')}
        </Title>
        <Form label={t('keys.make')} onSend={() => making.mutateAsync()} error={making.error}>
          <TextField
            name="name"
            label={t('keys.name')}
            required
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
          <NativeSelect
            label={t('keys.may')}
            data={Object.keys(rights).map((value) => ({ value, label: t(`keys.may.${value as Right}`) }))}
            value={right}
            onChange={({ target }) => setRight(isRight(target.value) ? target.value : 'read')}
          />
          <Checkbox
            label={t('keys.test')}
            checked={isTest}
            onChange={({ currentTarget }) => setTest(currentTarget.checked)}
          />
          {making.error === null ? null : <ErrorNote error={making.error} />}
          <Button type="submit" loading={making.isPending} style={{ alignSelf: 'flex-start' }}>
            {t('keys.do')}
          </Button>
        </Form>
        {made.map(({ id, key, name }) => (
          <ShownOnce
            key={id}
            text={key}
            label={t('keys.newOf', { name })}
            once={t('keys.onceOf', { name })}
          />
        ))}
      </Stack>
    </Paper>
  )
}

function List({ keys }: { keys: readonly Key[] }) {
  const { t } = useTranslation()
  const mayRevoke = useIsAdministrator()
  return (
    <Listing
      label={t('keys.list')}
      minWidth={700}
      heads={[
        t('keys.name'),
        t('keys.begins'),
        t('space'),
        t('keys.may'),
        t('keys.used'),
        t('keys.expires'),
        ...(mayRevoke ? [t('keys.revoke')] : []),
      ]}
    >
      {keys.map((key) => (
        <OneKey key={key.id} apiKey={key} mayRevoke={mayRevoke} />
      ))}
    </Listing>
  )
}

function OneKey({ apiKey, mayRevoke }: { apiKey: Key; mayRevoke: boolean }) {
  const { id, name, key_prefix: prefix, environment, scopes, last_used_at: used } = apiKey
  const { subject, shared, expires_at: expires } = apiKey
  const right = rightOf(scopes)
  const { t } = useTranslation()
  const { client } = useMemory()
  const queryClient = useQueryClient()
  const revoking = useMutation({
    mutationFn: () => client.apiKeys.revoke(id),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['keys'] }),
  })
  return (
    <Table.Tr>
      <Table.Td dir="auto" className="stored">
        <Shown text={name} />
      </Table.Td>
      <Table.Td>
        <Code>{prefix}…</Code>
      </Table.Td>
      <Table.Td>{t(`space.${environment}`)}</Table.Td>
      <Table.Td>
        {right === undefined ? scopes?.join(', ') : t(`keys.may.${right}`)}
        {subject === null ? null : (
          <Text size="xs" dir="auto" className="stored">
            <Shown text={t(shared ? 'keys.subjectShared' : 'keys.subject', { subject })} />
          </Text>
        )}
      </Table.Td>
      <Table.Td>{used === null ? t('keys.never') : <When at={used} />}</Table.Td>
      <Table.Td>
        {expires === null ? t('keys.never') : <When at={expires} />}{' '}
        {expires !== null && Date.parse(expires) <= Date.now() ? (
          <Badge color="red.9" variant="filled">
            {t('keys.expired')}
          </Badge>
        ) : null}
      </Table.Td>
      {mayRevoke ? (
        <Table.Td>
          <Confirm
            label={t('keys.revoke')}
            text={<Shown text={t('keys.sure', { name })} />}
            doing={revoking}
          />
        </Table.Td>
      ) : null}
    </Table.Tr>
  )
}
