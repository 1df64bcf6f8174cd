import type { UseMutationResult } from '@tanstack/react-query'
import { useRef } from 'react'

/** Begins what a button does, once however fast it is pressed: that it is under way is rendered only after a double click. */
export function useOnce<Done, Given>({ mutateAsync }: UseMutationResult<Done, Error, Given>) {
  const isUnderWay = useRef(false)
  /** @param onDone hears that it went well; what went wrong is shown by whoever has the mutation */
  const begin = (given: Given, onDone?: () => void): void => {
    if (isUnderWay.current) return
    isUnderWay.current = true
    void mutateAsync(given)
      .finally(() => {
        isUnderWay.current = false
      })
      .then(onDone, () => {})
  }
  return { begin, isUnderWay }
}
