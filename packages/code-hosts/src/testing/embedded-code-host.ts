import { join } from 'node:path'
import { temporaryFolder, writeFolder } from '@docket/sources/testing/files'
import { commitTo } from '@docket/sources/testing/git-server'
import { createEmbeddedCodeHost } from '#embedded/embedded-code-host.ts'
import type { Action } from '#embedded/pull-requests/actions.ts'
import { openPullRequest } from '#embedded/pull-requests/pull-requests.ts'
import { repositories } from '#embedded/repositories.ts'

type Opening = { from?: string | null; title?: string; body?: string; message?: string; author?: string }

/** The embedded code host with a project `docs` of these files. */
export const startEmbeddedCodeHost = async (files: Readonly<Record<string, string>>) => {
  const [dataDir, folder] = await Promise.all([temporaryFolder(), writeFolder(files)])
  const opened = repositories(join(dataDir, 'code-host'), { docs: folder }, { dataDir })
  const findJob = (_projectId: string, branch: string) =>
    Promise.resolve(branch === 'work' ? { id: 'one', title: 'Do the work' } : null)
  const codeHost = createEmbeddedCodeHost({ repositories: opened, findJob, now: () => new Date() })
  const repository = (await opened.open('docs'))!
  const { gitDir } = repository
  /** Opens a pull request for a branch with one commit of exactly `to`. */
  const open = async (
    branch: string,
    to: Readonly<Record<string, string>>,
    { from = 'main', title = `Change of ${branch}`, body = '', ...commit }: Opening = {},
  ) => {
    commitTo(gitDir, branch, to, { from, ...commit })
    return openPullRequest(repository, { branch, title, body, now: new Date() })
  }
  const read = async ({ number }: { number: number }) => (await codeHost.readPull('docs', number))!
  /** Acts on a pull request as a user who saw `head`. Returns true for a change, null when it was already done, else the reason. */
  const act = async (pull: { number: number; head: string }, action: Action) => {
    const outcome = (await codeHost.runAction(action, { projectId: 'docs', ...pull }))!
    return outcome.changed || outcome.refused
  }
  return { codeHost, repository, gitDir, open, read, act }
}

/** Lines of a diff as git prints them. */
export const printLines = ({ files }: { files: readonly { lines: readonly { text: string }[] }[] }): string[] =>
  files.flatMap(({ lines }) => lines.map(({ text }) => text))
