import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { BundleFile, Manifest } from '#manifest.ts'
import type { StoredSite } from '#open-site.ts'
import { neutralisePath, neutraliseText } from '#pages/description/build-ids.ts'

/** Files beyond these count as changed without a look inside. Bytes. */
const maxFileBytes = 2 * 1024 ** 2
const maxTotalBytes = 48 * 1024 ** 2

type Side = { manifest: Manifest; site: Pick<StoredSite, 'read'> }

/** Counts files that are no pages. Names and texts are compared without hashes and build ids. */
export const compareFiles = async (earlier: Side, later: Side, signal: AbortSignal) => {
  const { differing, removed, added } = pairFiles(listFiles(earlier.manifest), listFiles(later.manifest))
  let changed = 0
  let total = 0
  for (const [file, partner] of differing) {
    signal.throwIfAborted()
    const bytes = file.sizeBytes + partner.sizeBytes
    if (!isText(file) || Math.max(file.sizeBytes, partner.sizeBytes) > maxFileBytes || total + bytes > maxTotalBytes) {
      changed++
      continue
    }
    total += bytes
    const [before, after] = await Promise.all([earlier.site.read(file.path), later.site.read(partner.path)])
    if ((await readNeutral(before)) !== (await readNeutral(after))) changed++
  }
  return { added, removed, changed }
}

/** Pairs files by name, by name without build ids and content, by name without build ids, and by content. */
const pairFiles = (earlier: BundleFile[], later: BundleFile[]) => {
  const differing: [BundleFile, BundleFile][] = []
  let before = earlier
  let after = later
  for (const read of [
    ({ path }: BundleFile) => path,
    ({ path, sha256 }: BundleFile) => `${neutralisePath(path)} ${sha256}`,
    ({ path }: BundleFile) => neutralisePath(path),
    ({ path, sha256 }: BundleFile) => `${path.slice(path.lastIndexOf('.'))} ${sha256}`,
  ]) {
    const waiting = Map.groupBy(after, read)
    const next = new Map([...waiting.keys()].map((key) => [key, 0]))
    before = before.filter((file) => {
      const key = read(file)
      const place = next.get(key) ?? 0
      const partner = waiting.get(key)?.[place]
      if (!partner) return true
      next.set(key, place + 1)
      if (partner.sha256 !== file.sha256) differing.push([file, partner])
      return false
    })
    after = [...waiting].flatMap(([key, files]) => files.slice(next.get(key)))
  }
  return { differing, removed: before.length, added: after.length }
}

const listFiles = ({ files, pages }: Manifest) => {
  const paths = new Set(pages.map(({ path }) => path))
  return files.filter(({ path }) => !paths.has(path))
}

const isText = ({ path }: BundleFile) => /\.(?:m?js|css|json|map|xml|txt|webmanifest|svg)$/i.test(path)

const readNeutral = async (content: Readable) => neutraliseText(await text(content))
