import { join } from 'node:path'
import { openPullRequest } from '@docket/code-hosts/embedded/pull-requests/pull-requests'
import { repositories } from '@docket/code-hosts/embedded/repositories'
import { writeFolder, temporaryFolder } from '@docket/sources/testing/files'
import { commitTo } from '@docket/sources/testing/git-server'
import { pass, startApi } from '#testing/api.ts'

/** Starts the embedded code host with a repository `docs` of these files. */
export const startCodeHostPages = async (files: Readonly<Record<string, string>>) => {
  const [dataDir, folder] = await Promise.all([temporaryFolder(), writeFolder(files)])
  const { api } = await startApi({ sites: {}, projects: { docs: folder }, dataDir })
  const repository = (await repositories(join(dataDir, 'code-host'), { docs: folder }, dataDir).open('docs'))!
  const { gitDir } = repository
  const origin = api.url
  /** Opens a pull request for a branch with one commit of exactly `to`. */
  const open = async (
    branch: string,
    to: Readonly<Record<string, string>>,
    { from = 'main', title = `Change of ${branch}`, body = '', ...commit }: Opening = {},
  ) => {
    commitTo(gitDir, branch, to, { from, ...commit })
    return openPullRequest(repository, { branch, title, body, now: new Date() })
  }
  const readPage = async ({ number }: { number: number }) =>
    (await fetch(`${origin}/docket/docs/pulls/${number}`)).text()
  /** Sends a form of a pull request's page as a browser does. */
  const post = (pull: { number: number; head: string }, action: string, headers: Record<string, string> = {}) =>
    fetch(`${origin}/docket/docs/pulls/${pull.number}/${action}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin, ...headers },
      body: new URLSearchParams({ head: pull.head, pass }),
    })
  return { api, origin, gitDir, repository, dataDir, open, readPage, post, cloneUrl: `${origin}/docket/docs.git` }
}

type Opening = { from?: string | null; title?: string; body?: string; message?: string; author?: string }
