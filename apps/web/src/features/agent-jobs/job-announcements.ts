import type { AgentJob } from '@docket/api-types/agent-jobs'
import { useEffect, useRef } from 'react'
import { announce } from '#lib/announcements.ts'
import { jobChangeInWords } from './job-state.ts'

const nameOf = (job: AgentJob) => JSON.stringify([job.projectId, job.id])

/** Says the changes of `jobs` aloud. The first sight of the page is silent. */
export const useJobAnnouncements = (jobs: readonly AgentJob[] | undefined): void => {
  const seen = useRef<Map<string, AgentJob> | null>(null)
  useEffect(() => {
    if (!jobs) return
    const before = seen.current
    for (const job of jobs) {
      const words = before ? jobChangeInWords(before.get(nameOf(job)), job) : null
      if (words) announce(words)
    }
    seen.current = new Map(jobs.map((job) => [nameOf(job), job]))
  }, [jobs])
}
