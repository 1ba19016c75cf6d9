import { realpath } from 'node:fs/promises'
import { DeliveryFailed } from '#delivery-target.ts'
import { isInside } from './folder.ts'

/** What targets may use of this machine: `TARGET_REPOSITORIES`, and `TARGET_FOLDERS`. */
export type LocalPlaces = { repositories: readonly string[]; folders: readonly string[] }

/**
 * The real path of a repository. Throws `DeliveryFailed` unless it is one of `repositories`, links resolved, and no folder target can write
 * to it: what Docket delivers must never become the configuration of a repository.
 */
export const locateRepository = async (path: string, { repositories, folders }: LocalPlaces): Promise<string> => {
  const resolve = (places: readonly string[]) =>
    Promise.all(places.map((place) => realpath(place).catch(() => undefined)))
  const [real] = await resolve([path])
  if (real === undefined || !(await resolve(repositories)).includes(real))
    throw new DeliveryFailed(
      repositories.length === 0
        ? 'This Docket may not deliver to repositories of its machine. TARGET_REPOSITORIES lists those to which it may.'
        : 'Docket may not deliver to this repository, or it does not exist. TARGET_REPOSITORIES lists those to which it may.',
    )
  const overlaps = (folder: string | undefined) =>
    folder !== undefined && (isInside(folder, real) || isInside(real, folder))
  if ((await resolve(folders)).some(overlaps))
    throw new DeliveryFailed(
      'This repository and a folder of TARGET_FOLDERS are within each other, so a delivery could change its configuration. Move the repository elsewhere, or name another folder.',
    )
  return real
}
