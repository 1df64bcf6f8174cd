import { Button, SegmentedControl, Slider, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
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
import { type Kept, WouldGo } from './would-go.tsx'

const route = getRouteApi('/inside/forget')

/** What is to be forgotten. */
interface Selection {
  by: Forgetting
  of: string
  /** Least similarity, by meaning. */
  threshold: number
}

interface Forgotten {
  count: number
  ids: string[]
  kept: Kept[]
  receipt?: string | undefined
}

/** Forgets, or says what would go. */
async function forget(
  client: MemoryClient,
  { by, of, threshold }: Selection,
  isDry: boolean,
): Promise<Forgotten> {
  if (by === 'subject' && !isDry) {
    const { erased, receipt } = await client.subjects.erase(of)
    return { count: erased, ids: [], kept: [], receipt }
  }
  if (by === 'subject') {
    const { deleted, pattern_ids: ids } = await client.patterns.deleteMany({ subject: of, dry_run: true })
    return { count: deleted, ids, kept: [] }
  }
  const selector = by === 'meaning' ? { query: of, threshold } : { category: of }
  const answer = await client.text.forget({ ...selector, dry_run: isDry })
  return { count: answer.forgotten, ids: answer.pattern_ids, kept: answer.kept, receipt: answer.receipt }
}

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
  const [previewed, setPreviewed] = useState<Selection>()
  const preview = useMutation({ mutationFn: (chosen: Selection) => forget(client, chosen, true) })
  const forgetting = useMutation({
    mutationFn: () => forget(client, selection, false),
    onSuccess: () => queryClient.invalidateQueries(),
  })
  /** What was previewed is what is forgotten: a change asks for another preview. */
  const change = (changed: Partial<Selection>) => {
    setSelection((before) => ({ ...before, ...changed }))
    setPreviewed(undefined)
    forgetting.reset()
  }
  const look = () => {
    forgetting.reset()
    return preview.mutateAsync(selection).then(() => setPreviewed(selection))
  }
  return (
    <>
      <Form label={t('forget.title')} onSend={look} error={preview.error}>
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
      {previewed !== selection || preview.data === undefined || forgetting.isSuccess ? null : (
        <Stack>
          <WouldGo count={preview.data.count} ids={preview.data.ids} kept={preview.data.kept} />
          {preview.data.count === 0 ? null : (
            <div>
              <Confirm
                label={t('forget.do')}
                text={t('forget.sure', { count: preview.data.count })}
                doing={forgetting}
              />
            </div>
          )}
        </Stack>
      )}
      {forgetting.data === undefined ? null : (
        <Erased count={forgetting.data.count} receipt={forgetting.data.receipt} />
      )}
    </>
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
