import { localStorage } from '@docket/artifact-store/local-disk/local-storage'
import { signedLinks, linkSecret } from '@docket/artifact-store/local-disk/signed-links'
import { storageRoutes } from '@docket/artifact-store/local-disk/storage.routes'
import type { HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import { bundleStore, type BundleStore } from '#bundles/bundle-store.ts'
import type { LocalAdminApiOptions } from '#options.ts'

const linkMsByDefault = 15 * 60_000

/** Bundles where the options say: on the local disk, with routes for its links, or in an S3 store, which has its own. */
export const openBundles = async (
  { linkMs = linkMsByDefault, s3 }: LocalAdminApiOptions,
  around: { place: (...names: string[]) => string; origin: () => string; now: () => Date },
): Promise<{ bundles: BundleStore; routes: Hono<{ Bindings: HttpBindings }>; close(): void }> => {
  const { place, origin, now } = around
  const folder = place('bundles')
  if (s3 !== undefined) {
    // Only loaded when it is used: the SDK is large.
    const { s3Storage } = await import('@docket/artifact-store/s3/s3-storage')
    const storage = s3Storage(s3, now)
    return { bundles: bundleStore({ folder, storage, linkMs, now }), routes: new Hono(), close: () => storage.close() }
  }
  const links = signedLinks(await linkSecret(place('link-secret')))
  const storage = localStorage({ folder, links, origin, now })
  return {
    bundles: bundleStore({ folder, storage, linkMs, now }),
    routes: storageRoutes(storage),
    close: () => {},
  }
}
