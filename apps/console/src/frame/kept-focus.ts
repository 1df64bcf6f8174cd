import { useEffect } from 'react'

/** A dialogue gives the focus back to the button that opened it by then, where there still is one. */
const focusBackMs = 50

/**
 * Who uses the keyboard goes on where they were. A control that is pressed may go, as Save does with its form, or be disabled
 * while the service is asked, and browsers then begin anew at the head of the page: the focus comes back to it once it can be
 * used again, and goes to the content where it is gone, or out of sight.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    let last: Element | null = null
    let waiting: ReturnType<typeof setTimeout> | undefined
    const note = () => {
      last = document.activeElement
    }
    const keep = () => {
      waiting = undefined
      if (document.activeElement !== document.body) return
      const isThere = last?.isConnected && last.closest('[inert]') === null
      const next = isThere ? last : document.getElementById('content')
      // What is disabled does not take it, and is looked at again once it no longer is.
      if (next instanceof HTMLElement) next.focus({ preventScroll: true })
    }
    const changes = new MutationObserver((records) => {
      const isItself = records.some(({ type, target }) => type === 'attributes' && target.contains(last))
      if (last === null || (last.isConnected && !isItself)) return
      waiting ??= setTimeout(keep, focusBackMs)
    })
    document.addEventListener('focusin', note)
    changes.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled', 'inert'] })
    return () => {
      clearTimeout(waiting)
      document.removeEventListener('focusin', note)
      changes.disconnect()
    }
  }, [])
}

/**
 * Whoever goes to another page goes on at its heading, which says where they are, and not among the links that led there.
 * Another list or search of the same page leaves them where they are, as does a page that has chosen a field itself, and a
 * dialogue that was opened meanwhile.
 */
export function focusPage({
  fromLocation,
  pathChanged,
}: {
  fromLocation?: unknown
  pathChanged: boolean
}): void {
  if (fromLocation === undefined || !pathChanged) return
  setTimeout(() => {
    const content = document.getElementById('content')
    const focused = document.activeElement
    if (content?.contains(focused) && focused !== content) return
    if (focused?.closest('[role="dialog"]')) return
    content?.querySelector('h1')?.focus({ preventScroll: true })
  }, focusBackMs)
}
