import type { Git } from '@docket/sources/git/git'
import type { SiteSource } from '@docket/sources/site-source'
import { refused } from '#code-host-error.ts'
import type { RemoteRepository } from './remote-repository.ts'

export type GitSource = Extract<SiteSource, { kind: 'git' }>

/** The address of a repository as shown to people and in §2.1: without `.git`, which only git needs. */
export const formatRepositoryUrl = ({ repository }: GitSource): string => repository.replace(/\.git\/?$/, '')

/** The branch of a source in its repository: the one that it names, or the default one. Rejects with a `CodeHostError`. */
export const followBranch = (git: Git, remote: RemoteRepository, source: GitSource) => {
  const url = formatRepositoryUrl(source)
  const find = async (signal?: AbortSignal): Promise<string> => {
    const branch = source.ref ?? (await remote.defaultBranch(signal))
    if (branch === null) throw refused(`The repository ${url} has no default branch: it seems to be empty.`)
    return branch
  }
  return {
    find,
    /** Fetches its newest commit, which has the folder of the source. */
    fetch: async (signal?: AbortSignal) => {
      const branch = await find(signal)
      const commit = await remote.fetch(branch, signal)
      if (commit === null) throw refused(`The repository ${url} has no branch ${branch}.`)
      const kind = await git(['cat-file', '-t', `${commit}:${source.folder}`]).catch(() => '')
      if (kind.trim() !== 'tree') throw refused(`The branch ${branch} of ${url} has no folder ${source.folder}.`)
      return { branch, commit }
    },
  }
}
