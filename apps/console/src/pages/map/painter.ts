import { type Mark, pixelsOf } from './marks.ts'
import { type Place, type Size, type View, zoomOf } from './view.ts'

/** What is drawn. */
export interface Scene {
  /** From 0 to 1. */
  x: readonly number[]
  y: readonly number[]
  /** The mark of each point, by its place among the marks. */
  kind: Uint8Array
  marks: readonly Mark[]
  labels: readonly { text: string; x: number; y: number }[]
  /** Pairs of points. */
  links: { from: readonly number[]; to: readonly number[] } | undefined
}

/** Of a point in pixels, when all is seen. */
const radiusPx = 2
const radiusMaxPx = 7
const labelHeightPx = 16
const labelGapPx = 4
/** A map of few points has larger ones. */
const fewPoints = 1_000

/**
 * Draws points by writing pixels: 20,000 take a millisecond or two whatever draws the page, where each as a path takes
 * more than a frame has.
 */
export class Painter {
  readonly #canvas: HTMLCanvasElement
  readonly #context: CanvasRenderingContext2D
  #image: ImageData | undefined
  #pixels: Uint32Array = new Uint32Array()

  constructor(canvas: HTMLCanvasElement) {
    this.#canvas = canvas
    const context = canvas.getContext('2d')
    if (context === null) throw new Error('This browser draws nothing')
    this.#context = context
  }

  /** @param chosen the point that is looked at */
  paint(scene: Scene, view: View, size: Size, chosen: number | undefined): void {
    const ratio = window.devicePixelRatio || 1
    this.#fit(Math.round(size.width * ratio), Math.round(size.height * ratio))
    const image = this.#image
    if (image === undefined) return
    const style = getComputedStyle(this.#canvas)
    this.#pixels.fill(0)
    this.#points(scene, view, radiusOf(scene, view, size) * ratio, ratio, style)
    this.#context.setTransform(1, 0, 0, 1, 0, 0)
    this.#context.putImageData(image, 0, 0)
    this.#context.setTransform(ratio, 0, 0, ratio, 0, 0)
    const ink = style.getPropertyValue('--mantine-color-text')
    if (scene.links !== undefined) this.#links(scene, scene.links, view, ink)
    this.#labels(scene, view, style)
    if (chosen !== undefined) this.#ring(scene, view, chosen, radiusOf(scene, view, size) + 4, ink)
  }

  #fit(width: number, height: number): void {
    if (this.#image?.width === width && this.#image.height === height) return
    this.#canvas.width = width
    this.#canvas.height = height
    this.#image = width > 0 && height > 0 ? this.#context.createImageData(width, height) : undefined
    this.#pixels = new Uint32Array(this.#image?.data.buffer ?? new ArrayBuffer())
  }

  #points(
    { x, y, kind, marks }: Scene,
    view: View,
    radius: number,
    ratio: number,
    style: CSSStyleDeclaration,
  ) {
    const { width, height } = this.#canvas
    const pixels = this.#pixels
    const stamps = marks.map(({ colour, shape }) => ({
      value: this.#valueOf(colour, style),
      offsets: Int32Array.from(pixelsOf(shape, radius), ([dx, dy]) => dy * width + dx),
    }))
    const reach = Math.ceil(radius)
    const [scale, left, top] = [ratio * view.scale, ratio * view.x, ratio * view.y]
    for (let n = 0; n < x.length; n++) {
      const column = Math.round(scale * (x[n] as number) + left)
      const row = Math.round(scale * (y[n] as number) + top)
      if (column < reach || row < reach || column >= width - reach || row >= height - reach) continue
      const { value, offsets } = stamps[kind[n] as number] as (typeof stamps)[number]
      const middle = row * width + column
      for (let at = 0; at < offsets.length; at++) pixels[middle + (offsets[at] as number)] = value
    }
  }

  /** A colour as a pixel has it. */
  #valueOf(colour: string, style: CSSStyleDeclaration): number {
    const name = /^var\((.+)\)$/.exec(colour)?.[1]
    this.#context.fillStyle = name === undefined ? colour : style.getPropertyValue(name)
    // What was set comes back as #rrggbb.
    const [red, green, blue] = [1, 3, 5].map((at) =>
      Number.parseInt(String(this.#context.fillStyle).slice(at, at + 2), 16),
    ) as [number, number, number]
    return new Uint32Array(Uint8Array.of(red, green, blue, 255).buffer)[0] as number
  }

  #links({ x, y }: Scene, { from, to }: NonNullable<Scene['links']>, view: View, ink: string): void {
    const context = this.#context
    context.strokeStyle = ink
    context.globalAlpha = 0.5
    context.beginPath()
    for (const [n, a] of from.entries()) {
      const b = to[n] as number
      context.moveTo(view.scale * (x[a] as number) + view.x, view.scale * (y[a] as number) + view.y)
      context.lineTo(view.scale * (x[b] as number) + view.x, view.scale * (y[b] as number) + view.y)
    }
    context.stroke()
    context.globalAlpha = 1
  }

  #labels({ labels }: Scene, view: View, style: CSSStyleDeclaration): void {
    const context = this.#context
    context.font = `600 12px ${style.fontFamily}`
    context.textAlign = 'center'
    context.textBaseline = 'middle'
    context.lineWidth = 4
    context.lineJoin = 'round'
    context.strokeStyle = style.getPropertyValue('--mantine-color-body')
    context.fillStyle = style.getPropertyValue('--mantine-color-text')
    // The first are of the largest clusters. Those that would lie on others show when there is room.
    const taken: { left: number; top: number; half: number }[] = []
    for (const { text, x, y } of labels) {
      const [left, top] = [view.scale * x + view.x, view.scale * y + view.y]
      const half = context.measureText(text).width / 2 + labelGapPx
      const isFree = taken.every(
        (other) =>
          Math.abs(other.left - left) > other.half + half || Math.abs(other.top - top) > labelHeightPx,
      )
      if (!isFree) continue
      taken.push({ left, top, half })
      context.strokeText(text, left, top)
      context.fillText(text, left, top)
    }
  }

  #ring({ x, y }: Scene, view: View, point: number, radius: number, ink: string): void {
    const context = this.#context
    context.strokeStyle = ink
    context.lineWidth = 2
    context.beginPath()
    context.arc(
      view.scale * (x[point] as number) + view.x,
      view.scale * (y[point] as number) + view.y,
      radius,
      0,
      2 * Math.PI,
    )
    context.stroke()
  }
}

function radiusOf({ x }: Scene, view: View, size: Size): number {
  const larger = x.length < fewPoints ? 2 : 0
  return Math.min(radiusMaxPx, larger + radiusPx + Math.max(0, Math.log2(zoomOf(view, size))))
}

/** The point that is nearest to a place of the screen, within so many pixels. */
export function nearestPoint({ x, y }: Scene, view: View, at: Place, withinPx: number): number | undefined {
  const [left, top] = [(at.x - view.x) / view.scale, (at.y - view.y) / view.scale]
  let nearest: number | undefined
  let best = (withinPx / view.scale) ** 2
  for (let n = 0; n < x.length; n++) {
    const distance = ((x[n] as number) - left) ** 2 + ((y[n] as number) - top) ** 2
    if (distance < best) {
      best = distance
      nearest = n
    }
  }
  return nearest
}
