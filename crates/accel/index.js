import { createRequire } from 'node:module'

/** ACCEL=js loads nothing; ACCEL=native throws where the addon cannot be loaded. */
function load() {
  const choice = process.env.ACCEL
  if (choice === 'js') return null
  // A package for this platform of another version has other functions.
  process.env.NAPI_RS_ENFORCE_VERSION_CHECK = '1'
  try {
    return createRequire(import.meta.url)('./binding.cjs')
  } catch (cause) {
    if (choice === 'native') throw new Error('ACCEL=native, but the addon cannot be loaded', { cause })
    return null
  }
}

export const accel = load()
