import { join } from 'node:path'
import type { LinkStorage, Misbehaviour } from '#object-storage.ts'
import { diskStorage } from './disk-storage.ts'
import type { SignedLinks } from './signed-links.ts'

/** Object behind a valid link. `breaksOff` stops the transfer half way. */
export type StoredObject = { file: string; breaksOff: boolean }

/** Object storage on the local disk, with the service's own links. */
export type LocalStorage = LinkStorage & {
  /** The object of a link's path and query; null when the link is not good. */
  open(path: string, query: URLSearchParams): StoredObject | null
}

export const linkPath = '/storage/bundles'

/** Objects as files under `folder`. Links are good for one object until one moment, and survive a restart. */
export const localStorage = (deps: {
  folder: string
  links: SignedLinks
  origin: () => string
  now: () => Date
}): LocalStorage => {
  const { folder, links, origin, now } = deps
  const condemned = new Map<string, Misbehaviour>()
  return {
    ...diskStorage(folder),
    link: (key, expiresAt, misbehaves) => {
      const link = links.sign(`${linkPath}/${key}`, Math.floor(expiresAt.getTime() / 1000))
      if (misbehaves) condemned.set(link, misbehaves)
      return Promise.resolve(origin() + link)
    },
    open: (path, query) => {
      if (!links.isGood(path, query, now())) return null
      const link = `${path}?${query.toString()}`
      const fate = condemned.get(link)
      if (fate === 'dead') return null
      if (fate === 'dies') condemned.set(link, 'dead')
      // The signature covers the path, so a valid signature proves that the key is one of ours.
      return { file: join(folder, path.slice(linkPath.length + 1)), breaksOff: fate === 'dies' }
    },
  }
}
