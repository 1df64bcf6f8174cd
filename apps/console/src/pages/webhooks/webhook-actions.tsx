import { Group } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ActButton } from '../../parts/act-button.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { ErrorNote } from '../../parts/error-note.tsx'
import { ShownOnce } from '../../parts/shown-once.tsx'
import { useMemory } from '../../parts/use-place.ts'
import { type Hook, hostOf } from './webhook.ts'

/** Everything that is known of webhooks is asked for again. */
export function useWebhookNews() {
  const queryClient = useQueryClient()
  return () =>
    Promise.all(
      ['webhooks', 'webhook', 'deliveries', 'delivery'].map((name) =>
        queryClient.invalidateQueries({ queryKey: [name] }),
      ),
    )
}

interface Props {
  hook: Hook
  /** After it was deleted. */
  onGone?: () => Promise<void>
  children?: ReactNode
}

/** Turns a webhook on and off, and deletes it. */
export function WebhookActions({ hook, onGone, children }: Props) {
  const { t } = useTranslation()
  const { client } = useMemory()
  const tell = useWebhookNews()
  const setStatus = (status: Hook['status']) => () => client.webhooks.update(hook.id, { status })
  const enabling = useMutation({ mutationFn: setStatus('active'), onSuccess: tell })
  const disabling = useMutation({ mutationFn: setStatus('disabled'), onSuccess: tell })
  const deleting = useMutation({
    mutationFn: () => client.webhooks.delete(hook.id),
    onSuccess: async () => {
      await onGone?.()
      await tell()
    },
  })
  return (
    <>
      <Group gap="xs" wrap={onGone === undefined ? 'nowrap' : 'wrap'}>
        {children}
        {hook.status === 'disabled' ? (
          <ActButton variant="default" doing={enabling}>
            {t('webhooks.enable')}
          </ActButton>
        ) : (
          <Confirm label={t('webhooks.disable')} text={t('webhooks.disableText')} doing={disabling} />
        )}
        <Confirm
          label={t('webhooks.delete')}
          text={t('webhooks.deleteText', { host: hostOf(hook) })}
          doing={deleting}
        />
      </Group>
      {enabling.error === null ? null : <ErrorNote error={enabling.error} />}
    </>
  )
}

/** A secret, the one time that it is shown. Another one needs a `key` of its own. */
export function SecretOnce({ hook, secret }: { hook: Pick<Hook, 'url'>; secret: string }) {
  const { t } = useTranslation()
  const host = hostOf(hook)
  return (
    <ShownOnce text={secret} label={t('webhooks.secret', { host })} once={t('webhooks.once', { host })} />
  )
}
