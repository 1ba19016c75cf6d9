import { cut } from '@docket/sources/text'
import { z } from 'zod'
import { CodeHostError } from '#code-host-error.ts'
import type { PullRequestLink } from '#code-host.ts'
import { createApiClient, type ServiceAt } from './api-client.ts'
import {
  collectNotes,
  collectPages,
  maxBodyLength,
  type PullRequestApi,
  toSafeLink,
  withNotes,
  CombinedStatus,
  combineChecks,
  CommitId,
  type Checks,
  toChecks,
} from './pull-request-api.ts'

const PullDetails = z.object({
  number: z.int().positive(),
  title: z.string(),
  state: z.string(),
  draft: z.boolean().nullish(),
  merged_at: z.string().nullish(),
  /** Null while GitHub computes it. */
  mergeable: z.boolean().nullish(),
  head: z.object({ ref: z.string(), sha: CommitId }),
})

const CheckRuns = z.object({
  total_count: z.int(),
  check_runs: z.array(z.object({ status: z.string(), conclusion: z.string().nullish() })),
})

const passes = ['success', 'neutral', 'skipped']

const combineRuns = ({ total_count: count, check_runs: runs }: z.infer<typeof CheckRuns>): Checks => {
  const all = runs.map(({ status, conclusion }) =>
    status !== 'completed' ? 'pending' : passes.includes(conclusion ?? '') ? 'passing' : 'failing',
  )
  const combined = combineChecks(all)
  // Check runs beyond the first page may have failed.
  return combined === 'passing' && runs.length < count ? null : combined
}

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
export const toGithubApiUrl = (url: string): string => {
  const { origin, hostname } = new URL(url)
  if (/^(www\.|api\.)?github\.com$/.test(hostname)) return 'https://api.github.com'
  if (hostname.endsWith('.ghe.com')) return `https://api.${hostname.replace(/^api\./, '')}`
  return `${origin}/api/v3`
}

export const createGithubHeaders = (token: string): Record<string, string> => ({
  accept: 'application/vnd.github+json',
  authorization: `Bearer ${token}`,
  'x-github-api-version': '2022-11-28',
})

const perPage = 100
const maxPages = 10

export const createGithubClient = (at: ServiceAt): PullRequestApi => {
  const { base, path } = at
  const api = createApiClient(at, createGithubHeaders)
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
      // A service that does not know the filter returns everything, and a fork's branch may have the same name.
      return found.filter(({ head, base: into }) => head.ref === branch && head.repo?.id === into.repo.id).map(toLink)
    },
    listOpenBranches: async (signal) => {
      const readPage = (page: number) =>
        api.get(`${pulls}?state=open&per_page=${perPage}&page=${page}`, z.array(Pull), signal)
      const open = await collectPages(readPage, { maxPages, minItems: perPage })
      return open.filter(({ head, base: into }) => head.repo?.id === into.repo.id).map(({ head }) => head.ref)
    },
    create: async (
      { branch, title, body, base: target, draft = false, labels: names = [], reviewers = [] },
      signal,
    ) => {
      const request = { title, body: cut(body, maxBodyLength), head: branch, base: target }
      const open = async (more: object) => toLink(await api.post(pulls, Pull, { ...request, ...more }, signal))
      let isDraft = draft
      const link = await open(draft ? { draft } : {}).catch((error: unknown) => {
        // Some plans do not support drafts in private repositories.
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
    read: async (number, signal) => {
      const pull = await api.read(`${pulls}/${number}`, PullDetails, signal)
      const about = { number: pull.number, title: pull.title, branch: pull.head.ref }
      if (pull.merged_at || pull.state !== 'open')
        return { ...about, state: pull.merged_at ? 'merged' : 'closed', checks: null, mergeable: null }
      const commit = `${repository}/commits/${pull.head.sha}`
      const [runs, statuses] = [
        await api.readIfAllowed(`${commit}/check-runs?per_page=100`, CheckRuns, signal),
        await api.readIfAllowed(`${commit}/status?per_page=1`, CombinedStatus, signal),
      ]
      return {
        ...about,
        state: pull.draft === true ? 'draft' : 'open',
        checks: combineChecks([runs && combineRuns(runs), statuses && toChecks(statuses)]),
        mergeable: pull.mergeable ?? null,
      }
    },
    testToken: async (signal) => void (await api.read('/rate_limit', z.unknown(), signal)),
  }
}

/** A name with a slash is a team of an organization. */
const toReviewers = (names: readonly string[]) => ({
  reviewers: names.filter((name) => !name.includes('/')),
  team_reviewers: names.flatMap((name) => name.split('/')[1] ?? []),
})
