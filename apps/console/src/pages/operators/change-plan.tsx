import { Alert, Button, Group, NativeSelect, Stack, Table } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { AnswerOf } from 'memory-service-sdk'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialogue } from '../../parts/dialogue.tsx'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Form } from '../../parts/form.tsx'
import { useOnce } from '../../parts/once.ts'
import { Shown } from '../../parts/stored-text.tsx'
import { useMemory } from '../../parts/use-place.ts'
import { useNumbers } from '../../parts/when.tsx'

export type Plans = AnswerOf<'GET /v1/admin/plans'>['plans']
type Plan = Plans[number]

interface Props {
  organization: { id: string; name: string; plan: Plan['name'] }
  plans: Plans
}

/** Gives an organization another plan, and back the one that it had. */
export function ChangePlan({ organization: { id, name, plan }, plans }: Props) {
  const { t } = useTranslation()
  const { client } = useMemory()
  const queryClient = useQueryClient()
  const [isOpen, { open, close }] = useDisclosure()
  const [chosen, setChosen] = useState(plan)
  const [before, setBefore] = useState<Plan['name']>()
  const changing = useMutation({
    mutationFn: (to: Plan['name']) => client.admin.changePlan(id, { plan: to }),
    onSuccess: async (_, to) => {
      setBefore(to === before ? undefined : plan)
      close()
      await queryClient.invalidateQueries({ queryKey: ['operators', 'organizations'] })
    },
  })
  const { begin } = useOnce(changing)
  const limits = plans.find((each) => each.name === chosen)?.limits
  return (
    <Stack gap="xs" align="flex-start">
      <Button
        variant="default"
        size="xs"
        disabled={changing.isPending}
        onClick={() => {
          setChosen(plan)
          changing.reset()
          open()
        }}
      >
        {t('organizations.change')}
      </Button>
      {before === undefined ? null : (
        <Alert
          variant="outline"
          role="status"
          title={t('organizations.changed', { from: t(`plan.${before}`), to: t(`plan.${plan}`) })}
        >
          <Button size="xs" variant="default" loading={changing.isPending} onClick={() => begin(before)}>
            {t('undo')}
          </Button>
        </Alert>
      )}
      {changing.error === null || isOpen ? null : <ErrorNote error={changing.error} />}
      <Dialogue
        opened={isOpen}
        onClose={close}
        title={<Shown text={t('organizations.changeOf', { name })} />}
        closeOnEscape={!changing.isPending}
        closeOnClickOutside={!changing.isPending}
        closeButtonProps={{ disabled: changing.isPending }}
      >
        <Form label={t('organizations.change')} onSend={() => changing.mutateAsync(chosen)}>
          <NativeSelect
            label={t('organizations.plan')}
            data={plans.map((each) => ({ value: each.name, label: t(`plan.${each.name}`) }))}
            value={chosen}
            onChange={({ target }) =>
              setChosen(plans.find((each) => each.name === target.value)?.name ?? plan)
            }
          />
          {limits === undefined ? null : <Limits limits={limits} />}
          {changing.error === null ? null : <ErrorNote error={changing.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close} disabled={changing.isPending}>
              {t('cancel')}
            </Button>
            <Button type="submit" loading={changing.isPending} disabled={chosen === plan}>
              {t('save')}
            </Button>
          </Group>
        </Form>
      </Dialogue>
    </Stack>
  )
}

const limitNames = ['patterns', 'queries_per_day', 'api_keys', 'members'] as const

function Limits({ limits }: { limits: Plan['limits'] }) {
  const { t } = useTranslation()
  const numbers = useNumbers()
  return (
    <Table aria-label={t('organizations.limits')}>
      <Table.Tbody>
        {limitNames.map((name) => (
          <Table.Tr key={name}>
            <Table.Th scope="row">{t(`organizations.limit.${name}`)}</Table.Th>
            <Table.Td>{limits[name] < 0 ? t('organizations.unlimited') : numbers(limits[name])}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
