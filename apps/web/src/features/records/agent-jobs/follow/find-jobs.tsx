import { useState } from 'react'
import { useFollowJob } from '#features/records/agent-jobs/agent-jobs.queries.ts'
import { ProjectField } from '#features/records/agent-jobs/projects/project-field.tsx'
import { formatPlural } from '#lib/text/format.ts'
import { Button } from '#ui/buttons/button.tsx'
import { Form, FormFailure } from '#ui/forms/form.tsx'
import { toast } from '#ui/messages/toast.ts'
import { maxJobs } from './job-file.ts'
import { useListedJobs } from './listed-jobs.queries.ts'
import { ListedJobs, ListedJobText } from './listed-jobs.tsx'

type ProjectJobsProps = { connectionId: string; projectId: string; onDone: () => void }

const ProjectJobs = ({ connectionId, projectId, onDone }: ProjectJobsProps) => {
  const list = useListedJobs(connectionId, projectId)
  const follow = useFollowJob()
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [followed, setFollowed] = useState<ReadonlySet<string>>(new Set())
  const [failures, setFailures] = useState<ReadonlyMap<string, string>>(new Map())
  const isFollowed = (job: { id: string; followed: boolean }) => job.followed || followed.has(job.id)
  const open = (list.jobs ?? []).filter((job) => !isFollowed(job)).map(({ id }) => id)
  const ids = open.filter((id) => chosen.has(id))
  const allIds = open.slice(0, maxJobs)
  const isAll = ids.length > 0 && ids.length === allIds.length

  const choose = (id: string, checked: boolean) => {
    const next = new Set(chosen)
    if (checked) next.add(id)
    else next.delete(id)
    setChosen(next)
  }
  const submit = async () => {
    const jobs = ids.map((id) => ({ projectId, id }))
    const { results } = await follow.mutateAsync({ ...(connectionId && { connectionId }), jobs })
    const good = results.flatMap(({ key, job }) => (job === null ? [] : key.id))
    setFollowed(new Set([...followed, ...good]))
    setFailures(new Map(results.flatMap(({ key, failure }) => (failure === null ? [] : [[key.id, failure.message]]))))
    if (good.length > 0) toast(`Added ${formatPlural(good.length, 'job')} of ${projectId}.`, { tone: 'done' })
    if (good.length === results.length) onDone()
  }

  const tooMany = ids.length > maxJobs ? `Add at most ${maxJobs} jobs at once. You selected ${ids.length}.` : null
  const refused = ids.length === 0 ? 'Select a job first.' : tooMany

  return (
    <>
      <ListedJobs
        list={list}
        projectId={projectId}
        row={(job) => (
          <label className="flex cursor-pointer items-start gap-3 px-3 py-2.5 hover:bg-hover has-disabled:cursor-default">
            <input
              type="checkbox"
              checked={isFollowed(job) || chosen.has(job.id)}
              disabled={isFollowed(job)}
              onChange={(event) => choose(job.id, event.target.checked)}
              className="mt-0.5 size-4 shrink-0 accent-accent"
            />
            <ListedJobText job={job} failure={failures.get(job.id)} />
            {isFollowed(job) && <span className="shrink-0 text-xs text-muted">On the list</span>}
          </label>
        )}
      />
      <FormFailure error={follow.error} />
      {tooMany !== null && (
        <p role="status" className="text-sm text-attention">
          {tooMany}
        </p>
      )}
      {open.length > 0 && (
        <div className="flex flex-wrap justify-end gap-2">
          <Button size="md" onClick={() => setChosen(new Set(isAll ? [] : allIds))}>
            {isAll ? 'Select none' : open.length > maxJobs ? `Select the first ${maxJobs}` : 'Select all'}
          </Button>
          <Button
            size="md"
            variant="primary"
            busy={follow.isPending}
            refused={refused}
            // The mutation keeps its error.
            onClick={() => void submit().catch(() => undefined)}
          >
            {ids.length === 0 ? 'Add' : `Add ${formatPlural(ids.length, 'job')}`}
          </Button>
        </div>
      )}
    </>
  )
}

type FindJobsProps = {
  onClose: () => void
  /** Connection whose jobs are listed; `''` until one is chosen. */
  connectionId: string
  /** Project that is preselected; `''` for none. */
  project: string
  projectIds: readonly string[]
}

export const FindJobs = ({ onClose, connectionId, project, projectIds }: FindJobsProps) => {
  const [typed, setTyped] = useState(project)
  const [shown, setShown] = useState<{ projectId: string; time: number } | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const submit = () => {
    const projectId = typed.trim()
    setProblem(projectId === '' ? 'Enter a project ID.' : null)
    if (projectId !== '') setShown({ projectId, time: (shown?.time ?? 0) + 1 })
  }
  return (
    <div className="flex flex-col gap-4">
      <Form onSubmit={submit} className="flex flex-col gap-2">
        <ProjectField
          value={typed}
          onChange={setTyped}
          connectionId={connectionId}
          projectIds={projectIds}
          error={problem}
          hint="Each page of the list takes one call."
        />
        <Button type="submit" className="self-start">
          Show jobs
        </Button>
      </Form>
      {shown && (
        <ProjectJobs key={shown.time} connectionId={connectionId} projectId={shown.projectId} onDone={onClose} />
      )}
    </div>
  )
}
