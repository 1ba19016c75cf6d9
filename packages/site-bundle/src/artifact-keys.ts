import type { ObjectStorage } from '@docket/artifact-store/object-storage'

/** Objects of a stored bundle by its SHA-256. Docket writes `report` last of what it makes, and the database row after all of them. */
export const listArtifactKeys = (sha256: string) => {
  if (!/^[\da-f]{64}$/.test(sha256)) throw new TypeError('A SHA-256 has 64 lower-case hexadecimal digits')
  return {
    prefix: `sha256/${sha256}/`,
    /** The bytes as the service sent them. */
    bundle: `sha256/${sha256}/bundle`,
    zip: `sha256/${sha256}/site.zip`,
    manifest: `sha256/${sha256}/manifest.json.gz`,
    report: `sha256/${sha256}/report.json.gz`,
    /** Of the first page. Made later, and missing where Docket takes none. */
    picture: `sha256/${sha256}/picture.png`,
  }
}

/** A bundle's objects in a store: their total bytes, the bytes of the bundle itself, and whether all objects exist. */
type ListedBundle = { storedBytes: number; sizeBytes: number; isWhole: boolean }

const pattern = /^sha256\/([\da-f]{64})\/(bundle|site\.zip|manifest\.json\.gz|report\.json\.gz)$/

export const listBundles = async (storage: Pick<ObjectStorage, 'list'>): Promise<Map<string, ListedBundle>> => {
  const listed = new Map<string, ListedBundle & { objects: number }>()
  for await (const { key, sizeBytes } of storage.list('sha256/')) {
    const [, sum, name] = pattern.exec(key) ?? []
    if (sum === undefined) continue
    const one = listed.get(sum) ?? { storedBytes: 0, sizeBytes: 0, isWhole: false, objects: 0 }
    one.storedBytes += sizeBytes
    if (name === 'bundle') one.sizeBytes = sizeBytes
    one.objects += 1
    one.isWhole = one.objects === 4
    listed.set(sum, one)
  }
  return listed
}
