import { Pencil } from 'lucide-react'
import { useState } from 'react'
import type { JobKey } from '#features/records/agent-jobs/agent-jobs.queries.ts'
import { Button } from '#ui/buttons/button.tsx'
import { useRecordRefusal } from '#ui/connections/use-connections.ts'
import { ProjectDialog } from './project-dialog.tsx'
import { useProject } from './projects.queries.ts'

/** Project of a job by its name, with a button to name it. */
export const JobProject = ({ job }: { job: JobKey }) => {
  const { connectionId, projectId } = job
  const known = useProject(job)
  const refused = useRecordRefusal(job)
  const [editing, setEditing] = useState(false)
  return (
    <span className="inline-flex min-w-0 items-center">
      <span className="wrap-anywhere" title={projectId}>
        project <bdi>{known?.name ?? projectId}</bdi>
      </span>
      {refused === null && (
        <Button
          variant="quiet"
          size="icon"
          className="size-6"
          aria-label="Name this project"
          title="Name this project"
          onClick={() => setEditing(true)}
        >
          <Pencil className="size-3" aria-hidden="true" />
        </Button>
      )}
      {editing && (
        <ProjectDialog
          project={known ?? { connectionId, projectId, name: null, isDefault: false }}
          onClose={() => setEditing(false)}
        />
      )}
    </span>
  )
}
