import { Box, Group, Progress, Stack, Text } from '@mantine/core'

export interface Bar {
  name: string
  value: number
  /** The value as it is written. */
  shown: string
  about?: string
  color?: string
}

/** Values side by side, as bars that are as long as they are large. */
export function Bars({ label, bars, most }: { label: string; bars: Bar[]; most?: number }) {
  const whole = most ?? Math.max(...bars.map(({ value }) => value), Number.MIN_VALUE)
  return (
    <Stack gap="xs" component="section" aria-label={label}>
      {bars.map(({ name, value, shown, about, color }) => (
        <Box key={name}>
          <Group justify="space-between" gap="xs">
            <Text size="sm">{name}</Text>
            <Text size="sm">{shown}</Text>
          </Group>
          <Progress
            aria-label={`${name}: ${shown}`}
            value={Math.max(0, Math.min(1, value / whole)) * 100}
            size="md"
            color={color}
          />
          {about === undefined ? null : (
            <Text size="xs" c="dimmed">
              {about}
            </Text>
          )}
        </Box>
      ))}
    </Stack>
  )
}
