import { cut } from '@docket/sources/text'
import { z } from 'zod'
import { CodeHostError } from '#code-host-error.ts'
import type { PullRequestLink } from '#code-host.ts'
import { apiClient } from './api-client.ts'
import {
  collectNotes,
  maxBodyLength,
  type PullRequestApi,
  type ServiceAt,
  toSafeLink,
  withNotes,
} from './pull-request-api.ts'
import { readGithubPull } from './reads/github.ts'

const Pull = z.object({
  number: z.int().positive(),
  html_url: z.unknown().optional(),
  state: z.string(),
  merged_at: z.string().nullish(),
  /** Null when the fork it came from is deleted. */
  head: z.object({ ref: z.string(), repo: z.object({ id: z.int() }).nullable() }),
  base: z.object({ repo: z.object({ id: z.int() }) }),
})

/** Base address of the REST API: `api.github.com`, `api.<company>.ghe.com`, or `/api/v3` of an Enterprise Server. */
export const githubApi = (url: string): string => {
  const { origin, hostname } = new URL(url)
  if (/^(www\.|api\.)?github\.com$/.test(hostname)) return 'https://api.github.com'
  if (hostname.endsWith('.ghe.com')) return `https://api.${hostname.replace(/^api\./, '')}`
  return `${origin}/api/v3`
}

export const githubHeaders = (token: string): Record<string, string> => ({
  accept: 'application/vnd.github+json',
  authorization: `Bearer ${token}`,
  'x-github-api-version': '2022-11-28',
})

const perPage = 100
const maxPages = 10

/** Pull requests of a repository `owner/name` through the REST API of GitHub (version 2022-11-28). */
export const github = ({ base, path, labels, ...at }: ServiceAt): PullRequestApi => {
  const api = apiClient({
    base,
    labels,
    ...at,
    headers: githubHeaders,
  })
  const [owner = ''] = path.split('/')
  const repository = `/repos/${path.split('/').map(encodeURIComponent).join('/')}`
  const pulls = `${repository}/pulls`
  const toLink = (pull: z.infer<typeof Pull>): PullRequestLink => ({
    number: pull.number,
    url: toSafeLink(pull.html_url, base),
    state: pull.merged_at ? 'merged' : pull.state === 'open' ? 'open' : 'closed',
  })
  return {
    list: async (branch, which, signal) => {
      const query = new URLSearchParams({
        head: `${owner}:${branch}`,
        state: which,
        sort: 'created',
        direction: 'desc',
        per_page: '100',
      })
      const found = await api.get(`${pulls}?${query.toString()}`, z.array(Pull), signal)
      // A filter that a service does not understand gives everything; a branch of a fork may have the same name.
      return found.filter(({ head, base: into }) => head.ref === branch && head.repo?.id === into.repo.id).map(toLink)
    },
    listOpenBranches: async (signal) => {
      const branches: string[] = []
      for (let page = 1; page <= maxPages; page += 1) {
        const some = await api.get(`${pulls}?state=open&per_page=${perPage}&page=${page}`, z.array(Pull), signal)
        const ours = some.filter(({ head, base: into }) => head.repo?.id === into.repo.id)
        branches.push(...ours.map(({ head }) => head.ref))
        if (some.length < perPage) break
      }
      return branches
    },
    create: async (
      { branch, title, body, base: target, draft = false, labels: names = [], reviewers = [] },
      signal,
    ) => {
      const request = { title, body: cut(body, maxBodyLength), head: branch, base: target }
      const open = async (more: object) => toLink(await api.post(pulls, Pull, { ...request, ...more }, signal))
      let isDraft = draft
      const link = await open(draft ? { draft } : {}).catch((error: unknown) => {
        // Some plans have no drafts in private repositories.
        if (!draft || !(error instanceof CodeHostError) || !/draft/i.test(error.message)) throw error
        isDraft = false
        return open({})
      })
      const write = (address: string, more: object) => () =>
        api.post(`${repository}/${address}`, z.unknown(), more, signal)
      const notes = await collectNotes(
        [
          ...(names.length > 0 ? [write(`issues/${link.number}/labels`, { labels: names })] : []),
          ...(reviewers.length > 0 ? [write(`pulls/${link.number}/requested_reviewers`, toReviewers(reviewers))] : []),
        ],
        signal,
      )
      return withNotes(
        link,
        draft && !isDraft ? ['This repository has no drafts, so the pull request is open.', ...notes] : notes,
      )
    },
    read: (number, signal) => readGithubPull(api, repository, number, signal),
    testToken: async (signal) => void (await api.read('/rate_limit', z.unknown(), signal)),
  }
}

/** A name with a slash is a team of an organization. */
const toReviewers = (names: readonly string[]) => ({
  reviewers: names.filter((name) => !name.includes('/')),
  team_reviewers: names.flatMap((name) => name.split('/')[1] ?? []),
})
