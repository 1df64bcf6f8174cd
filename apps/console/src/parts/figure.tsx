import { Paper, Text } from '@mantine/core'
import type { ReactNode } from 'react'

interface Props {
  name: string
  value: string
  note?: ReactNode
}

/** One value, large, with its name. */
export function Figure({ name, value, note }: Props) {
  return (
    <Paper withBorder p="md">
      <Text size="sm">{name}</Text>
      <Text size="xl" fw={700}>
        {value}
      </Text>
      {note === undefined ? null : (
        <Text size="xs" c="dimmed">
          {note}
        </Text>
      )}
    </Paper>
  )
}
