import { createHash, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { oncePerKey } from '@docket/once'
import { gitIn } from './git.ts'
import { FetchTooLarge, limitSize } from './limit-size.ts'
import { fetchCommit, resolveRemoteCommit, type RemoteRef, RepositoryUnavailable } from './remote-git.ts'

/** Pinned commit of a repository, so that every attempt of an export reads the same files. */
export type Pin = RemoteRef & { commit: string }

/** Time limits to resolve a branch and to fetch a commit. Milliseconds. */
const timeLimits = { pinMs: 8_000, fetchMs: 10 * 60_000 }
/** Maximum size of one packed commit. Bytes. */
const maxFetchedBytes = 1024 * 1024 * 1024

/** Overrides every attribute file of the repository: no conversion, and no filter. */
const attributes = '* -text -ident -filter -working-tree-encoding -export-ignore -export-subst\n'

/** Commits of remote repositories under `folder`, each in an immutable bare repository of its own. */
export const openGitSnapshots = (folder: string) => {
  const closing = new AbortController()
  const fetches = oncePerKey<string>()
  const drafts = new Set<string>()
  const toFolderName = ({ repository }: RemoteRef) => createHash('sha256').update(repository).digest('hex').slice(0, 16)
  const toPath = (pin: Pin) => join(folder, toFolderName(pin), pin.commit)

  const fetchAnew = async (pin: Pin) => {
    const place = toPath(pin)
    if (existsSync(place)) return place
    // Fetches under a temporary name, so that a crash leaves no incomplete commit.
    const draft = join(dirname(place), `${randomUUID()}.draft`)
    drafts.add(draft)
    await mkdir(draft, { recursive: true, mode: 0o700 })
    const limits = { gitDir: draft, maxBytes: maxFetchedBytes, signal: closing.signal }
    try {
      await gitIn(draft)(['init', '--quiet', '--bare', draft])
      await mkdir(join(draft, 'info'), { recursive: true })
      await writeFile(join(draft, 'info', 'attributes'), attributes)
      await limitSize(limits, (signal) => fetchCommit(pin, draft, { timeLimitMs: timeLimits.fetchMs, signal }))
      await rename(draft, place)
      return place
    } catch (error) {
      if (!(error instanceof FetchTooLarge)) throw error
      throw new RepositoryUnavailable(
        `${pin.repository} sends more than ${maxFetchedBytes / 1024 ** 3} GB for one commit`,
      )
    } finally {
      await rm(draft, { recursive: true, force: true })
      drafts.delete(draft)
    }
  }

  return {
    /** Resolves the current commit of a repository. Rejects with `RepositoryUnavailable`. */
    pin: async (remote: RemoteRef) => {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      return { ...remote, commit: await resolveRemoteCommit(remote, folder, timeLimits.pinMs) }
    },
    /** Returns the git directory of the commit, which concurrent calls fetch only once. Rejects with `RepositoryUnavailable`. */
    fetch: (pin: Pin) => fetches.run(toPath(pin), () => fetchAnew(pin)),
    keepOnly: async (pins: readonly Pin[]) => {
      const wanted = new Set(pins.map(toPath))
      for (const repository of await listNames(folder))
        for (const name of await listNames(join(folder, repository))) {
          const place = join(folder, repository, name)
          const isWanted = wanted.has(place) || fetches.work.has(place) || drafts.has(place)
          if (!isWanted) await rm(place, { recursive: true, force: true })
        }
    },
    close: async () => {
      closing.abort()
      await Promise.allSettled(fetches.work.values())
    },
  }
}

const listNames = (folder: string) => readdir(folder).catch((): string[] => [])
