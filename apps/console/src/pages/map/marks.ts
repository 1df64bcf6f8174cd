// How the points of a map are marked: by colour and by shape, so that nobody needs to tell the colours apart.

/** Whether a place of the square from -1 to 1 is within a shape. */
const shapes: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => x * x + y * y <= 1,
  (x, y) => Math.max(Math.abs(x), Math.abs(y)) <= 0.85,
  (x, y) => Math.abs(x) + Math.abs(y) <= 1.1,
  (x, y) => y <= 0.8 && y >= 2 * Math.abs(x) - 1,
  (x, y) => Math.min(Math.abs(x), Math.abs(y)) <= 0.35,
  (x, y) => y >= -0.8 && y <= 1 - 2 * Math.abs(x),
  (x, y) => Math.abs(Math.abs(x) - Math.abs(y)) <= 0.45,
]

/** Colours of the theme; there is one more than there are shapes, so that 56 marks differ. */
const colours = ['indigo', 'orange', 'teal', 'pink', 'lime', 'grape', 'cyan', 'red'] as const

/** The looks of a kind of points. */
export interface Mark {
  /** As the canvas takes it, after the theme. */
  colour: string
  shape: number
}

/** The n-th mark: neighbours in a list have neither colour nor shape in common. */
export function markOf(n: number): Mark {
  return { colour: `var(--map-${colours[n % colours.length]})`, shape: n % shapes.length }
}

/** The places of a shape, in pixels from its middle. */
export function pixelsOf(shape: number, radius: number): [x: number, y: number][] {
  const isWithin = shapes[shape % shapes.length] as (typeof shapes)[number]
  const reach = Math.ceil(radius)
  const pixels: [number, number][] = []
  for (let y = -reach; y <= reach; y++) {
    for (let x = -reach; x <= reach; x++) if (isWithin(x / radius, y / radius)) pixels.push([x, y])
  }
  return pixels
}
