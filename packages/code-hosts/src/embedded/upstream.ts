import type { Git } from '@docket/sources/git/git'
import { CodeHostError, type Pause, refused } from '#code-host-error.ts'
import { changeRefs } from '#embedded/pull-requests/pull-requests.ts'
import { mainBranch, type Upstream } from '#embedded/repository.ts'
import { remoteRepository } from '#git/remote-repository.ts'
import type { GitSource } from '#remote-project.ts'

export const openUpstream = (copy: { git: Git; gitDir: string }, source: GitSource, pause: Pause): Upstream => {
  const { git } = copy
  const address = { url: source.repository, credential: null, hide: (text: string) => text, caFile: null, needs: null }
  const remote = remoteRepository(git, address, pause)
  const findBranch = async () => {
    const branch = source.ref ?? (await remote.defaultBranch())
    if (branch === null)
      throw refused(`The repository ${source.repository} has no default branch: it seems to be empty.`)
    return branch
  }
  return {
    sync: async () => {
      const branch = await findBranch()
      const commit = await remote.fetch(branch)
      if (commit === null) throw refused(`The repository ${source.repository} has no branch ${branch}.`)
      const kind = await git(['cat-file', '-t', `${commit}:${source.folder}`]).catch(() => '')
      if (kind.trim() !== 'tree')
        throw refused(`The branch ${branch} of ${source.repository} has no folder ${source.folder}.`)
      await changeRefs(copy, [`update refs/heads/${mainBranch} ${commit}`])
    },
    push: async (commit) => {
      try {
        await remote.push(await findBranch(), commit)
        return null
      } catch (error) {
        if (error instanceof CodeHostError) return `The repository didn’t take the merge: ${error.message}`
        throw error
      }
    },
  }
}
