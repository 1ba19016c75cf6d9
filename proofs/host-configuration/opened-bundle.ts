import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Manifest } from '#packages/site-bundle/src/manifest.ts'
import { usualBounds } from '#packages/site-bundle/src/bounds.ts'
import { temporaryFolder } from '#proofs/harness/docket.ts'
import { unpackSite } from '#scripts/sites/site-folder.ts'
import { onEnd } from '#bench/harness/cleanup.ts'
import type { ServedBundle } from './bundles.ts'

/** A bundle as Docket read it, and unpacked as an operator does. */
export type OpenedBundle = ServedBundle & { manifest: Manifest; folder: string }

/** Reads a bundle as Docket does when it stores it, and unpacks it. */
export const openBundle = async (served: ServedBundle): Promise<OpenedBundle> => {
  const { readBundle } = await import('#packages/site-bundle/src/analysis/read-bundle.ts')
  const work = temporaryFolder()
  const file = join(work, 'bundle.tar.gz')
  writeFileSync(file, served.bundle)
  const folder = join(work, 'read')
  mkdirSync(folder)
  await readBundle({ file, folder, bounds: usualBounds }, { onProgress: () => {}, onRead: () => {} })
  const manifest = JSON.parse(gunzipSync(readFileSync(join(folder, 'manifest.json.gz'))).toString()) as Manifest
  const unpacked = await unpackSite(served.bundle)
  onEnd(() => unpacked.close())
  // Apache reads it as another user.
  chmodSync(unpacked.folder, 0o755)
  return { ...served, manifest, folder: unpacked.folder }
}
