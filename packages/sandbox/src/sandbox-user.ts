import { lchown, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** User that a command runs as. Its group has the same number. */
export type SandboxUser = { uid: number; gid: number }

/** User ids that systemd leaves unused (its UIDS-GIDS.md), below 65,536 so that most containers map them too. */
const range = { first: 60_706, last: 61_183 }

/** A user that has no name and no process yet; null when this process is not root, because a command then runs as its user. */
export const pickSandboxUser = async (): Promise<SandboxUser | null> => {
  if (process.getuid?.() !== 0) return null
  const usedIds = new Set([...(await listNamedUsers()), ...(await listRunningUsers())])
  const free = Array.from({ length: range.last - range.first + 1 }, (_, index) => range.first + index).filter(
    (uid) => !usedIds.has(uid),
  )
  const uid = free[Math.floor(Math.random() * free.length)]
  if (uid === undefined) throw new Error(cannotDrop('no user id is free'))
  return { uid, gid: uid }
}

/** Gives a folder and all in it to `user`; no symlink is followed. Rejects with a message when this process may not. */
export const giveFolderTo = async (user: SandboxUser, folder: string): Promise<void> => {
  try {
    await changeOwner(user, folder)
  } catch {
    throw new Error(cannotDrop('chown is not permitted'))
  }
}

const changeOwner = async (user: SandboxUser, folder: string): Promise<void> => {
  await lchown(folder, user.uid, user.gid)
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    await (entry.isDirectory() ? changeOwner(user, path) : lchown(path, user.uid, user.gid))
  }
}

export const cannotDrop = (why: string): string =>
  `The command was not run: Docket is root, and the command cannot get a user of its own here (${why}). Run Docket as an ordinary user.`

const listNamedUsers = async () => {
  const lines = (await readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n')
  return lines.map((line) => Number(line.split(':')[2]))
}

const listRunningUsers = async () => {
  const processes = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  return Promise.all(
    processes.map((pid) =>
      stat(`/proc/${pid}`).then(
        ({ uid }) => uid,
        () => 0,
      ),
    ),
  )
}
