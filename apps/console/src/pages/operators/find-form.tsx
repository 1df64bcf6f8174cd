import { Button, Group, NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Form } from '../../parts/form.tsx'

interface Props<Choice extends string> {
  /** What the field for words asks for. */
  label: string
  words: string
  /** One of these narrows it; the empty one does not. */
  choice: {
    label: string
    all: string
    options: { value: Choice; label: string }[]
    value: Choice | undefined
  }
  onFind: (words: string | undefined, choice: Choice | undefined) => void
}

/** Finds some of many things by words and by a choice. */
export function FindForm<Choice extends string>({ label, words, choice, onFind }: Props<Choice>) {
  const { t } = useTranslation()
  const [given, setGiven] = useState(words)
  const chosen = (value: string) => choice.options.find((each) => each.value === value)?.value
  return (
    <Form label={t('memories.search')} onSend={() => onFind(given || undefined, choice.value)}>
      <Group align="flex-end">
        <TextInput
          label={label}
          dir="auto"
          value={given}
          onChange={({ currentTarget }) => setGiven(currentTarget.value)}
        />
        <NativeSelect
          label={choice.label}
          data={[{ value: '', label: choice.all }, ...choice.options]}
          value={choice.value ?? ''}
          onChange={({ target }) => onFind(given || undefined, chosen(target.value))}
        />
        <Button type="submit">{t('memories.do')}</Button>
      </Group>
    </Form>
  )
}
