import { Alert, Button, SegmentedControl, Slider, Stack, Text } from '@mantine/core'
import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { MemoryClient } from 'memory-service-sdk'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Confirm } from '../../parts/confirm.tsx'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Form } from '../../parts/form.tsx'
import { Page } from '../../parts/page.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { useMemory } from '../../parts/use-place.ts'
import { useNumbers } from '../../parts/when.tsx'
import { type Forgetting, forgetThreshold, forgettings } from '../../searches.ts'
import { Erased } from './erased.tsx'
import { type Found, WouldGo } from './would-go.tsx'

const route = getRouteApi('/inside/forget')

/** What is to be forgotten. */
interface Selection {
  by: Forgetting
  of: string
  /** Least similarity, by meaning. */
  threshold: number
}

const selectorOf = ({ by, of, threshold }: Selection) =>
  by === 'meaning' ? { query: of, threshold } : by === 'category' ? { category: of } : { subject: of }

/** What would go. */
const look = (client: MemoryClient, selection: Selection): Promise<Found> =>
  client.text.forget({ ...selectorOf(selection), dry_run: true })

/** What was shown of a selection. */
interface Shown {
  selection: Selection
  found: Found
}

/** Forgets what was shown, or all of a subject. @returns what would go by now, if that is something else: then nothing went */
async function forget(client: MemoryClient, { selection, found }: Shown): Promise<Found | { now: Found }> {
  if (selection.by === 'subject') {
    const { erased, receipt } = await client.subjects.erase(selection.of)
    return { forgotten: erased, pattern_ids: [], kept: [], receipt }
  }
  const now = await look(client, selection)
  return namesOf(now) === namesOf(found) ? client.text.forget(selectorOf(selection)) : { now }
}

const namesOf = ({ pattern_ids, versions }: Found) => JSON.stringify([pattern_ids.toSorted(), versions])

export function Forget() {
  const { t } = useTranslation()
  const search = route.useSearch()
  return (
    <Page title={t('forget.title')} text={t('forget.text')}>
      <ForgetForm key={JSON.stringify(search)} by={search.by ?? 'meaning'} of={search.of ?? ''} />
    </Page>
  )
}

function ForgetForm({ by: first, of: given }: { by: Forgetting; of: string }) {
  const { t } = useTranslation()
  const { client } = useMemory()
  const queryClient = useQueryClient()
  const [selection, setSelection] = useState<Selection>({
    by: first,
    of: given,
    threshold: forgetThreshold.usual,
  })
  const [shown, setShown] = useState<Shown>()
  const preview = useMutation({ mutationFn: (of: Selection) => look(client, of) })
  const forgetting = useMutation({
    mutationFn: () => forget(client, shown as Shown),
    onSuccess: (done) => {
      if ('now' in done) setShown({ selection, found: done.now })
      return queryClient.invalidateQueries()
    },
  })
  /** What was shown is what is forgotten: a change asks for another preview. */
  const change = (changed: Partial<Selection>) => {
    setSelection((before) => ({ ...before, ...changed }))
    setShown(undefined)
    forgetting.reset()
  }
  const show = () => {
    forgetting.reset()
    return preview.mutateAsync(selection).then((found) => setShown({ selection, found }))
  }
  const { data: done } = forgetting
  return (
    <>
      <Form label={t('forget.title')} onSend={show} error={preview.error}>
        <Chosen selection={selection} onChange={change} isDisabled={forgetting.isPending} />
        {preview.error === null ? null : <ErrorNote error={preview.error} />}
        <Button
          type="submit"
          loading={preview.isPending}
          disabled={forgetting.isPending}
          style={{ alignSelf: 'flex-start' }}
        >
          {t('forget.preview')}
        </Button>
      </Form>
      {done !== undefined && 'now' in done ? (
        <Alert variant="outline" role="alert" title={t('forget.changed')}>
          {t('forget.changedHint')}
        </Alert>
      ) : null}
      {done !== undefined && 'forgotten' in done ? (
        <Erased count={done.forgotten} versions={done.versions} receipt={done.receipt} />
      ) : shown?.selection !== selection ? null : (
        <Stack>
          <WouldGo found={shown.found} />
          <Doing shown={shown} doing={forgetting} />
        </Stack>
      )}
    </>
  )
}

/** The button that forgets, where there is something to. */
function Doing({
  shown: { selection, found },
  doing,
}: {
  shown: Shown
  doing: UseMutationResult<Found | { now: Found }, Error, void>
}) {
  const { t } = useTranslation()
  const { forgotten: count, versions = 0 } = found
  const isSubject = selection.by === 'subject'
  // Of a subject there may be what is not among what is shown: what was learned of them, and kept answers.
  if (!isSubject && count + versions === 0) return null
  const text = count === 0 ? t('forget.versions', { versions }) : t('forget.sure', { count })
  return (
    <div>
      <Confirm label={t('forget.do')} text={isSubject ? t('subject.eraseText') : text} doing={doing} />
    </div>
  )
}

/** What the service calls what is forgotten by. */
const fieldNames = { meaning: 'query', category: 'category', subject: 'subject' } as const satisfies Record<
  Forgetting,
  string
>

interface ChosenProps {
  selection: Selection
  onChange: (changed: Partial<Selection>) => void
  /** While it is being forgotten: the receipt is of what the fields say. */
  isDisabled: boolean
}

function Chosen({ selection: { by, of, threshold }, onChange, isDisabled }: ChosenProps) {
  const { t } = useTranslation()
  const numbers = useNumbers()
  return (
    <>
      <SegmentedControl
        aria-label={t('forget.by')}
        data={forgettings.map((value) => ({ value, label: t(`forget.by.${value}`) }))}
        disabled={isDisabled}
        value={by}
        onChange={(value) => onChange({ by: forgettings.find((each) => each === value) ?? 'meaning' })}
      />
      <TextField
        name={fieldNames[by]}
        label={t(`forget.of.${by}`)}
        dir="auto"
        required
        disabled={isDisabled}
        value={of}
        onChange={({ currentTarget }) => onChange({ of: currentTarget.value })}
      />
      {by === 'meaning' ? (
        <div>
          <Text size="sm" id="threshold">
            {t('forget.threshold', { value: numbers(threshold, 2) })}
          </Text>
          <Slider
            thumbProps={{ 'aria-labelledby': 'threshold' }}
            min={forgetThreshold.least}
            max={forgetThreshold.most}
            step={0.01}
            label={null}
            disabled={isDisabled}
            value={threshold}
            onChange={(value) => onChange({ threshold: value })}
          />
        </div>
      ) : null}
    </>
  )
}
