/** How long work goes on before requests that have come meanwhile are answered. */
const sliceMs = 5

let sliceStart = performance.now()

/** Lets requests that have come meanwhile be answered, where that has not been done for some ms. */
export async function breathe(): Promise<void> {
  if (performance.now() - sliceStart < sliceMs) return
  await new Promise((resolve) => setImmediate(resolve))
  sliceStart = performance.now()
}
