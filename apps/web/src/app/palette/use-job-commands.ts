import { useQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import { Archive, CircleStop, RotateCw } from 'lucide-react'
import type { AgentJob } from '@docket/api-types/agent-jobs'
import { useJobActions } from '#features/records/agent-jobs/actions/use-job-actions.ts'
import { jobQuery } from '#features/records/agent-jobs/agent-jobs.queries.ts'

const icons = { cancel: CircleStop, retry: RotateCw, archive: Archive }
const names = { cancel: 'Cancel this job', retry: 'Retry this job', archive: 'Archive this job' }

/** No job can do anything; hooks need one on every page. */
const noJob = { projectId: '', id: '', meaning: 'gone', actions: null } as unknown as AgentJob

/** Actions on the job whose page is open. */
export const useJobCommands = () => {
  const { projectId = '', jobId = '' } = useParams({ strict: false })
  const { at } = useSearch({ strict: false })
  const { data } = useQuery({
    ...jobQuery({ connectionId: at, projectId, id: jobId }, true),
    enabled: jobId !== '',
    staleTime: Infinity,
  })
  return useJobActions(data ?? noJob).map(({ name, refused, run }) => ({
    name: names[name],
    words: 'agent job stop again',
    icon: icons[name],
    refused,
    run,
  }))
}
