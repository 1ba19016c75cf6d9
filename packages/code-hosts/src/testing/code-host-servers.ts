import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { temporaryFolder } from '@docket/sources/testing/files'
import { bareRepository, gitOverHttp, startServer } from '@docket/sources/testing/git-server'
import { answerApp, type AppOnServer, complete } from './code-host-writes.ts'
import type { Pull, RecordedRequest, Reply } from './recorded-requests.ts'

/** Looks like a secret, and must appear only in request headers. */
export const canary = 'canary_7f3a9c51e0d84b26'

/** Differences of the three services, from their API documentation. */
type Dialect = {
  /** Path of the pull requests of the repository. */
  pulls: string
  repository: string
  /** User for git. */
  user: string
  isAllowed: (headers: IncomingMessage['headers'], token: string) => boolean
  refusedToken: Reply
  toJson: (pull: Pull, url: string) => object
  /** Path below the API that every accepted token may read. */
  tokenTest: string
  /** Answers about the head of a pull request, by the ends of their paths. */
  checks: Readonly<Record<string, (check: Pull['check']) => object>>
  fromJson: (body: Record<string, string>) => { branch: string; base: string; title: string }
  alreadyExists: (pull: Pull) => Reply
  isListed: (pull: Pull, query: URLSearchParams) => boolean
}

const commitId = (number: number) => number.toString(16).padStart(40, '0')

const combined = (check: Pull['check']) => ({
  state: check ?? 'pending',
  statuses: check === undefined ? [] : [{ context: 'ci', state: check }],
  total_count: check === undefined ? 0 : 1,
})

