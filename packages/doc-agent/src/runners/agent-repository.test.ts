import { join } from 'node:path'
import { gitIn } from '@docket/sources/git/git'
import { folderOfOtherMount, temporaryFolder } from '@docket/sources/testing/files'
import { bareRepository, commitTo, gitAt } from '@docket/sources/testing/git-server'
import { expect, test } from 'vitest'
import { checkOut } from '#work/run-turn.ts'
import { makeAgentRepository } from './agent-repository.ts'

/** What an agent finds in a work folder: of the last of many commits, which no branch has, as a merge of its start may be. */
const inWorkFolder = async (scratch: string) => {
  const gitDir = await bareRepository(join(await temporaryFolder(), 'docs.git'), {})
  const files = Object.fromEntries(Array.from({ length: 150 }, (_, n) => [`docs/page-${n}.md`, `Page ${n}\r\n`]))
  commitTo(gitDir, 'main', files)
  const commit = commitTo(gitDir, 'gone', { ...files, 'docs/new.md': 'New\n' }, { message: 'Merge', from: 'main' })
  gitAt(gitDir, ['update-ref', '-d', 'refs/heads/gone'])
  const git = gitIn(gitDir)
  const [checkout, own] = [join(scratch, 'tree'), join(scratch, 'agent.git')]
  await checkOut({ git, gitDir, commit, workTree: checkout, index: join(scratch, 'index') })
  const repository = { gitDir, git, commit, url: 'https://git.example.com/docs.git' }
  await makeAgentRepository(own, { checkout, repository }, new AbortController().signal)
  const inside = (...args: string[]) => gitIn(own)(args, { workTree: checkout })
  return {
    commit,
    branch: (await inside('symbolic-ref', 'HEAD')).trim(),
    log: (await inside('log', '--all', '--format=%H %s')).trim(),
    files: (await inside('ls-tree', '-r', '--name-only', 'HEAD')).trim().split('\n').length,
    status: await inside('status', '--porcelain'),
    problems: await inside('fsck', '--full', '--strict'),
    remotes: await inside('remote'),
  }
}

const whole = ({ commit }: { commit: string }) => ({
  commit,
  branch: 'refs/heads/main',
  log: `${commit} Merge`,
  files: 151,
  status: '',
  problems: '',
  remotes: '',
})

test('an agent’s repository has exactly one commit on main, with all its files', async () => {
  const found = await inWorkFolder(await temporaryFolder())
  expect(found).toEqual(whole(found))
})

test('an agent’s repository is the same even if work folders and data folder are on different mounts', async ({
  skip,
}) => {
  const scratch = await folderOfOtherMount()
  if (scratch === null) return skip('not run: this machine has no second mount that this user may write to')
  const found = await inWorkFolder(scratch)
  expect(found).toEqual(whole(found))
})
