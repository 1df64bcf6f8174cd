import { Group, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

/** Which memories are meant, as it is written: whose they are, and a filter's JSON. */
export interface Narrowed {
  subject: string
  filter: string
}

interface Props {
  value: Narrowed
  onChange: (changed: Partial<Narrowed>) => void
  /** Whether the filter is none. */
  isWrong: boolean
  /** What subject is meant, where that is not plain. */
  subjectHint?: string
  /** What is asked beside it, before it. */
  children?: ReactNode
}

/** The fields for whose memories are meant, and which of them. */
export function Narrowing({ value: { subject, filter }, onChange, isWrong, subjectHint, children }: Props) {
  const { t } = useTranslation()
  return (
    <Group align="flex-start" grow preventGrowOverflow={false}>
      {children}
      <TextInput
        label={t('memory.subject')}
        description={subjectHint}
        // Fields side by side are in line, whatever is said of them.
        inputWrapperOrder={fieldFirst}
        dir="auto"
        value={subject}
        onChange={({ currentTarget }) => onChange({ subject: currentTarget.value })}
      />
      <TextInput
        label={t('filter')}
        description={t('filter.hint')}
        inputWrapperOrder={fieldFirst}
        error={isWrong ? t('filter.wrong') : undefined}
        value={filter}
        onChange={({ currentTarget }) => onChange({ filter: currentTarget.value })}
      />
    </Group>
  )
}

const fieldFirst: ('label' | 'input' | 'description' | 'error')[] = ['label', 'input', 'description', 'error']
