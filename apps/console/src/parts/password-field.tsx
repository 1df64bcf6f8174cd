import { PasswordInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'

interface Props {
  label: string
  value: string
  onChange: (value: string) => void
  isNew?: boolean
}

export function PasswordField({ label, value, onChange, isNew = false }: Props) {
  const { t } = useTranslation()
  return (
    <PasswordInput
      label={label}
      required
      autoComplete={isNew ? 'new-password' : 'current-password'}
      visibilityToggleButtonProps={{ 'aria-label': t('password.show'), tabIndex: 0, 'aria-hidden': false }}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}
