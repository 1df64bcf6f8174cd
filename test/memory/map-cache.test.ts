import { type KnownMap, MapCache } from '@memory/memory/map/map-cache'
import { expect, it } from 'vitest'

const mapOf = (words: string): KnownMap => ({
  ...{ version: 1, total: 1, indexes: new Int32Array(1) },
  parts: [words],
})

/** Whatever has changed, by what it is asked: what is dropped is dropped for itself. */
const always = () => true

const draw = (words: string) => async () => mapOf(words)

it('keeps nothing of a map of which something was removed while it was drawn', async () => {
  const maps = new MapCache()
  const drawing = Promise.withResolvers<KnownMap>()
  const asked = maps.get('space', 'all', always, () => drawing.promise)
  const another = maps.get('another space', 'all', always, draw('other words'))
  maps.drop('space')
  // Who asks now does not wait for it either.
  const anew = maps.get('space', 'all', always, draw('words'))
  drawing.resolve(mapOf('words and a secret'))
  // It was asked for before.
  expect(await asked).toMatchObject({ parts: ['words and a secret'] })
  expect(await anew).toMatchObject({ parts: ['words'] })
  const later = (space: string) => maps.get(space, 'all', always, draw('drawn anew'))
  expect(await later('space')).toMatchObject({ parts: ['words'] })
  await another
  expect(await later('another space')).toMatchObject({ parts: ['other words'] })
})

it('lets go of all maps of a space of which something is removed', async () => {
  const maps = new MapCache()
  for (const shown of ['all', 'of ada']) await maps.get('space', shown, always, draw('words and a secret'))
  maps.drop('space')
  for (const shown of ['all', 'of ada']) {
    expect(await maps.get('space', shown, always, draw('words'))).toMatchObject({ parts: ['words'] })
  }
})
