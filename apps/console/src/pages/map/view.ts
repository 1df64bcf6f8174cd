/** What part of a map is seen: a place of it is `scale * place + offset` pixels from the corner. */
export interface View {
  scale: number
  x: number
  y: number
}

export interface Place {
  x: number
  y: number
}

const marginPx = 28
/** How many times as large as when all of it is seen. */
const zoomMax = 200

export interface Size {
  width: number
  height: number
}

const fittingScale = ({ width, height }: Size) => Math.max(1, Math.min(width, height) - 2 * marginPx)

/** All of the map, in the middle. */
export function wholeView(size: Size): View {
  const scale = fittingScale(size)
  return { scale, x: (size.width - scale) / 2, y: (size.height - scale) / 2 }
}

/** Larger by a factor, while one place stays where it is. */
export function zoomed(view: View, factor: number, at: Place, size: Size): View {
  const least = fittingScale(size)
  const scale = Math.min(zoomMax * least, Math.max(0.5 * least, view.scale * factor))
  const grown = scale / view.scale
  return { scale, x: at.x - grown * (at.x - view.x), y: at.y - grown * (at.y - view.y) }
}

export const moved = (view: View, dx: number, dy: number): View => ({
  ...view,
  x: view.x + dx,
  y: view.y + dy,
})

/** How many times as large as when all is seen. */
export const zoomOf = ({ scale }: View, size: Size): number => scale / fittingScale(size)
