import { categories } from '@memory/engine/categories/categories'
import { limits } from '@memory/shared/catalogue/limits'
import { operation } from '@memory/shared/catalogue/operation'
import { z } from 'zod'
import { externalIdOut, patternId } from '../schema.ts'

const ImportantFact = z
  .object({
    pattern_id: patternId,
    external_id: externalIdOut,
    text: z.string(),
    category: z.string().meta({
      description: `What the caller named in the metadata, else one of ${categories.filter((name) => name !== 'preference').join(', ')}.`,
      examples: ['health'],
    }),
    protected: z
      .boolean()
      .meta({ description: 'Consolidation never weakens, merges or moves it to the cold tier.' }),
  })
  .meta({ id: 'ImportantFact' })

export const ListImportant = operation({
  id: 'listImportant',
  method: 'get',
  path: '/v1/memory/text/important',
  tag: 'Text memory',
  summary: 'Personal facts that the space holds',
  description: `Texts with a category other than \`preference\`, newest first, at most ${limits.importantMax}. A text gets its category when it is stored or changed: what the metadata name, else what its wording seems to state; one stored before this endpoint was there keeps what it had until then.`,
  access: 'memory:read',
  subjects: 'rows',
  response: z.object({ important: z.array(ImportantFact) }).meta({ id: 'ImportantResponse' }),
})
