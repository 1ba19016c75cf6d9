import { cut } from '@docket/sources/text'
import { z } from 'zod'
import type { PullRequestLink } from '#code-host.ts'
import { apiClient } from './api-client.ts'
import { maxBodyLength, type PullRequestApi, type ServiceAt, toSafeLink } from './pull-request-api.ts'
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

/** Pull requests of a repository `owner/name` through the REST API of GitHub (version 2022-11-28). */
export const github = ({ base, path, token, labels, ...at }: ServiceAt): PullRequestApi => {
  const api = apiClient({
    base,
    labels,
    ...at,
    headers: () => ({
      accept: 'application/vnd.github+json',
      authorization: `Bearer ${token()}`,
      'x-github-api-version': '2022-11-28',
    }),
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
    create: async ({ branch, title, body, base: target }, signal) => {
      const request = { title, body: cut(body, maxBodyLength), head: branch, base: target }
      return toLink(await api.post(pulls, Pull, request, signal))
    },
    read: (number, signal) => readGithubPull(api, repository, number, signal),
    testToken: async (signal) => void (await api.read('/rate_limit', z.unknown(), signal)),
  }
}
