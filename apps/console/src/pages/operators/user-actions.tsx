import { Group, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Confirm } from '../../parts/confirm.tsx'
import { Shown } from '../../parts/stored-text.tsx'
import { useMemory } from '../../parts/use-place.ts'
import type { UserStatus } from '../../searches.ts'
import { Act } from './act.tsx'

interface Props {
  user: { id: string; email: string; status: UserStatus }
}

/** What operators do to an account, as it stands. */
export function UserActions({ user: { id, email, status } }: Props) {
  const { t } = useTranslation()
  const { client } = useMemory()
  const queryClient = useQueryClient()
  const [reason, setReason] = useState('')
  const onSuccess = () => queryClient.invalidateQueries({ queryKey: ['operators', 'users'] })
  const suspending = useMutation({
    mutationFn: () => client.admin.suspendUser(id, { reason: reason.trim() || null }),
    onSuccess,
  })
  const activating = useMutation({ mutationFn: () => client.admin.activateUser(id), onSuccess })
  const restoring = useMutation({ mutationFn: () => client.admin.restoreUser(id), onSuccess })
  return (
    <Group>
      {status === 'active' ? (
        <Confirm
          label={t('users.suspend')}
          text={
            <>
              <p>
                <Shown text={t('users.suspendText', { email })} />
              </p>
              <TextInput
                label={t('users.reason')}
                description={t('users.reasonHint')}
                maxLength={200}
                dir="auto"
                value={reason}
                onChange={({ currentTarget }) => setReason(currentTarget.value)}
              />
            </>
          }
          doing={suspending}
        />
      ) : null}
      {status === 'suspended' ? <Act label={t('users.activate')} doing={activating} /> : null}
      {status === 'deleted' ? <Act label={t('users.restore')} doing={restoring} /> : null}
    </Group>
  )
}
