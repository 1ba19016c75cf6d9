import type { Projects } from '@docket/code-hosts/code-host'
import { findLimitReason } from '@docket/doc-agent/work/open-pull-requests'

/** A new job does not wait longer for a code host; the limit is checked again before its work. Milliseconds. */
const patienceMs = 3_000

/** Reason why a project takes no new job because of its open pull requests. Null when it does, or the code host does not say. */
export const findFullProject = async (
  projects: Projects,
  projectId: string,
  limit: number | null,
): Promise<string | null> => {
  if (limit === null) return null
  try {
    const project = await projects.open(projectId)
    return project && (await findLimitReason(project, null, limit, AbortSignal.timeout(patienceMs)))
  } catch {
    return null
  }
}
