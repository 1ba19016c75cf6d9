import { assertSafeList } from './delivered-paths.ts'
import type { DeliveredFile, DeliveryPlan } from './delivery-target.ts'

/** SHA-256 of files at the target, by path. Null for a file whose content nobody knows. */
export type KnownFiles = ReadonlyMap<string, string | null>

/** Compares what the target has with what is to be delivered. Throws `DeliveryFailed` when it may not have what it says that it has. */
export const planDelivery = (from: string | null, known: KnownFiles, files: readonly DeliveredFile[]): DeliveryPlan => {
  assertSafeList(known.keys())
  const names = new Set(files.map(({ path }) => path))
  const added = files.filter(({ path }) => !known.has(path))
  const changed = files.filter(({ path, sha256 }) => known.has(path) && known.get(path) !== sha256)
  const toPaths = (some: readonly DeliveredFile[]) => some.map(({ path }) => path).toSorted()
  return {
    from,
    added: toPaths(added),
    changed: toPaths(changed),
    removed: [...known.keys()].filter((path) => !names.has(path)).toSorted(),
    bytes: countBytes(added) + countBytes(changed),
  }
}

export const countBytes = (files: readonly DeliveredFile[]): number =>
  files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
