import { Button, Code, CopyButton, Group, ScrollArea } from '@mantine/core'
import { useTranslation } from 'react-i18next'

/** Text to be taken along as it stands, such as a command. */
export function Copyable({ text, label }: { text: string; label: string }) {
  const { t } = useTranslation()
  return (
    <Group align="flex-start" gap="xs" wrap="nowrap">
      <ScrollArea flex={1} miw={0} viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': label }}>
        <Code block style={{ overflow: 'visible', minWidth: 'max-content' }}>
          {text}
        </Code>
      </ScrollArea>
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <Button variant="default" size="xs" onClick={copy} aria-label={`${t('copy')}: ${label}`}>
            {copied ? t('copied') : t('copy')}
          </Button>
        )}
      </CopyButton>
    </Group>
  )
}
