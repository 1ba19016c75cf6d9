import { url as debuggerAddress } from 'node:inspector'
import { chmod, readdir, stat } from 'node:fs/promises'

/**
 * Keeps what this process writes to its user: files 0600, folders 0700, also those of the programs it starts. Throws a sentence for the
 * operator when a debugger listens, because that gives every secret to whoever reaches it. To be called before anything else.
 */
export const makeProcessPrivate = (): void => {
  process.umask(0o077)
  // The report that Node writes when it dies would hold the whole environment.
  process.report.excludeEnv = true
  if (debuggerAddress() !== undefined)
    throw new Error(
      'Node was started with a debugger (--inspect, perhaps in NODE_OPTIONS), and a debugger gives away every secret. Start Docket without it.',
    )
}

/** What Docket keeps in its data folder, and what a file system of its own has beside it. */
const own = /^(postgres|local-admin-api|docket|run|restore)(\.|$)|^lost\+found$/

/** Rights of other users. Passing through alone is given to the group where PostgreSQL must run as another user. */
const othersRights = 0o067

/**
 * Closes the data folder to other users of the machine where it holds nothing but Docket's own things, or nothing yet. One that may be
 * shared on purpose, or belongs to somebody else, stays as it is: then it gives a sentence for the log. Null when all is well.
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
