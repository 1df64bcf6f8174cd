import { parameters } from '@memory/engine/parameters'
import { tiers } from '@memory/engine/tiers'
import * as f from '@memory/shared/catalogue/fields'
import { limits } from '@memory/shared/catalogue/limits'
import { operation } from '@memory/shared/catalogue/operation'
import { z } from 'zod'
import { filterInQuery, patternId, patternsTag } from '../schema.ts'

const count = z.int().min(0)
const place = z.number().min(0).max(1)

export const SpaceMap = operation({
  id: 'spaceMap',
  method: 'get',
  path: '/v1/memory/map',
  tag: patternsTag,
  summary: 'A map of the space',
  description: `Places in a square for the patterns that are valid now, near each other where their keys are: principal components, moved so that neighbours stay neighbours. The same patterns give the same map. Where there are more than \`limit\`, it shows so many, evenly spread in store order. Clusters are of keys, sqrt(n / ${parameters.map.clusterSize}) of them and ${parameters.map.clustersMax} at most, named by the words that tell their texts from the others'. Lists have an element for each pattern; texts are got by ids. It counts as a query.`,
  access: 'memory:read',
  subjects: 'search',
  queries: () => 1,
  query: z.object({
    limit: f.queryInteger(1, limits.mapPoints, limits.mapPointsDefault),
    filter: filterInQuery,
    subject: f
      .queryString(1, limits.subjectChars)
      .optional()
      .meta({ description: 'The end user whose patterns are meant. Default: all.' }),
    dimensions: f.queryInteger(1, limits.vectorDimensions).optional().meta({
      description: 'Length of the vectors that are shown. Default: that of most patterns.',
    }),
  }),
  response: z
    .object({
      total: count.meta({ description: 'Patterns that are meant, of every length.' }),
      dimensions: count.meta({
        description: 'Length of the vectors that are shown; 0 where there are none.',
      }),
      lengths: z
        .array(z.object({ dimensions: z.int().min(1), patterns: z.int().min(1) }))
        .meta({ description: 'Lengths of vectors, and how many patterns have them; most first.' }),
      pattern_ids: z.array(patternId),
      x: z.array(place),
      y: z.array(place),
      cluster: z.array(count).meta({ description: 'Places in `clusters`.' }),
      tier: z.array(count).meta({ description: `Places in this list: ${tiers.join(', ')}.` }),
      created_s: z.array(z.int()).meta({ description: 'Seconds since 1970.' }),
      clusters: z
        .array(
          z
            .object({
              words: z
                .array(z.string())
                .meta({ description: 'As the texts write them; none without texts.' }),
              patterns: z.int().min(1),
              x: place,
              y: place,
            })
            .meta({ id: 'MapCluster' }),
        )
        .meta({ description: 'The largest first, each with the middle of its patterns.' }),
      associations: z
        .object({
          from: z.array(count).meta({ description: 'Places of patterns in the lists.' }),
          to: z.array(count),
          strength: z.array(z.number().min(0).max(1)),
        })
        .meta({
          id: 'MapAssociations',
          description: `The strongest of what use has associated, ${limits.mapAssociations} at most, in lists again.`,
        }),
    })
    .meta({ id: 'SpaceMapResponse' }),
})