const dialects: Readonly<Record<'github' | 'gitlab' | 'gitea', Dialect>> = {
  // https://docs.github.com/en/rest/pulls/pulls
  github: {
    pulls: '/api/v3/repos/acme/handbook/pulls',
    repository: '/acme/handbook.git',
    user: 'x-access-token',
    isAllowed: (headers, token) =>
      headers.authorization === `Bearer ${token}` &&
      headers['user-agent'] !== undefined &&
      headers.accept === 'application/vnd.github+json',
    refusedToken: {
      status: 401,
      json: { message: 'Bad credentials', documentation_url: 'https://docs.github.com/rest' },
    },
    tokenTest: '/api/v3/rate_limit',
    checks: {
      'check-runs': (check) => ({
        total_count: check === undefined ? 0 : 1,
        check_runs:
          check === undefined
            ? []
            : [
                check === 'pending'
                  ? { status: 'in_progress', conclusion: null }
                  : { status: 'completed', conclusion: check },
              ],
      }),
      status: () => combined(undefined),
    },
    toJson: ({ number, branch, base, state, merged, title, origin, draft = false, conflicts }, url) => ({
      id: 1000 + number,
      draft,
      mergeable: conflicts === undefined ? null : !conflicts,
      url: `${url}/api/v3/repos/acme/handbook/pulls/${number}`,
      html_url: `${url}/acme/handbook/pull/${number}`,
      number,
      state,
      locked: false,
      title,
      merged_at: merged ? '2026-01-01T00:00:00Z' : null,
      head: {
        label: `${origin === 'fork' ? 'mallory' : 'acme'}:${branch}`,
        ref: branch,
        sha: commitId(number),
        repo: { id: origin === 'fork' ? 9 : 3 },
      },
      base: { label: `acme:${base}`, ref: base, sha: '0'.repeat(40), repo: { id: 3 } },
    }),
    fromJson: ({ head = '', base = '', title = '' }) => ({ branch: head, base, title }),
    alreadyExists: ({ branch }) => ({
      status: 422,
      json: {
        message: 'Validation Failed',
        errors: [
          { resource: 'PullRequest', code: 'custom', message: `A pull request already exists for acme:${branch}.` },
        ],
        documentation_url: 'https://docs.github.com/rest/pulls/pulls#create-a-pull-request',
      },
    }),
    isListed: ({ branch, state, origin }, query) =>
      (query.get('head') === null || (query.get('head') === `acme:${branch}` && origin !== 'fork')) &&
      (query.get('state') === 'all' || query.get('state') === state),
  },
  // https://docs.gitlab.com/api/merge_requests/
  gitlab: {
    pulls: '/api/v4/projects/acme%2Fdocs%2Fhandbook/merge_requests',
    repository: '/acme/docs/handbook.git',
    user: 'oauth2',
    isAllowed: (headers, token) => headers['private-token'] === token,
    refusedToken: { status: 401, json: { message: '401 Unauthorized' } },
    tokenTest: '/api/v4/projects',
    checks: {},
    toJson: ({ number, branch, base, state, merged, title, origin, draft = false, conflicts, check }, url) => ({
      id: 1000 + number,
      iid: number,
      draft,
      has_conflicts: conflicts ?? false,
      detailed_merge_status: conflicts === undefined ? 'checking' : conflicts ? 'conflict' : 'not_approved',
      head_pipeline:
        check === undefined ? null : { status: { success: 'success', failure: 'failed', pending: 'running' }[check] },
      project_id: 3,
      title,
      description: '',
      state: merged ? 'merged' : state === 'open' ? 'opened' : 'closed',
      source_branch: branch,
      target_branch: base,
      source_project_id: origin === 'fork' ? 9 : 3,
      target_project_id: 3,
      web_url: `${url}/acme/docs/handbook/-/merge_requests/${number}`,
    }),
    fromJson: ({ source_branch: branch = '', target_branch: base = '', title = '' }) => ({ branch, base, title }),
    alreadyExists: ({ number }) => ({
      status: 409,
      json: { message: [`Another open merge request already exists for this source branch: !${number}`] },
    }),
    isListed: ({ branch, state, merged }, query) =>
      (query.get('source_branch') === null || query.get('source_branch') === branch) &&
      (query.get('state') === 'all' || (query.get('state') === 'opened' && state === 'open' && !merged)),
  },
  // https://docs.gitea.com/api/
  gitea: {
    pulls: '/api/v1/repos/acme/handbook/pulls',
    repository: '/acme/handbook.git',
    user: 'oauth2',
    isAllowed: (headers, token) => headers.authorization === `token ${token}`,
    refusedToken: {
      status: 401,
      json: { message: 'user does not exist [uid: 0, name: ]', url: 'https://git/api/swagger' },
    },
    tokenTest: '/api/v1/repos/search',
    checks: { status: combined },
    toJson: ({ number, branch, base, state, merged, title, origin, draft = false, conflicts = false }, url) => ({
      id: 1000 + number,
      draft,
      mergeable: !conflicts && !draft,
      url: `${url}/acme/handbook/pulls/${number}`,
      html_url: `${url}/acme/handbook/pulls/${number}`,
      number,
      title,
      state,
      merged,
      head: {
        label: branch,
        ref: origin === 'deleted branch' ? `refs/pull/${number}/head` : branch,
        sha: commitId(number),
        repo_id: origin === 'fork' ? 9 : 3,
      },
      base: { label: base, ref: base, sha: '0'.repeat(40), repo_id: 3 },
    }),
    fromJson: ({ head = '', base = '', title = '' }) => ({ branch: head, base, title }),
    alreadyExists: ({ number, branch, base }) => ({
      status: 409,
      json: {
        message: `pull request already exists for these targets [id: ${1000 + number}, issue_id: ${number}, head_repo_id: 3, base_repo_id: 3, head_branch: ${branch}, base_branch: ${base}]`,
        url: 'https://git/api/swagger',
      },
    }),
    // The API has no filter by branch and lists the newest changes first.
    isListed: ({ state }, query) => query.get('state') === 'all' || query.get('state') === state,
  },
}

/** Kinds of code hosts. */
export type Kind = keyof typeof dialects

/**
 * A code host on loopback: git's own HTTP program, and an API that answers as its documentation says. `instead` may
 * replace an answer; null lets it through, and `really` gives the normal one. Without `files` there is only the API.
 */
