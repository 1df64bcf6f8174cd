import { Table, type TableProps } from '@mantine/core'
import type { ReactNode } from 'react'

interface Props extends Pick<TableProps, 'layout' | 'verticalSpacing'> {
  label: string
  heads: readonly string[]
  /** Pixels below which it scrolls by itself. */
  minWidth?: number
  /** Its rows. */
  children: ReactNode
}

/** A table with a row for each of many things. */
export function Listing({ label, heads, minWidth = 700, children, ...table }: Props) {
  return (
    <Table.ScrollContainer minWidth={minWidth} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table aria-label={label} {...table}>
        <Table.Thead>
          <Table.Tr>
            {heads.map((head) => (
              <Table.Th key={head}>{head}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>{children}</Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
