import { Group, NativeSelect, useMantineColorScheme } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { changeLanguage, type Language, languages } from '../i18n.ts'
import { ErrorNote } from '../parts/error-note.tsx'
import { useOnce } from '../parts/once.ts'

export const schemes = ['auto', 'light', 'dark'] as const

/** Language and colours, which this browser keeps. */
export function Preferences() {
  const { t, i18n } = useTranslation()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const changing = useMutation({ mutationFn: changeLanguage })
  const { begin } = useOnce(changing)
  return (
    <Group gap="xs">
      <NativeSelect
        size="xs"
        w="8rem"
        aria-label={t('preferences.colours')}
        data={schemes.map((value) => ({ value, label: t(`preferences.${value}`) }))}
        value={colorScheme}
        onChange={({ target }) => setColorScheme(schemes.find((each) => each === target.value) ?? 'auto')}
      />
      <NativeSelect
        size="xs"
        w="8rem"
        aria-label={t('preferences.language')}
        data={Object.entries(languages).map(([value, label]) => ({ value, label }))}
        value={i18n.language}
        onChange={({ target }) => begin(target.value as Language)}
      />
      {changing.error === null ? null : <ErrorNote error={changing.error} />}
    </Group>
  )
}
