import { z } from 'zod'
import type { ApiClient } from '#api/api-client.ts'
import type { PullRequestDetails } from '#api/pull-request-api.ts'
import { CombinedStatus, combineChecks, CommitId, type Checks, toChecks } from './checks.ts'

const Pull = z.object({
  number: z.int().positive(),
  title: z.string(),
  state: z.string(),
  draft: z.boolean().nullish(),
  merged_at: z.string().nullish(),
  /** Null while GitHub finds out. */
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
  // The runs beyond the first page may have failed.
  return combined === 'passing' && runs.length < count ? null : combined
}

/** Reads a pull request of the repository below `base`, and the check runs and statuses of an open one's head. */
export const readGithubPull = async (
  api: ApiClient,
  base: string,
  number: number,
  signal?: AbortSignal,
): Promise<PullRequestDetails> => {
  const pull = await api.read(`${base}/pulls/${number}`, Pull, signal)
  const about = { number: pull.number, title: pull.title, branch: pull.head.ref }
  if (pull.merged_at || pull.state !== 'open')
    return { ...about, state: pull.merged_at ? 'merged' : 'closed', checks: null, mergeable: null }
  const commit = `${base}/commits/${pull.head.sha}`
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
}
