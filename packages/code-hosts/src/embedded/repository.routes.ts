import { createReadStream } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { Readable } from 'node:stream'
import { type Context, Hono } from 'hono'
import { commitPage } from '#embedded/pages/commit.page.ts'
import { notFound } from '#embedded/pages/layout.ts'
import { pullRequestPage, refusedPage } from '#embedded/pages/pull-request.page.ts'
import { pullFilters, repositoryPage } from '#embedded/pages/repository.page.ts'
import { act, type Action } from '#embedded/pull-requests/actions.ts'
import { commitAt, listCommits } from '#embedded/pull-requests/commits.ts'
import { readDiff } from '#embedded/pull-requests/diff.ts'
import { checkMergeability } from '#embedded/pull-requests/mergeability.ts'
import { listPullRequests } from '#embedded/pull-requests/pull-requests.ts'
import { type FindChangeGuard, guardChange } from './change-guard.ts'
import { mainBranch, type Repositories, type Repository } from './repositories.ts'

/** Dependencies of the pages of repositories. */
export type RepositoryPageDeps = {
  repositories: Repositories
  /** Id of the job that works on a branch, or null. */
  findJobId: (projectId: string, branch: string) => string | null
  origin: () => string
  now: () => Date
  findGuard: FindChangeGuard
}

/** Pages of repositories, their pull requests and commits, and the files that `git clone` reads. */
export const repositoryPages = ({ repositories, findJobId, origin, now, findGuard }: RepositoryPageDeps) => {
  const found = async (c: Context, id: string, answer: (repository: Repository) => Response | Promise<Response>) => {
    const repository = await repositories.open(id)
    return repository ? answer(repository) : notFound(c)
  }
  return new Hono()
    .get('/docket/:repository{[^/]+\\.git}/*', (c) => {
      const name = c.req.param('repository')
      const path = new URL(c.req.url).pathname.slice(`/docket/${name}/`.length)
      return found(c, name.slice(0, -'.git'.length), (repository) => repositoryFile(c, repository, path))
    })
    .get('/docket/:projectId', (c) =>
      found(c, c.req.param('projectId'), async (repository) => {
        const filter = pullFilters.find((word) => word === c.req.query('state')) ?? 'open'
        const from = /^\d{1,6}$/.test(c.req.query('from') ?? '') ? Number(c.req.query('from')) : 0
        const pulls = await listPullRequests(repository)
        return c.html(repositoryPage(repository.projectId, pulls, { filter, from, origin: origin() }))
      }),
    )
    .get('/docket/:projectId/commits/:hash', (c) =>
      found(c, c.req.param('projectId'), async ({ git, projectId }) => {
        const commit = await commitAt(git, c.req.param('hash'))
        if (!commit) return notFound(c)
        return c.html(commitPage(projectId, commit, await readDiff(git, commit.parents[0], commit.hash)))
      }),
    )
    .get('/docket/:projectId/pulls/:number{[0-9]{1,9}}', (c) =>
      found(c, c.req.param('projectId'), async (repository) => {
        const { git, projectId } = repository
        const pull = (await listPullRequests(repository)).find(({ number }) => number === Number(c.req.param('number')))
        if (!pull) return notFound(c)
        // For a merged pull request, compares with the main branch before the merge.
        const against = pull.state === 'merged' ? (pull.mergedInto ?? pull.base) : mainBranch
        const [commits, diff, mergeability] = await Promise.all([
          listCommits(git, `${against}..${pull.head}`),
          readDiff(git, against, pull.head),
          pull.state === 'open' ? checkMergeability(repository, pull) : null,
        ])
        const jobId = findJobId(projectId, pull.branch)
        return c.html(pullRequestPage({ projectId, pull, commits, diff, mergeability, jobId }))
      }),
    )
    .post(
      '/docket/:projectId/pulls/:number{[0-9]{1,9}}/:action{(merge|close|reopen|delete-branch)}',
      guardChange(findGuard),
      (c) =>
        found(c, c.req.param('projectId'), async (repository) => {
          const form = await c.req.parseBody().catch(() => null)
          const seenHead = typeof form?.head === 'string' ? form.head : ''
          const number = Number(c.req.param('number'))
          const outcome = await act(c.req.param('action') as Action, repository, { number, seenHead, now: now() })
          if (!outcome) return notFound(c)
          const { pull, sentence } = outcome
          return sentence === null
            ? c.redirect(`/docket/${repository.projectId}/pulls/${number}`, 303)
            : c.html(refusedPage(repository.projectId, pull, sentence), 409)
        }),
    )
}

/** Files that a clone over plain HTTP reads. All other files of a repository stay private. */
const served =
  /^(HEAD|info\/refs|packed-refs|objects\/(info\/packs|[0-9a-f]{2}\/[0-9a-f]{38}|pack\/pack-[0-9a-f]{40}\.(pack|idx)))$/

/** Serves one file of a `git clone`; 404 for any other file. */
const repositoryFile = async (c: Context, { gitDir }: Repository, path: string): Promise<Response> => {
  if (c.req.query('service') === 'git-receive-pack') return c.text('This repository is read only over HTTP.\n', 403)
  if (!served.test(path)) return c.notFound()
  const file = await realpath(join(gitDir, path)).catch(() => null)
  if (!file?.startsWith((await realpath(gitDir)) + sep)) return c.notFound()
  const { size } = await stat(file)
  return c.body(Readable.toWeb(createReadStream(file)) as ReadableStream, 200, {
    'content-type': 'application/octet-stream',
    'content-length': String(size),
  })
}