export const startCodeHost = async (
  kind: Kind,
  files: Readonly<Record<string, string>> | null,
  instead: (request: RecordedRequest, really: () => Reply) => Reply | 'hang' | 'hang up' | null = () => null,
  beforeGit: () => Promise<void> = () => Promise.resolve(),
  app: AppOnServer | null = null,
) => {
  const dialect = dialects[kind]
  const root = await temporaryFolder()
  const gitDir = join(root, dialect.repository)
  if (files !== null) await bareRepository(gitDir, files)
  const pulls: Pull[] = []
  const requests: RecordedRequest[] = []
  const token = () => app?.token ?? canary
  const served = gitOverHttp(root, { password: () => `${dialect.user}:${token()}`, before: beforeGit })
  const create = (body: string, url: string): Reply => {
    const { branch, base, title } = dialect.fromJson(JSON.parse(body) as Record<string, string>)
    const open = pulls.find((pull) => pull.branch === branch && pull.state === 'open' && pull.origin !== 'fork')
    if (open) return dialect.alreadyExists(open)
    const more = JSON.parse(body) as Record<string, unknown>
    const pull: Pull = { number: pulls.length + 1, branch, base, title, state: 'open', merged: false, more }
    pulls.push(pull)
    return { status: 201, json: dialect.toJson(pull, url) }
  }
  const list = (query: URLSearchParams, url: string): Reply => {
    const [page, size] = [Number(query.get('page') ?? 1), Number(query.get('limit') ?? query.get('per_page'))]
    const found = pulls.filter((pull) => dialect.isListed(pull, query)).toReversed()
    return { status: 200, json: found.slice((page - 1) * size, page * size).map((pull) => dialect.toJson(pull, url)) }
  }
  const read = (path: string): object | null => {
    const [, commit, end = ''] = /\/commits\/([0-9a-f]{40})\/([\w-]+)$/.exec(path) ?? []
    const head = pulls.find((pull) => commitId(pull.number) === commit)
    const about = dialect.checks[end]
    if (head && about) return about(head.check)
    const pull = pulls.find(({ number }) => path === `${dialect.pulls}/${number}`)
    return pull ? dialect.toJson(pull, url) : null
  }
  const { url } = await startServer((request, response) => {
    if (!served(request, response)) void api(request, response)
  })
  const api = async (request: IncomingMessage, response: ServerResponse) => {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    const { pathname, searchParams: query } = new URL(request.url ?? '/', url)
    const call: RecordedRequest = {
      method: request.method ?? '',
      path: pathname,
      query,
      headers: request.headers,
      body,
    }
    requests.push(call)
    const answer = ({ status, json, headers = {} }: Reply) => {
      const text = typeof json === 'string' ? json : JSON.stringify(json)
      const etag = `"${createHash('sha256').update(text).digest('hex').slice(0, 16)}"`
      if (status === 200 && request.headers['if-none-match'] === etag) response.writeHead(304, headers).end()
      else response.writeHead(status, { 'content-type': 'application/json', etag, ...headers }).end(text)
    }
    const really = (): Reply => {
      const ofApp = app && answerApp(app, call)
      if (ofApp) return ofApp
      if (!dialect.isAllowed(request.headers, token())) return dialect.refusedToken
      const added = complete(call, pulls)
      if (added) return added
      if (pathname === dialect.tokenTest) return { status: 200, json: [] }
      const one = read(pathname)
      if (one !== null) return { status: 200, json: one }
      if (request.url?.split('?')[0] !== dialect.pulls) return { status: 404, json: { message: 'Not Found' } }
      return request.method === 'POST' ? create(body, url) : list(query, url)
    }
    const other = instead(call, really)
    if (other === 'hang') return
    if (other === 'hang up') response.destroy()
    else answer(other ?? really())
  }
  /** Address of the page of a pull request, as a service with the Admin API would send it. */
  const toPage = (number: number) => {
    const page = { github: 'pull', gitlab: '-/merge_requests', gitea: 'pulls' }[kind]
    return `${url}${dialect.repository.replace(/\.git$/, '')}/${page}/${number}`
  }
  return { url, gitDir, pulls, requests, repository: url + dialect.repository, toPage }
}
