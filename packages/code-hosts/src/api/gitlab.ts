import { cut } from '@docket/sources/text'
import { z } from 'zod'
import type { PullRequestLink } from '#code-host.ts'
import { apiClient } from './api-client.ts'
import { maxBodyLength, type PullRequestApi, type ServiceAt, toSafeLink, withNotes } from './pull-request-api.ts'
import { readMergeRequest } from './reads/gitlab.ts'

const MergeRequest = z.object({
  iid: z.int().positive(),
  web_url: z.unknown().optional(),
  state: z.string(),
  source_branch: z.string(),
  /** Null when the fork it came from is deleted. */
  source_project_id: z.int().nullable(),
  target_project_id: z.int(),
})

const User = z.object({ id: z.int().positive() })

const perPage = 100
const maxPages = 10

/** Base address of the REST API of a GitLab, which may live below a path. */
export const gitlabApi = (url: string): string => `${url.replace(/\/+$/, '').replace(/\/api\/v4$/, '')}/api/v4`

/** Merge requests of a project through the REST API of GitLab (version 4). */
export const gitlab = ({ base, path, labels, ...at }: ServiceAt): PullRequestApi => {
  const api = apiClient({
    base,
    labels,
    ...at,
    headers: (key) => ({ accept: 'application/json', 'private-token': key }),
  })
  const project = `/projects/${encodeURIComponent(path)}`
  const mergeRequests = `${project}/merge_requests`
  const toLink = ({ iid, web_url: url, state }: z.infer<typeof MergeRequest>): PullRequestLink => ({
    number: iid,
    url: toSafeLink(url, base),
    // `locked` means that the merge is running.
    state: state === 'opened' || state === 'locked' ? 'open' : state === 'merged' ? 'merged' : 'closed',
  })
  return {
    list: async (branch, which, signal) => {
      const query = new URLSearchParams({
        source_branch: branch,
        state: which === 'open' ? 'opened' : 'all',
        order_by: 'created_at',
        sort: 'desc',
        per_page: '100',
      })
      const found = await api.get(`${mergeRequests}?${query.toString()}`, z.array(MergeRequest), signal)
      return (
        found
          // A branch of a fork may have the same name.
          .filter((found) => found.source_branch === branch && found.source_project_id === found.target_project_id)
          .map(toLink)
      )
    },
    listOpenBranches: async (signal) => {
      const branches: string[] = []
      for (let page = 1; page <= maxPages; page += 1) {
        const query = `state=opened&per_page=${perPage}&page=${page}`
        const some = await api.get(`${mergeRequests}?${query}`, z.array(MergeRequest), signal)
        const ours = some.filter((found) => found.source_project_id === found.target_project_id)
        branches.push(...ours.map((found) => found.source_branch))
        if (some.length < perPage) break
      }
      return branches
    },
    create: async (
      { branch, title, body, base: target, draft = false, labels: names = [], reviewers = [] },
      signal,
    ) => {
      const notes: string[] = []
      const ids: number[] = []
      for (const name of reviewers) {
        const [user] = await api.get(`/users?username=${encodeURIComponent(name)}`, z.array(User), signal)
        if (user) ids.push(user.id)
        else notes.push(`The pull request is incomplete. GitLab has no user ${name} to review it.`)
      }
      const request = {
        source_branch: branch,
        target_branch: target,
        title: draft ? `Draft: ${title}` : title,
        description: escapeCommands(cut(body, maxBodyLength)),
        ...(names.length > 0 && { labels: names.join(',') }),
        ...(ids.length > 0 && { reviewer_ids: ids }),
      }
      return withNotes(toLink(await api.post(mergeRequests, MergeRequest, request, signal)), notes)
    },
    read: (number, signal) => readMergeRequest(api, project, number, signal),
    testToken: async (signal) =>
      void (await api.read('/projects?membership=true&simple=true&per_page=1', z.unknown(), signal)),
  }
}

/** A line of a description that begins with a slash would be a command that GitLab carries out as the owner of the token. */
const escapeCommands = (text: string) => text.replaceAll(/^(\s*)\//gm, '$1\\/')
