import { List, Text, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Shown } from '../../parts/stored-text.tsx'

interface Props {
  title: string
  /** The first of them. */
  lines: readonly (readonly [place: string, reason: string])[]
  /** All of them. */
  count: number
}

/** Lines of a file with what is wrong with each; nothing where there are none. */
export function LinesList({ title, lines, count }: Props) {
  const { t } = useTranslation()
  if (count === 0) return null
  return (
    <section aria-label={title}>
      <Title order={3} size="h4">
        {title}
      </Title>
      <List size="sm">
        {lines.map(([place, reason]) => (
          <List.Item key={`${place} ${reason}`} className="stored" dir="auto">
            <Shown text={`${place}: ${reason}`} />
          </List.Item>
        ))}
      </List>
      {count > lines.length ? (
        <Text size="sm">{t('forget.andMore', { count: count - lines.length })}</Text>
      ) : null}
    </section>
  )
}
