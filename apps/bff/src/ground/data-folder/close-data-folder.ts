import { chmod, readdir, stat } from 'node:fs/promises'

/** Names of Docket's own entries in its data folder, and of the entry that a file system of its own adds. */
const own = /^(postgres|local-admin-api|docket|run|restore)(\.|$)|^lost\+found$/

/** Permissions of other users. The group may pass through, because PostgreSQL may run as another user. */
const othersRights = 0o067

/**
 * Makes the data folder private if it contains only Docket's own entries. Leaves a shared or foreign folder alone and
 * returns a sentence for the log. Null when the folder is private.
 */
export const closeDataFolder = async (folder: string): Promise<string | null> => {
  const found = await stat(folder).catch(() => null)
  if (found === null || (found.mode & othersRights) === 0) return null
  const names = await readdir(folder).catch(() => null)
  const isOwn = names?.every((name) => own.test(name)) === true
  const closed =
    isOwn &&
    (await chmod(folder, 0o700).then(
      () => true,
      () => false,
    ))
  return closed
    ? null
    : `Other users of this machine may enter DATA_DIR ${folder}. It ${isOwn ? 'could not be closed to them' : 'holds more than what is of Docket'}, so it was left as it is. What Docket writes in it is closed to them; a folder of its own with the mode 0700 is better.`
}
