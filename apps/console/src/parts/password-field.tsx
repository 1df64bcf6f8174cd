import { PasswordInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { newPasswordChars } from './new-password.ts'
import { useRefused } from './refused.tsx'

interface Props {
  /** What the service calls it. */
  name: string
  label: string
  value: string
  onChange: (value: string) => void
  isNew?: boolean
}

export function PasswordField({ name, label, value, onChange, isNew = false }: Props) {
  const { t } = useTranslation()
  const refused = useRefused(name)
  return (
    <PasswordInput
      {...{ name, label }}
      description={isNew ? t('password.hint', { least: newPasswordChars }) : undefined}
      error={refused}
      // As other fields have it of themselves.
      aria-invalid={refused === undefined ? undefined : true}
      required
      autoComplete={isNew ? 'new-password' : 'current-password'}
      visibilityToggleButtonProps={{ 'aria-label': t('password.show'), tabIndex: 0, 'aria-hidden': false }}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}
