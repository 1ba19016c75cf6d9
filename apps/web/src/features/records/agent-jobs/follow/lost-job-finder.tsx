import { useState } from 'react'
import { Button } from '#ui/buttons/button.tsx'
import { useListedJobs } from './listed-jobs.queries.ts'
import { ListedJobs, ListedJobText } from './listed-jobs.tsx'

type LostJobFinderProps = {
  connectionId: string
  projectId: string
  attach: (id: string) => void
  busy: boolean
}

const Candidates = ({ connectionId, projectId, attach, busy }: LostJobFinderProps) => {
  const list = useListedJobs(connectionId, projectId)
  return (
    <ListedJobs
      list={list}
      projectId={projectId}
      row={(job) => (
        <div className="flex items-start gap-3 px-3 py-2.5">
          <ListedJobText job={job} />
          <Button busy={busy} onClick={() => attach(job.id)}>
            Attach <span className="sr-only">{job.title ?? job.id}</span>
          </Button>
        </div>
      )}
    />
  )
}

/** Looks for a job whose id was lost in the service's list of its project, and attaches it. */
export const LostJobFinder = (props: LostJobFinderProps) => {
  const [times, setTimes] = useState(0)
  return (
    <div className="mt-3 flex flex-col gap-3">
      <Button className="self-start" onClick={() => setTimes(times + 1)}>
        Find it in the project
      </Button>
      {times > 0 && <Candidates key={times} {...props} />}
    </div>
  )
}
