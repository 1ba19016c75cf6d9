import { type ObjectStorage, StorageFailed } from '@docket/artifact-store/object-storage'

/** A folder or a bucket for backups. Its objects are named `<prefix>docket-backup-<instance>-<time>.tar(.age)`. */
export type BackupTarget = { storage: ObjectStorage; prefix: string }

const dayMs = 86_400_000

/** Sentence about a failure of the target; null for other errors. */
export const explainTarget = (error: unknown): string | null =>
  // The store knows bundles only.
  error instanceof StorageFailed ? error.message.replaceAll('the bundle', 'the backup') : null

/** The backups of one installation in a target. Touches no other object. */
export const backupTarget = ({ storage, prefix }: BackupTarget, instance: string) => {
  const beginning = `${prefix}docket-backup-${instance}-`
  const isOurs = (key: string) =>
    key.startsWith(beginning) && /^\d{8}T\d{6}Z\.tar(\.age)?$/.test(key.slice(beginning.length))

  return {
    /** Name of a backup without the prefix. Later ones sort behind earlier ones. */
    name: (at: Date, isEncrypted: boolean): string => {
      const stamp = at.toISOString().replace(/[-:]|\.\d+/g, '')
      return `docket-backup-${instance}-${stamp}.tar${isEncrypted ? '.age' : ''}`
    },
    /** Moves a file into the target. It appears whole or not at all. */
    put: (name: string, file: string): Promise<void> => storage.put(prefix + name, file),
    /** Removes what crashed uploads left a day ago. Returns how many there were. */
    removeUnfinished: (at: Date): Promise<number> =>
      storage.removeUnfinished(beginning, new Date(at.getTime() - dayMs)),
    /** Removes all but the newest `keep` of the backups in `made`, oldest first, and calls `removed` for each. */
    prune: async (
      keep: number,
      made: ReadonlySet<string | null>,
      removed: (name: string) => Promise<void>,
    ): Promise<void> => {
      const keys: string[] = []
      for await (const { key } of storage.list(beginning))
        if (isOurs(key) && made.has(key.slice(prefix.length))) keys.push(key)
      for (const key of keys.toSorted().slice(0, Math.max(0, keys.length - keep))) {
        await storage.remove(key)
        await removed(key.slice(prefix.length))
      }
    },
  }
}
