import type { AgentJobKey } from '@docket/api-types/agent-jobs'
import { linkOptions } from '@tanstack/react-router'

/** Link to the page of an agent job. */
export const jobLink = ({ projectId, id }: AgentJobKey) =>
  linkOptions({ to: '/agent-jobs/$projectId/$jobId', params: { projectId, jobId: id } })
