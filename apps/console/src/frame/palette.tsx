import { Button, Group, Kbd, Modal, Stack, Text, TextInput, VisuallyHidden } from '@mantine/core'
import { useDisclosure, useHotkeys } from '@mantine/hooks'
import { useMutation } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { changeLanguage } from '../i18n.ts'
import { ErrorNote } from '../parts/error-note.tsx'
import { useOnce } from '../parts/once.ts'
import { Shown } from '../parts/stored-text.tsx'
import { useSignOut } from '../parts/use-sign-out.ts'
import { matching } from './matching.ts'
import { type Choice, useChoices, useSearches } from './palette-choices.ts'

const modifier = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘' : 'Ctrl'

/** A button, and keys everywhere, for what is chosen by typing some of its name. */
export function Palette() {
  const { t } = useTranslation()
  const [isOpen, { open, close, toggle }] = useDisclosure()
  // Also while something is written in a field.
  useHotkeys([['mod+K', toggle]], [])
  return (
    <>
      <Button
        variant="default"
        size="xs"
        px="xs"
        onClick={open}
        aria-keyshortcuts="Control+K Meta+K"
        style={{ flexShrink: 0 }}
      >
        <Group gap="xs" wrap="nowrap">
          <Magnifier />
          <Text span size="xs" visibleFrom="sm">
            {t('palette.title')}
          </Text>
          <VisuallyHidden hiddenFrom="sm">{t('palette.title')}</VisuallyHidden>
          <Kbd size="xs" visibleFrom="sm">
            {modifier} K
          </Kbd>
        </Group>
      </Button>
      <Modal.Root opened={isOpen} onClose={close} size="lg" yOffset="10vh" transitionProps={{ duration: 0 }}>
        <Modal.Overlay />
        <Modal.Content aria-label={t('palette.title')}>
          <Modal.Body p="sm">
            <Opened onEnd={close} />
          </Modal.Body>
        </Modal.Content>
      </Modal.Root>
    </>
  )
}

function Magnifier() {
  return (
    <svg width="14" height="14" viewBox="0 0 16 16" fill="none" stroke="currentcolor" aria-hidden="true">
      <circle cx="7" cy="7" r="5" strokeWidth="2" />
      <path d="M11 11l4 4" strokeWidth="2" />
    </svg>
  )
}

/** A field that keeps the focus, and a list through which the arrow keys go. */
function Opened({ onEnd }: { onEnd: () => void }) {
  const { t } = useTranslation()
  const id = useId()
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const leaving = useSignOut()
  const changing = useMutation({ mutationFn: changeLanguage, onSuccess: onEnd })
  const { begin: signOut } = useOnce(leaving)
  const { begin: speak } = useOnce(changing)
  const all = useChoices({ signOut: () => signOut(), changeLanguage: speak })
  const error = leaving.error ?? changing.error
  const found = [...matching(all, typed), ...useSearches(typed)]
  const chosen = Math.min(at, found.length - 1)
  useEffect(() => {
    document.getElementById(`${id}${chosen}`)?.scrollIntoView({ block: 'nearest' })
  }, [id, chosen])

  const run = (choice: Choice | undefined) => {
    if (choice === undefined) return
    choice.run()
    if (choice.staysOpen === undefined) onEnd()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // Keys that choose among characters are not for the list.
    if (event.nativeEvent.isComposing) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) setAt((chosen + step + found.length) % found.length)
    else if (event.key === 'Enter') run(found[chosen])
    else return
    event.preventDefault()
  }
  return (
    <Stack gap="xs">
      <TextInput
        data-autofocus
        role="combobox"
        aria-label={t('palette.title')}
        aria-expanded
        aria-autocomplete="list"
        aria-controls={id}
        aria-activedescendant={`${id}${chosen}`}
        dir="auto"
        placeholder={t('palette.hint')}
        value={typed}
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value)
          setAt(0)
        }}
        onKeyDown={onKeyDown}
      />
      {error === null ? null : <ErrorNote error={error} />}
      <VisuallyHidden role="status">{t('palette.found', { count: found.length })}</VisuallyHidden>
      <div role="listbox" id={id} aria-label={t('palette.list')} className="palette">
        {found.map((choice, i) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: keys go to the field, which has the focus
          // biome-ignore lint/a11y/useFocusableInteractive: the field names the one that is chosen
          <div
            key={choice.key}
            id={`${id}${i}`}
            role="option"
            aria-selected={i === chosen}
            onClick={() => run(choice)}
            onMouseMove={() => setAt(i)}
          >
            <span dir="auto" className="stored">
              <Shown text={choice.name} />
            </span>
            <Text span size="xs" c="dimmed">
              {choice.group}
            </Text>
          </div>
        ))}
      </div>
    </Stack>
  )
}
