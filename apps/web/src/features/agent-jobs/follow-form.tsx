import type { AgentJobKey } from '@docket/api-types/agent-jobs'
import { useMemo, useState, type SubmitEvent } from 'react'
import { toMessage } from '#lib/api-error.ts'
import { formatPlural } from '#lib/format.ts'
import { readStored, writeStored } from '#lib/storage.ts'
import { Button } from '#ui/button.tsx'
import { ConnectionField, useConnectionChoice } from '#ui/connections/connection-field.tsx'
import { useStartRefusal } from '#ui/connections/use-connections.ts'
import { TextArea } from '#ui/forms/field.tsx'
import { Notice } from '#ui/notice.tsx'
import { toast } from '#ui/toast.ts'
import { useFollow } from './agent-jobs.queries.ts'
import { FollowPreview } from './follow-preview.tsx'
import { ProjectField } from './projects/project-field.tsx'
import { useProjects } from './projects/projects.queries.ts'
import { parseJobReferences, type JobReference } from './parse-job-references.ts'

const maxAtOnce = 50

/** Removes keys from pasted curl lines before they are stored. */
const hideKeys = (text: string): string => text.replaceAll(/(bearer\s+)[^\s'"\\]+/giu, '$1…')

/** Lines that were not followed; they stay in the box. */
const keepUnfollowed = (references: readonly JobReference[], followed: ReadonlySet<string>): string =>
  references
    .map((reference) => reference.text)
    .filter((text) => !followed.has(text))
    .join('\n')

/** Follows pasted jobs. Lines that fail stay in the box, each with its reason. */
export const FollowForm = ({ projectIds }: { projectIds: readonly string[] }) => {
  const [text, setText] = useState(() => readStored('session', 'follow') ?? '')
  const [typedProject, setProject] = useState<string | null>(null)
  const [typedConnection, setConnection] = useState('')
  const [failures, setFailures] = useState<ReadonlyMap<string, string>>(new Map())
  const [problem, setProblem] = useState<string | null>(null)
  const follow = useFollow()
  const refused = useStartRefusal()
  const choice = useConnectionChoice(typedConnection)
  const defaultProject = useProjects(choice.value).find(({ isDefault }) => isDefault)?.projectId
  const references = useMemo(() => parseJobReferences(text), [text])
  const local = choice.isOther('embedded') ? [] : projectIds
  const project = typedProject ?? defaultProject ?? (local.length === 1 ? local[0]! : '')
  const needsProject = references.some((reference) => reference.problem === null && reference.projectId === null)
  const ready = references.flatMap((reference) => {
    if (reference.problem !== null) return []
    const projectId = reference.projectId ?? project.trim()
    return projectId === '' ? [] : [{ text: reference.text, key: { projectId, id: reference.id } }]
  })

  const type = (next: string) => {
    setText(next)
    setProblem(null)
    writeStored('session', 'follow', hideKeys(next) || null)
  }

  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    if (follow.isPending || refused !== null) return
    if (ready.length === 0)
      return setProblem(
        references.length === 0
          ? 'Name at least one job.'
          : 'None of these lines names a job that can be followed yet.',
      )
    if (choice.missing) return setProblem('On which connection are they?')
    if (ready.length > maxAtOnce) return setProblem(`At most ${maxAtOnce} jobs at once; these are ${ready.length}.`)
    try {
      const { results } = await follow.mutateAsync({ ...choice.body, jobs: ready.map(({ key }): AgentJobKey => key) })
      const good = new Set(ready.filter((_, index) => results[index]?.job).map((line) => line.text))
      const already = results.filter((result) => result.already).length
      setFailures(new Map(ready.map((line, index) => [line.text, results[index]?.failure?.message ?? ''])))
      type(keepUnfollowed(references, good))
      if (good.size > 0)
        toast(
          `Following ${formatPlural(good.size, 'job')}.${already > 0 ? ` ${already} of them before already.` : ''}`,
          { tone: 'done' },
        )
    } catch (error) {
      setProblem(toMessage(error))
    }
  }

  return (
    <section aria-label="Follow agent jobs" className="panel p-4">
      <form onSubmit={(event) => void submit(event)} noValidate>
        <TextArea
          label="Jobs to follow"
          name="jobs"
          rows={2}
          data-hotkey="new"
          placeholder="PROJECT_ID JOB_ID"
          value={text}
          onChange={(event) => type(event.target.value)}
          hint="One per line: project and job id, a path, an address, a curl line, or the job’s JSON. Keys in pasted lines are not sent anywhere."
        />
        <div className="mt-3 grid gap-3 empty:hidden sm:grid-cols-2">
          <ConnectionField choice={choice} onChange={setConnection} />
          {needsProject && (
            <ProjectField
              value={project}
              onChange={setProject}
              connectionId={choice.value}
              projectIds={local}
              hint="For the lines that do not name their project."
            />
          )}
        </div>
        <FollowPreview references={references} project={project} failures={failures} />
        {problem && (
          <div className="mt-3">
            <Notice tone="failed" role="alert">
              {problem}
            </Notice>
          </div>
        )}
        <div className="mt-3 flex justify-end">
          <Button type="submit" variant="primary" size="md" busy={follow.isPending} refused={refused}>
            {ready.length > 1 ? `Follow ${ready.length} jobs` : 'Follow'}
          </Button>
        </div>
      </form>
    </section>
  )
}
