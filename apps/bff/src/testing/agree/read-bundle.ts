import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { createDiskStorage } from '@docket/artifact-store/local-disk/disk-storage'
import { hashFile } from '@docket/artifact-store/object-storage'
import { readBundle } from '@docket/site-bundle/analysis/read-bundle'
import { listArtifactKeys } from '@docket/site-bundle/artifact-keys'
import { usualBounds } from '@docket/site-bundle/bounds'
import { checkSite } from '@docket/site-bundle/check/check-site'
import type { Manifest } from '@docket/site-bundle/manifest'
import { openSite, type StoredSite } from '@docket/site-bundle/open-site'
import { listAgreeAddresses } from '@docket/site-bundle/testing/agree/addresses'

/** A bundle that was read and stored as Docket does it. */
export type ReadBundle = { name: string; sha256: string; site: StoredSite; manifest: Manifest; mount: string }

/** A folder that every user of the machine may read, and the bundles that were stored in it. */
export const openBundleStore = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'docket-agree-'))
  const storage = createDiskStorage(join(folder, 'store'))
  return {
    folder,
    close: () => rm(folder, { recursive: true, force: true }),
    /** Rejects with `ArchiveRefused`. */
    add: async (name: string, bundle: Buffer): Promise<ReadBundle> => {
      const work = join(folder, 'work')
      await rm(work, { recursive: true, force: true })
      await mkdir(join(work, 'read'), { recursive: true })
      const file = join(work, 'bundle')
      await writeFile(file, bundle)
      const order = { file, folder: join(work, 'read'), bounds: usualBounds }
      await readBundle(order, { onProgress: () => {}, onRead: () => {} })
      const sha256 = await hashFile(file)
      const keys = listArtifactKeys(sha256)
      const written = { 'site.zip': keys.zip, 'manifest.json.gz': keys.manifest, 'report.json.gz': keys.report }
      for (const one of await readdir(order.folder))
        await storage.put(written[one as keyof typeof written], join(order.folder, one))
      const site = openSite(storage, sha256)
      const manifest = await site.manifest()
      return { name, sha256, site, manifest, mount: manifest.mount ?? '/' }
    },
  }
}

const isPage = (path: string) => /\.x?html?$/i.test(path)

/** Addresses that the bundle can name. */
export const listAddresses = async ({ site, manifest, mount }: ReadBundle): Promise<string[]> => {
  const { root, files, pages } = manifest
  const paths = files.flatMap(({ path }) => (path.startsWith(root) ? [path.slice(root.length)] : []))
  const read = async (path: string) => text(await site.read(root + path))
  const texts = await Promise.all(paths.filter(isPage).map(async (path) => [path, await read(path)] as const))
  const rules = paths.filter((path) => /^(_redirects|vercel\.json)$/.test(path))
  const [ruleTexts, listed] = [await Promise.all(rules.map(read)), pages.map(({ address }) => address)]
  return listAgreeAddresses({ mount, paths, pages: new Map(texts), rules: ruleTexts, listed })
}

const toAttribute = (address: string) => address.replaceAll('&', '&amp;').replaceAll('"', '&quot;')

/** Addresses that the check calls missing, in a page for each that links to nothing else. */
export const listMissing = async (
  { site, manifest }: ReadBundle,
  addresses: readonly string[],
): Promise<ReadonlySet<string>> => {
  // A base, because addresses that begin with a slash say where a site expects to be; and behind all other names.
  const asking = new Map(
    addresses.map((address, at) => [
      `${manifest.root}\u{10ffff}${String(at).padStart(6, '0')}.html`,
      {
        address,
        text: `<base href="/"><title>.</title><a href="./${toAttribute(address.slice(1))}">.</a>`,
      },
    ]),
  )
  const more = [...asking].map(([path, page]) => ({
    path,
    sizeBytes: Buffer.byteLength(page.text),
    sha256: '',
    type: 'text/html',
  }))
  const { report } = await checkSite({
    files: [...manifest.files, ...more],
    read: async (path) => {
      const page = asking.get(path)
      return page === undefined ? buffer(await site.read(path)) : Buffer.from(page.text)
    },
  })
  const missing = report.findings.filter(({ level, rule }) => level === 'breaks' || rule === 'beside-site')
  return new Set(missing.flatMap(({ places }) => places.flatMap(({ path }) => asking.get(path)?.address ?? [])))
}
