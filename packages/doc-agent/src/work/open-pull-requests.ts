import type { Project } from '@docket/code-hosts/code-host'
import { count } from '@docket/sources/text'

export const jobBranches = 'docs-agent/'

/** Reason why a project may not open another pull request; null while `limit` allows one. */
export const findLimitReason = async (
  project: Project,
  branch: string | null,
  limit: number | null,
  signal: AbortSignal,
): Promise<string | null> => {
  if (limit === null) return null
  const open = (await project.listOpenBranches(signal)).filter((name) => name.startsWith(jobBranches))
  // A job with an open pull request continues, because it opens no other one.
  if (open.length < limit || (branch !== null && open.includes(branch))) return null
  return `Docket has ${count(open.length, 'open pull request')} in this project, and AGENT_OPEN_PULL_REQUESTS allows ${limit}. Merge or close one, then try again.`
}

export const refuseBeyondLimit = async (...about: Parameters<typeof findLimitReason>): Promise<void> => {
  const reason = await findLimitReason(...about)
  if (reason !== null) throw new Error(reason)
}
