import { z } from 'zod'
import type { ApiClient } from '#api/api-client.ts'
import type { PullRequestDetails } from '#api/pull-request-api.ts'
import { CombinedStatus, CommitId, toChecks } from './checks.ts'

const Pull = z.object({
  number: z.int().positive(),
  title: z.string(),
  state: z.string(),
  draft: z.boolean().nullish(),
  merged: z.boolean().nullish(),
  mergeable: z.boolean().nullish(),
  head: z.object({ label: z.string(), sha: CommitId.nullish().catch(null) }),
})

/** Reads a pull request of the repository below `base`, and the statuses of an open one's head. */
export const readGiteaPull = async (
  api: ApiClient,
  base: string,
  number: number,
  signal?: AbortSignal,
): Promise<PullRequestDetails> => {
  const pull = await api.read(`${base}/pulls/${number}`, Pull, signal)
  const about = { number: pull.number, title: pull.title, branch: pull.head.label }
  if (pull.merged === true || pull.state !== 'open')
    return { ...about, state: pull.merged === true ? 'merged' : 'closed', checks: null, mergeable: null }
  const { sha } = pull.head
  const statuses = sha ? await api.readIfAllowed(`${base}/commits/${sha}/status`, CombinedStatus, signal) : null
  const draft = pull.draft === true
  return {
    ...about,
    state: draft ? 'draft' : 'open',
    checks: statuses && toChecks(statuses),
    // A draft is never mergeable to Gitea, whether or not there is a conflict.
    mergeable: draft ? null : (pull.mergeable ?? null),
  }
}
