import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { nearestPoint, Painter, type Scene } from './painter.ts'
import { type Place, type Size, type View, wholeView, zoomed } from './view.ts'

/** What is seen of a map, and how that is changed. */
export interface Drawing {
  change: (next: (view: View, size: Size) => View) => void
  /** @param at what stays where it is; the middle unless said */
  zoomBy: (factor: number, at?: Place) => void
  /** The point that is nearest to a place of the canvas, within so many pixels. */
  pointAt: (at: Place, withinPx: number) => number | undefined
  /** The one that is nearest to the middle. */
  middlePoint: () => number | undefined
}

const middleOf = ({ width, height }: Size): Place => ({ x: width / 2, y: height / 2 })

/** Keeps a canvas drawn: after changes of what is shown, of the view, the size and the colours, once a frame at most. */
export function useDrawing(
  canvas: RefObject<HTMLCanvasElement | null>,
  scene: Scene,
  chosen: number | undefined,
): Drawing {
  const painter = useRef<Painter>(null)
  const frame = useRef(0)
  const view = useRef<View>(null)
  const [size, setSize] = useState<Size>({ width: 0, height: 0 })
  const shown = useRef({ scene, chosen, size })
  shown.current = { scene, chosen, size }

  const draw = useCallback(() => {
    cancelAnimationFrame(frame.current)
    frame.current = requestAnimationFrame(() => {
      const { scene, chosen, size } = shown.current
      if (canvas.current === null || size.width === 0) return
      painter.current ??= new Painter(canvas.current)
      view.current ??= wholeView(size)
      painter.current.paint(scene, view.current, size, chosen)
      canvas.current.dataset.points = String(scene.x.length)
    })
  }, [canvas])
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is drawn has changed
  useEffect(draw, [draw, scene, chosen, size])
  useEffect(() => () => cancelAnimationFrame(frame.current), [])
  useSurroundings(canvas, draw, (size) => {
    view.current = null
    setSize(size)
  })

  return useMemo(() => {
    const change: Drawing['change'] = (next) => {
      const { size } = shown.current
      view.current = next(view.current ?? wholeView(size), size)
      draw()
    }
    const pointAt: Drawing['pointAt'] = (at, withinPx) =>
      view.current === null ? undefined : nearestPoint(shown.current.scene, view.current, at, withinPx)
    return {
      change,
      zoomBy: (factor, at) => change((view, size) => zoomed(view, factor, at ?? middleOf(size), size)),
      pointAt,
      middlePoint: () => pointAt(middleOf(shown.current.size), Number.MAX_SAFE_INTEGER),
    }
  }, [draw])
}

/** Hears of the size of a canvas and of the colours around it. */
function useSurroundings(
  canvas: RefObject<HTMLCanvasElement | null>,
  draw: () => void,
  onSize: (size: Size) => void,
): void {
  const told = useRef(onSize)
  told.current = onSize
  useEffect(() => {
    const element = canvas.current
    if (element === null) return
    const sizes = new ResizeObserver(() =>
      told.current({ width: element.clientWidth, height: element.clientHeight }),
    )
    sizes.observe(element)
    const colours = new MutationObserver(draw)
    colours.observe(document.documentElement, { attributeFilter: ['data-mantine-color-scheme'] })
    return () => {
      sizes.disconnect()
      colours.disconnect()
    }
  }, [canvas, draw])
}
