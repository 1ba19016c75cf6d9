import { hkdfSync } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { localStorage } from '@docket/artifact-store/local-disk/local-storage'
import { signedLinks } from '@docket/artifact-store/local-disk/signed-links'
import { storageRoutes } from '@docket/artifact-store/local-disk/storage.routes'
import type { LinkStorage } from '@docket/artifact-store/object-storage'
import type { HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import type { Log } from '#log.ts'
import type { LocalAdminApiOptions } from '#options.ts'
import { bundleStore } from './bundle-store.ts'

const linkMsByDefault = 15 * 60_000
/** How long a start waits for the store to say which one it is. */
const markerMs = 10_000

/**
 * Opens the store that the options choose: a folder, with routes for its links, or an S3 bucket with its own links. Without a choice,
 * it is a folder of this machine.
 */
export const openBundles = async (
  { key, linkMs = linkMsByDefault, store }: LocalAdminApiOptions,
  around: { place: (...names: string[]) => string; origin: () => string; now: () => Date; log: Log },
) => {
  const { place, origin, now, log } = around
  const oldFolder = place('bundles')
  const open = async () => {
    if (store !== undefined && 's3' in store) {
      // Loaded only when used, because the SDK is large.
      const { s3Storage } = await import('@docket/artifact-store/s3/s3-storage')
      const storage = s3Storage(store.s3, now)
      return {
        storage,
        prefix: store.prefix,
        toFile: null,
        routes: new Hono<{ Bindings: HttpBindings }>(),
        close: storage.close,
      }
    }
    const folder = store?.folder ?? oldFolder
    const storage = localStorage({ folder, links: signedLinks(toLinkSecret(key)), origin, now })
    const toFile = (name: string) => join(folder, name)
    return { storage, prefix: '', toFile, routes: storageRoutes(storage), close: () => {} }
  }
  const { storage, prefix, toFile, routes, close } = await open()
  const bundles = bundleStore({ storage, prefix, toFile, oldFolder, linkMs, now, log })
  // Earlier versions kept a secret for links.
  await rm(place('link-secret'), { force: true })
  return {
    bundles,
    routes,
    /** What the processes of the service share, and where in it. Null: this machine keeps its files to itself. */
    shared: store === undefined ? null : { storage, prefix },
    /** Id of the storage. Null: it does not answer. */
    marker: await readMarker(storage, log),
    close: () => {
      bundles.close()
      close()
    },
  }
}

/** All processes have the same key, so that each takes the links of the others. */
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
