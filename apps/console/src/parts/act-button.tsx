import { Button, type ButtonProps } from '@mantine/core'
import type { UseMutationResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useOnce } from './once.ts'

interface Props<Done> extends ButtonProps {
  doing: UseMutationResult<Done, Error, void>
  children: ReactNode
}

/** A button that does something at once. What went wrong is shown by whoever has the mutation. */
export function ActButton<Done>({ doing, loading = false, children, ...button }: Props<Done>) {
  const { begin } = useOnce(doing)
  return (
    <Button loading={loading || doing.isPending} onClick={() => begin()} {...button}>
      {children}
    </Button>
  )
}
