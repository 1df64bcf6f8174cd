import { Table, Text } from '@mantine/core'
import type { ReactNode } from 'react'

/** A name and what it is, and what that means; where it is null it is left out. */
export type Fact = readonly [name: string, value: ReactNode, about?: string]

/** What is known of one thing. */
export function Facts({ label, facts }: { label: string; facts: readonly Fact[] }) {
  return (
    <Table aria-label={label} layout="auto" className="facts">
      <Table.Tbody>
        {facts
          .filter(([, value]) => value !== null)
          .map(([name, value, about]) => (
            <Table.Tr key={name}>
              <Table.Th scope="row">
                {name}
                {about === undefined ? null : (
                  <Text size="xs" c="dimmed" fw={400}>
                    {about}
                  </Text>
                )}
              </Table.Th>
              {/* What has no spaces would make it wider than a phone. */}
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{value}</Table.Td>
            </Table.Tr>
          ))}
      </Table.Tbody>
    </Table>
  )
}
