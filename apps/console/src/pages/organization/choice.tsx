import { SegmentedControl, Stack, Text } from '@mantine/core'
import { useId } from 'react'

interface Props<Value extends string> {
  label: string
  values: readonly Value[]
  textOf: (value: Value) => string
  value: Value
  onChange: (value: Value) => void
}

/** One of a few, all of them in sight. */
export function Choice<Value extends string>({ label, values, textOf, value, onChange }: Props<Value>) {
  const id = useId()
  return (
    <Stack gap={4} align="flex-start" miw={0} maw="100%">
      <Text size="sm" fw={500} id={id}>
        {label}
      </Text>
      <SegmentedControl
        className="choice"
        aria-labelledby={id}
        data={values.map((each) => ({ value: each, label: textOf(each) }))}
        value={value}
        onChange={(chosen) => {
          const found = values.find((each) => each === chosen)
          if (found !== undefined) onChange(found)
        }}
      />
    </Stack>
  )
}
