import type { AgentJobKey } from '@docket/api-types/agent-jobs'

/** Address of the page of an agent job. */
export const jobPath = ({ projectId, id }: AgentJobKey): string =>
  `/agent-jobs/${encodeURIComponent(projectId)}/${encodeURIComponent(id)}`
