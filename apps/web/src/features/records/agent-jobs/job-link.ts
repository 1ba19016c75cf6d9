import { linkOptions } from '@tanstack/react-router'
import { currentConnections } from '#lib/connections/connections.ts'
import type { JobKey } from './agent-jobs.queries.ts'

/** Link to the page of an agent job. Names the connection only if there are several. */
export const buildJobLink = ({ connectionId, projectId, id }: JobKey) =>
  linkOptions({
    to: '/agent-jobs/$projectId/$jobId',
    params: { projectId, jobId: id },
    search: connectionId !== undefined && (currentConnections.get()?.length ?? 0) > 1 ? { at: connectionId } : {},
  })
