import { gitIn } from './git.ts'

/** Address of a repository, and the branch or tag; null for the default branch. */
export type RemoteRef = { repository: string; ref: string | null }

/** The address does not respond, is not a git repository, or has no such branch. The message is readable. */
export class RepositoryUnavailable extends Error {
  override readonly name = 'RepositoryUnavailable'
}

/** Disallows redirects, and ends stalled connections. */
const buildConfig = (silentSeconds: number) => [
  'http.followRedirects=false',
  'http.lowSpeedLimit=1000',
  `http.lowSpeedTime=${silentSeconds}`,
  // A small repository could otherwise arrive as thousands of files, which a limit on bytes does not cover.
  'fetch.unpackLimit=1',
]

/** Current commit of a branch or tag in a repository. `cwd` is any folder. Rejects with `RepositoryUnavailable`. */
export const resolveRemoteCommit = async (remote: RemoteRef, cwd: string, timeLimitMs: number): Promise<string> => {
  const { repository, ref } = remote
  const refs = ref === null ? ['HEAD'] : [`refs/heads/${ref}`, `refs/tags/${ref}`, `refs/tags/${ref}^{}`]
  const output = await gitIn(cwd)(['ls-remote', '--quiet', repository, ...refs], {
    remote: repository,
    config: buildConfig(Math.ceil(timeLimitMs / 1000)),
    timeLimitMs,
  }).catch((error: unknown) => {
    throw new RepositoryUnavailable(`${repository} cannot be read: ${readComplaint(error)}`)
  })
  const commits = new Map(output.split('\n').flatMap(parseRef))
  // Prefers a branch over a tag of the same name, and a tag's commit over the tag.
  const commit = refs
    .toSorted(comparePreference)
    .map((name) => commits.get(name))
    .find((found) => found !== undefined)
  if (commit !== undefined) return commit
  throw new RepositoryUnavailable(
    // If the address is a web page, git reports a repository without branches.
    `${repository} has no ${ref === null ? 'commits' : `branch or tag ${ref}`}, or is no git repository`,
  )
}

/** Fetches one commit into the bare repository `gitDir`, without history if possible. Rejects with `RepositoryUnavailable` when the commit no longer exists. */
export const fetchCommit = async (
  remote: RemoteRef & { commit: string },
  gitDir: string,
  limits: { timeLimitMs: number; signal: AbortSignal },
): Promise<void> => {
  const { repository, ref, commit } = remote
  const git = gitIn(gitDir)
  const refArgs = ref === null ? ['HEAD'] : [ref]
  const ways = [
    // Not every server serves a commit by its id,
    ['--depth=1', repository, commit],
    ['--depth=1', repository, ...refArgs],
    // and plain file servers do not support shallow fetches.
    [repository, ...refArgs],
  ]
  let complaint = ''
  for (const way of ways) {
    const options = { ...limits, remote: repository, config: buildConfig(30) }
    const fetched = await git(['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', ...way], options).catch(
      (error: unknown) => {
        complaint = readComplaint(error)
        return null
      },
    )
    limits.signal.throwIfAborted()
    if (fetched !== null && (await hasCommit(gitDir, commit))) return
  }
  const gone = `it does not have the commit ${commit.slice(0, 12)} any more`
  throw new RepositoryUnavailable(`${repository} cannot be read: ${complaint || gone}`)
}

/** True when the repository has the whole tree of a commit. */
const hasCommit = (gitDir: string, commit: string) =>
  gitIn(gitDir)(['cat-file', '-e', `${commit}^{tree}`]).then(
    () => true,
    () => false,
  )

const parseRef = (line: string): [string, string][] => {
  const [, commit = '', name = ''] = /^([0-9a-f]{40,64})\t(.+)$/.exec(line) ?? []
  return commit === '' ? [] : [[name, commit]]
}

const comparePreference = (a: string, b: string) => rankRef(a) - rankRef(b)
const rankRef = (name: string) => (name.startsWith('refs/heads/') ? 0 : name.endsWith('^{}') ? 1 : 2)

/** The last line of git's output has the reason; earlier lines repeat the address. */
const readComplaint = (error: unknown) => {
  const lines = (error instanceof Error ? error.message : String(error)).split('\n').map((line) => line.trim())
  const last = lines.findLast((line) => /^(fatal|error):|failed:/.test(line)) ?? lines.at(-1) ?? ''
  return last
    .replace(/^git [\w-]+ failed: /, '')
    .replace(/^(fatal|error): /, '')
    .slice(0, 300)
}
