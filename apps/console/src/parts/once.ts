import type { UseMutationResult } from '@tanstack/react-query'
import { useRef } from 'react'

/** Begins what a button does, once however fast it is pressed: that it is under way is rendered only after a double click. */
export function useOnce<Done>(doing: UseMutationResult<Done, Error, void>): () => void {
  const isUnderWay = useRef(false)
  return () => {
    if (isUnderWay.current) return
    isUnderWay.current = true
    doing.mutate(undefined, {
      onSettled: () => {
        isUnderWay.current = false
      },
    })
  }
}
