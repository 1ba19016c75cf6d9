import { hkdfSync } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openStore } from '@docket/artifact-store/bundle-stores'
import { createLocalStorage, createSignedLinks } from '@docket/artifact-store/local-disk/local-storage'
import { createStorageRoutes } from '@docket/artifact-store/local-disk/storage.routes'
import type { LinkStorage } from '@docket/artifact-store/object-storage'
import type { HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import type { Log } from '#log.ts'
import type { LocalAdminApiOptions } from '#options.ts'
import { createBundleStore } from './bundle-store.ts'

const linkMsByDefault = 15 * 60_000
const markerMs = 10_000

/** Opens the store that the options choose, with routes for the links to a folder. Without a choice, it is a folder of this machine. */
export const openBundles = async (
  { key, linkMs = linkMsByDefault, store }: LocalAdminApiOptions,
  around: { place: (...names: string[]) => string; origin: () => string; now: () => Date; log: Log },
) => {
  const { place, origin, now, log } = around
  const oldFolder = place('bundles')
  const { prefix, ...settings } = store ?? { kind: 'disk', folder: oldFolder, prefix: '' as const }
  const opened = await openStore(settings, now)
  const withLinks = () => {
    const { folder } = opened
    if (folder === null)
      return { storage: opened.storage, toFile: null, routes: new Hono<{ Bindings: HttpBindings }>() }
    const storage = createLocalStorage({ folder, links: createSignedLinks(toLinkSecret(key)), origin, now })
    return { storage, toFile: (name: string) => join(folder, name), routes: createStorageRoutes(storage) }
  }
  const { storage, toFile, routes } = withLinks()
  const bundles = createBundleStore({ storage, prefix, toFile, oldFolder, linkMs, now, log })
  // Earlier versions kept a secret for links.
  await rm(place('link-secret'), { force: true })
  return {
    bundles,
    routes,
    /** The store that the processes of the service share, and the place in it. Null when files stay on this machine. */
    shared: store === undefined ? null : { storage, prefix },
    /** Null when the storage does not respond. */
    marker: await readMarker(storage, log),
    close: () => {
      bundles.close()
      opened.close()
    },
  }
}

/** All processes have the same key, so that each accepts the links of the others. */
const toLinkSecret = (key: string) => new Uint8Array(hkdfSync('sha256', key, '', 'docket bundle links', 32))

const readMarker = async (storage: LinkStorage, log: Log): Promise<string | null> => {
  const late = new AbortController()
  try {
    return await Promise.race([storage.ensureMarker(), sleep(markerMs, null, { ref: false, signal: late.signal })])
  } catch (error) {
    log.warn({ err: error }, 'the store of the embedded service does not answer, so exports wait for it')
    return null
  } finally {
    late.abort()
  }
}
