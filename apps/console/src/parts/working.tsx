import { Button, Group, Progress, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

interface Props {
  /** What is being done. */
  label: string
  /** How far it is, in words. */
  text: string
  /** 0 to 1; unknown where it is left out. */
  share?: number | undefined
  onStop: () => void
}

/** Long work under way: how far it is, and a way to stop it. */
export function Working({ label, text, share, onStop }: Props) {
  const { t } = useTranslation()
  const isKnown = share !== undefined
  return (
    <Group wrap="nowrap">
      <div style={{ flexGrow: 1, minWidth: 0 }}>
        <Text size="sm" role="status">
          {text}
        </Text>
        <Progress value={isKnown ? 100 * share : 100} animated={!isKnown} aria-label={label} />
      </div>
      <Button variant="default" onClick={onStop}>
        {t('cancel')}
      </Button>
    </Group>
  )
}
