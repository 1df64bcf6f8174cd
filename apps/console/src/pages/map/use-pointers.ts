import { type PointerEvent, type RefObject, useEffect, useRef } from 'react'
import type { Drawing } from './use-drawing.ts'
import { moved, type Place } from './view.ts'

/** Pixels that a point is pointed at from. */
const reachPx = 12
/** A press that moves less is a click. */
const clickPx = 4
/** Pixels of a wheel that make the map e times as large. */
const wheelPx = 300

const placeOf = ({ nativeEvent }: PointerEvent): Place => ({ x: nativeEvent.offsetX, y: nativeEvent.offsetY })

interface Told {
  chosen: number | undefined
  onChoose: (point: number | undefined) => void
  onOpen: (point: number) => void
}

/** What mouse and fingers do to a map: point, drag, zoom by the wheel or by two fingers, open by a click. */
export function usePointers(
  canvas: RefObject<HTMLCanvasElement | null>,
  { change, zoomBy, pointAt }: Drawing,
  { chosen, onChoose, onOpen }: Told,
) {
  useEffect(() => {
    const element = canvas.current
    if (element === null) return
    const turned = (event: WheelEvent) => {
      event.preventDefault()
      zoomBy(Math.exp(-event.deltaY / wheelPx), { x: event.offsetX, y: event.offsetY })
    }
    // React's own listener could not keep the page from scrolling.
    element.addEventListener('wheel', turned, { passive: false })
    return () => element.removeEventListener('wheel', turned)
  }, [canvas, zoomBy])

  const pressed = useRef(new Map<number, Place>())
  const travelledPx = useRef(0)
  const drag = (id: number, before: Place, now: Place) => {
    const other = [...pressed.current].find(([each]) => each !== id)?.[1]
    pressed.current.set(id, now)
    travelledPx.current += Math.hypot(now.x - before.x, now.y - before.y)
    if (other === undefined) {
      change((view) => moved(view, now.x - before.x, now.y - before.y))
      return
    }
    const apart = (at: Place) => Math.max(1, Math.hypot(at.x - other.x, at.y - other.y))
    zoomBy(apart(now) / apart(before), other)
  }
  return {
    onPointerDown: (event: PointerEvent<HTMLCanvasElement>) => {
      event.currentTarget.setPointerCapture(event.pointerId)
      if (pressed.current.size === 0) travelledPx.current = 0
      pressed.current.set(event.pointerId, placeOf(event))
    },
    onPointerMove: (event: PointerEvent) => {
      const before = pressed.current.get(event.pointerId)
      if (before === undefined) onChoose(pointAt(placeOf(event), reachPx))
      else drag(event.pointerId, before, placeOf(event))
    },
    onPointerUp: (event: PointerEvent) => {
      const isClick = pressed.current.size === 1 && travelledPx.current < clickPx
      pressed.current.delete(event.pointerId)
      if (!isClick) return
      const point = pointAt(placeOf(event), reachPx)
      onChoose(point)
      // A finger can't hover: it chooses first, and opens what is chosen.
      if (point !== undefined && (event.pointerType === 'mouse' || point === chosen)) onOpen(point)
    },
    onPointerCancel: (event: PointerEvent) => {
      pressed.current.delete(event.pointerId)
    },
  }
}
