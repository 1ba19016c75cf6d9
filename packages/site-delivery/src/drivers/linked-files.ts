import { randomUUID } from 'node:crypto'
import { posix } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { DeliveryFailed } from '#delivery-target.ts'
import { linkDraft, type LinkedFiles } from '#layouts/release-folders.ts'
import type { Entry } from '#layouts/site-tree.ts'

/** `mode` is absent on servers without permissions. */
export type Stats = { mode?: number; size: number } & Record<'isFile' | 'isDirectory' | 'isSymbolicLink', () => boolean>

export type FileSystem = {
  /** Null for a missing folder, unless `makes` is set. Rejects with `DeliveryFailed` for a link, even on the way. */
  within<T>(path: string, makes: boolean, use: (folder: string) => Promise<T>): Promise<T | null>
  readRights(path: string): Promise<Rights>
  lstat(path: string): Promise<Stats>
  list(path: string): Promise<[name: string, stats: Stats][]>
  /** Changes permissions, unless the system forbids that. */
  chmod(path: string, mode: number): Promise<void>
  /** Null for anything but a regular file. */
  open(path: string): Promise<Readable | null>
  create(path: string, mode: number): Promise<Writable>
  link(path: string, name: string): Promise<void>
  readlink(path: string): Promise<string>
  symlink(to: string, path: string): Promise<void>
  /** Replaces an existing file atomically and durably. */
  rename(path: string, name: string): Promise<void>
  /** Replaces a file, in two steps where the system has no other way. */
  move(path: string, name: string): Promise<void>
  unlink(path: string): Promise<void>
  rmdir(path: string): Promise<void>
  isMissing(error: unknown): boolean
  explain<T>(what: 'read' | 'write to', work: () => Promise<T>): Promise<T>
}

export const createLinkRefusal = (path: string): DeliveryFailed =>
  new DeliveryFailed(`“${path}” at the target is a link, and Docket follows none. Put a folder in its place.`)

export const createLinkedFiles = (
  fs: FileSystem,
  draftStart: string,
): Omit<LinkedFiles, 'concurrency' | 'close'> & { removeFile(path: string): Promise<void> } => {
  const { dirname, basename } = posix
  const join = (folder: string, name: string) => `${folder}/${name}`
  const at = async <T>(path: string, missing: T, use: (file: string) => Promise<T>): Promise<T> => {
    const found = await fs.within(dirname(path), false, async (folder) => {
      try {
        return { result: await use(join(folder, basename(path))) }
      } catch (error) {
        if (fs.isMissing(error)) return null
        throw error
      }
    })
    return found === null ? missing : found.result
  }
  const atNew = async <T>(path: string, use: (file: string, folder: string) => Promise<T>) =>
    void (await fs.within(dirname(path), true, (folder) => use(join(folder, basename(path)), folder)))
  const read = <T>(path: string, missing: T, use: (file: string) => Promise<T>) =>
    fs.explain('read', () => at(path, missing, use))
  const change = (path: string, use: (file: string) => Promise<void>) =>
    fs.explain('write to', () => at(path, undefined, use))
  const removeFolder = async (path: string): Promise<void> => {
    await fs.within(path, false, async (folder) => {
      for (const [name, stats] of await fs.list(folder))
        await (stats.isDirectory() ? removeFolder(join(path, name)) : fs.unlink(join(folder, name)))
    })
    await at(path, undefined, fs.rmdir)
  }

  return {
    write: (path, content) =>
      fs.explain('write to', () =>
        atNew(path, (file) =>
          atNew(draftStart + randomUUID(), async (draft) => {
            try {
              await pipeline(content, await fs.create(draft, (await fs.readRights(path)).file))
              await fs.move(draft, file)
            } catch (error) {
              await fs.unlink(draft).catch(() => {})
              throw error
            }
          }),
        ).finally(() => content.destroy()),
      ),
    read: (path) => read(path, null, fs.open),
    readSize: (path) =>
      read(path, null, async (file) => {
        const stats = await fs.lstat(file)
        return stats.isFile() ? stats.size : null
      }),
    addName: (path, name) =>
      at(path, false, async (file) => {
        await atNew(name, (other) => fs.link(file, other))
        return true
      }).catch(() => false),
    readLink: (path) =>
      read<{ to: string } | 'other' | null>(path, null, async (file) =>
        (await fs.lstat(file)).isSymbolicLink() ? { to: await fs.readlink(file) } : 'other',
      ),
    replaceLink: (path, to) =>
      fs.explain('write to', () =>
        atNew(path, async (file, folder) => {
          const draft = join(folder, linkDraft)
          await fs.unlink(draft).catch(() => {})
          await fs.symlink(to, draft)
          await fs.rename(draft, file)
        }),
      ),
    listFolder: (path) =>
      read<Entry[]>(`${path}/.`, [], async (folder) => {
        const rights = await fs.readRights(path)
        return (await fs.list(folder)).map(([name, stats]) => {
          const isFolder = stats.isDirectory()
          const mode = isFolder ? rights.folder : rights.file
          return { name, isFolder, hasRights: !(isFolder || stats.isFile()) || ((stats.mode ?? 0) & 0o7777) === mode }
        })
      }),
    setRights: (path, isFolder) =>
      change(path, async (file) => {
        const rights = await fs.readRights(path)
        await fs.chmod(file, isFolder ? rights.folder : rights.file)
      }),
    rename: (path, name) =>
      fs.explain('write to', () => atNew(path, (file) => atNew(name, (other) => fs.rename(file, other)))),
    remove: (path) =>
      change(path, async (file) => ((await fs.lstat(file)).isDirectory() ? removeFolder(path) : fs.unlink(file))),
    removeFile: (path) => change(path, fs.unlink),
  }
}

export type Rights = { file: number; folder: number }

/** Permissions that only Docket's user has. */
export const privateRights: Rights = { file: 0o600, folder: 0o700 }

/**
 * Permissions of what is delivered, from those of the target's own folder: whoever may enter it may read, a group that may write to it may
 * write, and nobody else ever may. A folder that only its user may enter gets 0644 and 0755: it protects what is in it, and opens it all.
 */
export const deriveRights = (mode: number): Rights => {
  const given = (mode & 0o077) === 0 ? mode | 0o755 : mode
  return { file: 0o600 | ((given & 0o011) << 2) | (given & 0o020), folder: 0o700 | (given & 0o2075) }
}
