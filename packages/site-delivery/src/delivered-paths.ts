import { hasHash } from '@docket/site-bundle/locator/hashed-names'
import { isPage } from '@docket/site-bundle/locator/page-address'
import { type DeliveredFile, DeliveryFailed, type DeliveryPlan } from './delivery-target.ts'

// oxlint-disable-next-line no-control-regex -- Names with control characters are refused.
const controlCharacter = /[\u0000-\u001f\u007f]/
const ownNames = /^\.(git|docket.*)$/i

const isUnsafe = (path: string) =>
  path.split('/').some((part) => part === '' || part === '.' || part === '..' || ownNames.test(part)) ||
  path.includes('\\') ||
  controlCharacter.test(path) ||
  Buffer.byteLength(path) > 1000

/** Throws `DeliveryFailed` unless every path stays within the target, and no two are one file or a file and its folder. */
export const assertSafePaths = (files: readonly DeliveredFile[]): void => {
  const refuse = (what: string) => new DeliveryFailed(`The bundle has ${what}, so it cannot be delivered.`)
  const names = new Set(files.map(({ path }) => path))
  if (names.size !== files.length) throw refuse('the same name twice')
  for (const { path } of files) {
    if (isUnsafe(path)) throw refuse(`the name “${formatUnsafePath(path)}”`)
    const parts = path.split('/')
    for (let depth = 1; depth < parts.length; depth += 1)
      if (names.has(parts.slice(0, depth).join('/'))) throw refuse('a name that is a file and a folder')
  }
}

/** Throws `DeliveryFailed` when a target's list of what was delivered there has a name that Docket never delivers. */
export const assertSafeList = (paths: Iterable<string>): void => {
  for (const path of paths)
    if (isUnsafe(path))
      throw new DeliveryFailed(
        `The target’s list of delivered files has the name “${formatUnsafePath(path)}”, which Docket never delivers. Nothing was changed there. Find out who changed the list, and restore it or remove it.`,
      )
}

const formatUnsafePath = (path: string) => path.slice(0, 120).replaceAll(new RegExp(controlCharacter, 'g'), '�')

/** Pages are asked for each time. */
export const formatCacheControl = (file: DeliveredFile): string => {
  if (isPage(file)) return 'public, max-age=0, must-revalidate'
  return hasHash(file.path) ? 'public, max-age=31536000, immutable' : 'public, max-age=300'
}

/** SHA-256 of files at the target, by path. Null for a file whose content is unknown. */
export type KnownFiles = ReadonlyMap<string, string | null>

/** Throws `DeliveryFailed` when the target's record contains paths that Docket never delivers. */
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
