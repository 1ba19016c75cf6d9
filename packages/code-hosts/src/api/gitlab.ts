import { cut } from '@docket/sources/text'
import { z } from 'zod'
import type { PullRequestLink } from '#code-host.ts'
import { createApiClient, type ServiceAt } from './api-client.ts'
import {
  collectPages,
  maxBodyLength,
  type PullRequestApi,
  toSafeLink,
  withNotes,
  type Checks,
} from './pull-request-api.ts'

const MergeRequestDetails = z.object({
  iid: z.int().positive(),
  title: z.string(),
  state: z.string(),
  draft: z.boolean().nullish(),
  source_branch: z.string(),
  has_conflicts: z.boolean().nullish(),
  detailed_merge_status: z.string().nullish(),
  /** Null when there is no pipeline or the token may not see it. */
  head_pipeline: z.object({ status: z.string() }).nullish().catch(null),
})

const pipelines: Readonly<Record<string, Checks>> = {
  success: 'passing',
  failed: 'failing',
  canceled: 'failing',
  skipped: null,
  manual: 'pending',
}

/** Statuses in which GitLab doesn't know yet whether there is a conflict. */
const unsure = ['checking', 'unchecked', 'preparing', 'approvals_syncing', 'need_rebase']

const findMergeable = ({
  has_conflicts: conflicts,
  detailed_merge_status: status,
}: z.infer<typeof MergeRequestDetails>) => {
  if (conflicts === true || status === 'conflict') return false
  return status === undefined || status === null || unsure.includes(status) ? null : true
}

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
export const toGitlabApiUrl = (url: string): string => `${url.replace(/\/+$/, '').replace(/\/api\/v4$/, '')}/api/v4`

export const createGitlabClient = (at: ServiceAt): PullRequestApi => {
  const { base, path } = at
  const api = createApiClient(at, (key) => ({ accept: 'application/json', 'private-token': key }))
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
      const readPage = (page: number) =>
        api.get(`${mergeRequests}?state=opened&per_page=${perPage}&page=${page}`, z.array(MergeRequest), signal)
      const open = await collectPages(readPage, { maxPages, minItems: perPage })
      return open.flatMap((found) => (found.source_project_id === found.target_project_id ? found.source_branch : []))
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
    read: async (number, signal) => {
      const found = await api.read(`${mergeRequests}/${number}`, MergeRequestDetails, signal)
      const { iid, title, source_branch: branch, head_pipeline: pipeline } = found
      // `locked` means that the merge is running.
      const open = found.state === 'opened' || found.state === 'locked'
      const about = { number: iid, title, branch }
      if (!open)
        return { ...about, state: found.state === 'merged' ? 'merged' : 'closed', checks: null, mergeable: null }
      return {
        ...about,
        state: found.draft === true ? 'draft' : 'open',
        checks: pipeline ? (pipeline.status in pipelines ? pipelines[pipeline.status]! : 'pending') : null,
        mergeable: findMergeable(found),
      }
    },
    testToken: async (signal) =>
      void (await api.read('/projects?membership=true&simple=true&per_page=1', z.unknown(), signal)),
  }
}

/** A line of a description that begins with a slash would be a command that GitLab carries out as the owner of the token. */
const escapeCommands = (text: string) => text.replaceAll(/^(\s*)\//gm, '$1\\/')
