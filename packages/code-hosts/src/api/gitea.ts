import { cut } from '@docket/sources/text'
import { z } from 'zod'
import { refused } from '#code-host-error.ts'
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
  CommitId,
  toChecks,
} from './pull-request-api.ts'

const PullDetails = z.object({
  number: z.int().positive(),
  title: z.string(),
  state: z.string(),
  draft: z.boolean().nullish(),
  merged: z.boolean().nullish(),
  mergeable: z.boolean().nullish(),
  head: z.object({ label: z.string(), sha: CommitId.nullish().catch(null) }),
})

const Pull = z.object({
  number: z.int().positive(),
  html_url: z.unknown().optional(),
  state: z.string(),
  merged: z.boolean().nullish(),
  /** `label` is the branch, because `ref` changes once the branch is deleted. -1 when the fork was deleted. */
  head: z.object({ label: z.string(), repo_id: z.int() }),
  base: z.object({ repo_id: z.int() }),
})

/** Base address of the API of a Gitea or Forgejo, which may live below a path. */
export const toGiteaApiUrl = (url: string): string => `${url.replace(/\/+$/, '').replace(/\/api\/v1$/, '')}/api/v1`

const perPage = 50
/** The list has no filter for branches. A pull request that was just opened is on its first page. */
const maxPages = 10
const maxOpenPages = 20

const Label = z.object({ id: z.int().positive(), name: z.string() })

export const createGiteaClient = (at: ServiceAt): PullRequestApi => {
  const { base, path } = at
  const api = createApiClient(at, (key) => ({ accept: 'application/json', authorization: `token ${key}` }))
  const repository = `/repos/${path.split('/').map(encodeURIComponent).join('/')}`
  const pulls = `${repository}/pulls`
  const toLink = (pull: z.infer<typeof Pull>): PullRequestLink => ({
    number: pull.number,
    url: toSafeLink(pull.html_url, base),
    state: pull.merged === true ? 'merged' : pull.state === 'open' ? 'open' : 'closed',
  })
  // The API takes labels by their ids only.
  const addLabels = async (number: number, names: readonly string[]) => {
    const known = await api.get(`${repository}/labels?limit=${perPage}`, z.array(Label))
    const ids = known.filter(({ name }) => names.includes(name)).map(({ id }) => id)
    if (ids.length > 0) await api.post(`${repository}/issues/${number}/labels`, z.unknown(), { labels: ids })
    const missing = names.filter((name) => known.every((label) => label.name !== name))
    if (missing.length > 0) throw refused(`The repository has no label ${missing.join(', ')}.`)
  }
  const askForReview = (number: number, reviewers: readonly string[]) =>
    api.post(`${pulls}/${number}/requested_reviewers`, z.unknown(), { reviewers })
  return {
    list: async (branch, which, signal) => {
      for (let page = 1; page <= maxPages; page += 1) {
        const query = `state=${which}&sort=recentupdate&page=${page}&limit=${perPage}`
        const some = await api.get(`${pulls}?${query}`, z.array(Pull), signal)
        // A branch of a fork may have the same name.
        const ours = some.filter(({ head, base: into }) => head.label === branch && head.repo_id === into.repo_id)
        if (ours.length > 0) return ours.map(toLink).toSorted((a, b) => b.number - a.number)
        // A server may send fewer per page than requested, so only an empty page is the last.
        if (some.length === 0) return []
      }
      return []
    },
    listOpenBranches: async (signal) => {
      const readPage = (page: number) =>
        api.get(`${pulls}?state=open&page=${page}&limit=${perPage}`, z.array(Pull), signal)
      const open = await collectPages(readPage, { maxPages: maxOpenPages, minItems: 1 })
      return open.filter(({ head, base: into }) => head.repo_id === into.repo_id).map(({ head }) => head.label)
    },
    create: async (
      { branch, title, body, base: target, draft = false, labels: names = [], reviewers = [] },
      signal,
    ) => {
      const request = {
        title: draft ? `WIP: ${title}` : title,
        body: cut(body, maxBodyLength),
        head: branch,
        base: target,
      }
      const link = toLink(await api.post(pulls, Pull, request, signal))
      const notes = await collectNotes(
        [
          ...(names.length > 0 ? [() => addLabels(link.number, names)] : []),
          ...(reviewers.length > 0 ? [() => askForReview(link.number, reviewers)] : []),
        ],
        signal,
      )
      return withNotes(link, notes)
    },
    read: async (number, signal) => {
      const pull = await api.read(`${pulls}/${number}`, PullDetails, signal)
      const about = { number: pull.number, title: pull.title, branch: pull.head.label }
      if (pull.merged === true || pull.state !== 'open')
        return { ...about, state: pull.merged === true ? 'merged' : 'closed', checks: null, mergeable: null }
      const { sha } = pull.head
      const statuses = sha
        ? await api.readIfAllowed(`${repository}/commits/${sha}/status`, CombinedStatus, signal)
        : null
      const draft = pull.draft === true
      return {
        ...about,
        state: draft ? 'draft' : 'open',
        checks: statuses && toChecks(statuses),
        // A draft is never mergeable to Gitea, whether or not there is a conflict.
        mergeable: draft ? null : (pull.mergeable ?? null),
      }
    },
    testToken: async (signal) => void (await api.read('/repos/search?limit=1', z.unknown(), signal)),
  }
}
