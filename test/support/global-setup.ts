import { makeSeed } from '@memory/shared/platform/database/embedded'

/** Test databases are copies of the seed that new data directories start from. */
export default async function setup(): Promise<void> {
  await makeSeed()
}
