import { Button, Code, Group, ScrollArea, Text } from '@mantine/core'
import { useTimeout } from '@mantine/hooks'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'

/** For how long it is said that a text was copied. */
const saidMs = 2_000

/** Selects what an element shows and copies that, in the older way that asks for no secure context. */
function copySelected(element: HTMLElement): boolean {
  getSelection()?.selectAllChildren(element)
  return document.execCommand('copy')
}

/** A page that came over plain http from another host has no clipboard, and one that has may not be let use it. */
async function copied(text: string, element: HTMLElement): Promise<boolean> {
  if (!('clipboard' in navigator)) return copySelected(element)
  return navigator.clipboard.writeText(text).then(
    () => true,
    () => copySelected(element),
  )
}

interface Props {
  text: string
  label: string
  onCopied?: () => void
}

/** Text to be taken along as it stands, such as a command. */
export function Copyable({ text, label, onCopied }: Props) {
  const { t } = useTranslation()
  const shown = useRef<HTMLElement>(null)
  /** Which text was copied last, or could only be selected. */
  const [last, setLast] = useState<{ text: string; isCopied: boolean }>()
  const { start, clear } = useTimeout(() => setLast(undefined), saidMs)
  const outcome = last?.text === text ? last : undefined
  const copy = async () => {
    if (shown.current === null) return
    const isCopied = await copied(text, shown.current)
    setLast({ text, isCopied })
    clear()
    if (!isCopied) return
    start()
    onCopied?.()
  }
  return (
    <div>
      <Group align="flex-start" gap="xs" wrap="nowrap">
        <ScrollArea flex={1} miw={0} viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': label }}>
          <Code ref={shown} block style={{ overflow: 'visible', minWidth: 'max-content' }}>
            {text}
          </Code>
        </ScrollArea>
        <Button variant="default" size="xs" onClick={() => void copy()} aria-label={`${t('copy')}: ${label}`}>
          {outcome?.isCopied ? t('copied') : t('copy')}
        </Button>
      </Group>
      {outcome?.isCopied === false ? (
        <Text role="status" size="sm">
          {t('copyByHand')}
        </Text>
      ) : null}
    </div>
  )
}
