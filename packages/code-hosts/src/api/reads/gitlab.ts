import { z } from 'zod'
import type { ApiClient } from '#api/api-client.ts'
import type { PullRequestDetails } from '#api/pull-request-api.ts'
import type { Checks } from './checks.ts'

const MergeRequest = z.object({
  iid: z.int().positive(),
  title: z.string(),
  state: z.string(),
  draft: z.boolean().nullish(),
  source_branch: z.string(),
  has_conflicts: z.boolean().nullish(),
  detailed_merge_status: z.string().nullish(),
  /** Null without a pipeline, and for a token that may not see it. */
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

const findMergeable = ({ has_conflicts: conflicts, detailed_merge_status: status }: z.infer<typeof MergeRequest>) => {
  if (conflicts === true || status === 'conflict') return false
  return status === undefined || status === null || unsure.includes(status) ? null : true
}

/** Reads a merge request of the project below `base`, with the pipeline of an open one's head. */
export const readMergeRequest = async (
  api: ApiClient,
  base: string,
  number: number,
  signal?: AbortSignal,
): Promise<PullRequestDetails> => {
  const found = await api.read(`${base}/merge_requests/${number}`, MergeRequest, signal)
  const { iid, title, source_branch: branch, head_pipeline: pipeline } = found
  // `locked` means that the merge is running.
  const open = found.state === 'opened' || found.state === 'locked'
  const about = { number: iid, title, branch }
  if (!open) return { ...about, state: found.state === 'merged' ? 'merged' : 'closed', checks: null, mergeable: null }
  return {
    ...about,
    state: found.draft === true ? 'draft' : 'open',
    // Every other status is one of a pipeline that has not ended.
    checks: pipeline ? (pipeline.status in pipelines ? pipelines[pipeline.status]! : 'pending') : null,
    mergeable: findMergeable(found),
  }
}
