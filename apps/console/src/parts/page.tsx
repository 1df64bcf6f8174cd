import { Group, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTitle } from './use-title.ts'

interface Props {
  title: string
  text?: string
  /** What can be done beside the title. */
  actions?: ReactNode
  children: ReactNode
}

/** A page within the frame. */
export function Page({ title, text, actions, children }: Props) {
  useTitle(title)
  return (
    <Stack maw={1100} mx="auto">
      <Group justify="space-between" align="flex-start">
        {/* Whoever comes from another page goes on here. */}
        <Title order={1} size="h2" tabIndex={-1}>
          {title}
        </Title>
        {actions}
      </Group>
      {text === undefined ? null : <Text>{text}</Text>}
      {children}
    </Stack>
  )
}

/** Where nothing is to be shown yet: why, and what to do. */
export function Nothing({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <Stack gap="xs" py="lg" align="flex-start">
      <Text fw={600}>{title}</Text>
      {children}
    </Stack>
  )
}
