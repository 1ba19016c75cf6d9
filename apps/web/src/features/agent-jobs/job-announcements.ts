import type { AgentJob } from '@docket/api-types/agent-jobs'
import { useEffect, useRef } from 'react'
import { announce } from '#lib/announcements.ts'
import { describeJobChange } from './job-state.ts'

const formatKey = (job: AgentJob) => JSON.stringify([job.projectId, job.id])

/** Announces changes of `jobs` to screen readers. The first render is silent. */
export const useJobAnnouncements = (jobs: readonly AgentJob[] | undefined): void => {
  const previous = useRef<Map<string, AgentJob> | null>(null)
  useEffect(() => {
    if (!jobs) return
    const before = previous.current
    for (const job of jobs) {
      const words = before ? describeJobChange(before.get(formatKey(job)), job) : null
      if (words) announce(words)
    }
    previous.current = new Map(jobs.map((job) => [formatKey(job), job]))
  }, [jobs])
}
