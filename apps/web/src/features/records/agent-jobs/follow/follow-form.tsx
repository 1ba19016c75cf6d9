import type { AgentJobList } from '@docket/api-types/agent-jobs'
import { useNavigate } from '@tanstack/react-router'
import { ListChecks, FileText } from 'lucide-react'
import { useMemo, useState, useRef, type DragEvent, type ReactNode } from 'react'
import { useFollowJob, buildJobLink } from '#features/records/agent-jobs/agent-jobs.queries.ts'
import { ProjectField } from '#features/records/agent-jobs/projects/project-field.tsx'
import { useProjects } from '#features/records/agent-jobs/projects/projects.queries.ts'
import { toMessage } from '#lib/api/api-error.ts'
import { get } from '#lib/api/api.ts'
import { readStored, writeStored } from '#lib/state/store.ts'
import { formatPlural, revealHiddenCharacters } from '#lib/text/format.ts'
import { Button } from '#ui/buttons/button.tsx'
import { ConnectionField, useConnectionChoice } from '#ui/connections/connection-field.tsx'
import { useStartRefusal } from '#ui/connections/connections.tsx'
import { TextArea, Form, FormFailure } from '#ui/forms/form.tsx'
import { toast } from '#ui/messages/toast.ts'
import { Dialog } from '#ui/overlays/dialog.tsx'
import { FindJobs } from './find-jobs.tsx'
import { FollowPreview, UnreadableLines } from './follow-preview.tsx'
import { maxJobs, readJobFile, type UnreadableLine } from './job-file.ts'
import { parseJobReferences, type JobReference } from './parse-job-references.ts'
import { parsePullRequest, type PullRequest } from './pull-request-address.ts'

type Item = AgentJobList['items'][number]

const maxPages = 20

/** Finds the newest followed job that reports a pull request. Null when none of the latest 1,000 jobs of its repository does. */
const findJobOfPull = async ({ address, repository }: PullRequest, connection: string): Promise<Item | null> => {
  let cursor: string | undefined
  for (let page = 0; page < maxPages; page += 1) {
    const query = { q: repository.slice(0, 200), connection, cursor }
    const { items, nextCursor } = await get('/api/agent-jobs', { query })
    const found = items.find(({ prLink }) => prLink !== null && parsePullRequest(prLink.text)?.address === address)
    if (found !== undefined) return found
    if (nextCursor === null) return null
    cursor = nextCursor
  }
  return null
}

const noJobOfPull =
  'No job on the list reports this pull request, and the service can’t look one up. Add the job by its ID.'

type FileProps = { onFile: (file: File) => void; refused: string | null }

const holdsFile = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('Files')

/** Takes one file that is dropped on its content. Leaves dragged text to the fields. */
const DropZone = ({ onFile, refused, children }: FileProps & { children: ReactNode }) => {
  const [over, setOver] = useState(false)
  return (
    <div
      onDragOver={(event) => {
        if (!holdsFile(event)) return
        // Without this, the browser would open the file.
        event.preventDefault()
        if (refused === null) setOver(true)
      }}
      onDragLeave={(event) => {
        if (!(event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget))) setOver(false)
      }}
      onDrop={(event) => {
        if (!holdsFile(event)) return
        event.preventDefault()
        setOver(false)
        const [file] = event.dataTransfer.files
        if (file !== undefined && refused === null) onFile(file)
      }}
      className={over ? 'rounded-md outline-2 outline-offset-4 outline-accent outline-dashed' : ''}
    >
      {children}
    </div>
  )
}

const FileButton = ({ onFile, refused }: FileProps) => {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button icon={FileText} size="md" refused={refused} onClick={() => input.current?.click()}>
        Add a file
      </Button>
      <input
        ref={input}
        type="file"
        accept=".txt,.csv,.tsv,.json,text/*"
        hidden
        onChange={(event) => {
          const [file] = event.target.files ?? []
          // Allows the same file to be chosen again after it was corrected.
          event.target.value = ''
          if (file !== undefined) onFile(file)
        }}
      />
    </>
  )
}

/** Removes keys from pasted curl lines before they are stored. */
const hideKeys = (text: string): string => text.replaceAll(/(bearer\s+)[^\s'"\\]+/giu, '$1…')

const keepUnfollowedLines = (references: readonly JobReference[], followed: ReadonlySet<string>): string =>
  references
    .map((reference) => reference.text)
    .filter((text) => !followed.has(text))
    .join('\n')

type Outcome = readonly [text: string, failure: string | null]

type FollowFormProps = { projectIds: readonly string[]; autoFocus: boolean }

/** Follows pasted jobs, and finds those of pull requests. Lines that fail stay in the box, each with its reason. */
export const FollowForm = ({ projectIds, autoFocus }: FollowFormProps) => {
  const [text, setText] = useState(() => readStored('session', 'follow') ?? '')
  const [typedProject, setProject] = useState<string | null>(null)
  const [typedConnection, setConnection] = useState('')
  const [failures, setFailures] = useState<ReadonlyMap<string, string>>(new Map())
  const [problem, setProblem] = useState<string | null>(null)
  const [unread, setUnread] = useState<{ name: string; lines: readonly UnreadableLine[] } | null>(null)
  const [looking, setLooking] = useState(false)
  const [finding, setFinding] = useState(false)
  const follow = useFollowJob()
  const navigate = useNavigate()
  const refused = useStartRefusal()
  const choice = useConnectionChoice(typedConnection)
  const known = useProjects(choice.value)
  const defaultProject = known.find(({ isDefault }) => isDefault)?.projectId
  const references = useMemo(() => parseJobReferences(text), [text])
  const local = choice.isOther('embedded') ? [] : projectIds
  const [only] = local.length === 1 ? local : known.length === 1 ? known.map(({ projectId }) => projectId) : []
  const project = typedProject ?? defaultProject ?? only ?? ''
  const needsProject = references.some((reference) => reference.kind === 'job' && reference.projectId === null)
  const ready = references.flatMap((reference) => {
    if (reference.kind !== 'job') return []
    const projectId = reference.projectId ?? project.trim()
    return projectId === '' ? [] : [{ text: reference.text, key: { projectId, id: reference.id } }]
  })

  const pulls = references.flatMap((reference) => (reference.kind === 'pull-request' ? [reference] : []))
  const count = ready.length + pulls.length
  const busy = follow.isPending || looking

  const type = (next: string) => {
    setText(next)
    setProblem(null)
    writeStored('session', 'follow', hideKeys(next) || null)
  }

  const addFile = async (file: File) => {
    const { text: added, jobs, unreadable, problem: reason } = await readJobFile(file)
    if (reason !== null) return setProblem(reason)
    type([text.trimEnd(), added].filter((part) => part !== '').join('\n'))
    setUnread(unreadable.length === 0 ? null : { name: file.name, lines: unreadable })
    if (jobs > 0) toast(`Added ${formatPlural(jobs, 'job')} from ${revealHiddenCharacters(file.name)}.`)
  }

  /** Null when the page of a single job was opened. */
  const findPulls = async (): Promise<Outcome[] | null> => {
    const outcomes: Outcome[] = []
    for (const { text: line, pull } of pulls) {
      const job = await findJobOfPull(pull, choice.value)
      if (job !== null && references.length === 1) {
        type('')
        void navigate(buildJobLink(job))
        return null
      }
      outcomes.push([line, job === null ? noJobOfPull : null])
    }
    return outcomes
  }

  const followReady = async (): Promise<{ outcomes: Outcome[]; already: number }> => {
    if (ready.length === 0) return { outcomes: [], already: 0 }
    const { results } = await follow.mutateAsync({ ...choice.body, jobs: ready.map(({ key }) => key) })
    const outcomes = ready.map((line, index): Outcome => {
      const { job, failure } = results[index]!
      return [line.text, job === null ? (failure?.message ?? '') : null]
    })
    return { outcomes, already: results.filter((result) => result.already).length }
  }

  const submit = async () => {
    if (refused !== null) return
    if (count === 0)
      return setProblem(
        references.length === 0 ? 'Enter at least one job.' : 'No line names a job that Docket can add.',
      )
    if (choice.missing) return setProblem('Choose a connection.')
    if (count > maxJobs) return setProblem(`Add at most ${maxJobs} jobs at once. You entered ${count}.`)
    setLooking(true)
    try {
      const found = await findPulls()
      if (found === null) return
      const { outcomes, already } = await followReady()
      const all = [...found, ...outcomes]
      const good = new Set(all.flatMap(([line, failure]) => (failure === null ? line : [])))
      const known = already + found.filter(([, failure]) => failure === null).length
      setUnread(null)
      setFailures(new Map(all.map(([line, failure]) => [line, failure ?? ''])))
      type(keepUnfollowedLines(references, good))
      if (good.size > 0)
        toast(`Added ${formatPlural(good.size, 'job')}.${known > 0 ? ` ${known} were on the list already.` : ''}`, {
          tone: 'done',
        })
    } catch (error) {
      setProblem(toMessage(error))
    } finally {
      setLooking(false)
    }
  }

  return (
    <section aria-label="Add agent jobs" className="panel p-4">
      <DropZone onFile={(file) => void addFile(file)} refused={refused}>
        <Form onSubmit={() => void submit()} busy={busy}>
          <TextArea
            label="Jobs to add"
            name="jobs"
            rows={2}
            data-hotkey="new"
            autoFocus={autoFocus}
            placeholder="PROJECT_ID JOB_ID"
            value={text}
            onChange={(event) => type(event.target.value)}
            hint="One per line: an ID, project and ID, path, URL, pull request, curl command or the job’s JSON. Or drop a text or CSV file here. Keys in pasted lines stay in your browser."
          />
          <div className="mt-3 grid gap-3 empty:hidden sm:grid-cols-2">
            <ConnectionField choice={choice} onChange={setConnection} />
            {needsProject && (
              <ProjectField
                value={project}
                onChange={setProject}
                connectionId={choice.value}
                projectIds={local}
                hint="For lines without a project."
              />
            )}
          </div>
          <FollowPreview references={references} project={project} failures={failures} />
          {unread && <UnreadableLines {...unread} />}
          <div className="mt-3 empty:hidden">
            <FormFailure error={problem} />
          </div>
          <div className="mt-3 flex flex-wrap justify-end gap-2">
            {choice.connection?.agentJobList && (
              <Button icon={ListChecks} size="md" refused={refused} onClick={() => setFinding(true)}>
                Find jobs in a project…
              </Button>
            )}
            <FileButton onFile={(file) => void addFile(file)} refused={refused} />
            <Button type="submit" variant="primary" size="md" busy={busy} refused={refused}>
              {count > 1 ? `Add ${count} jobs` : 'Add'}
            </Button>
          </div>
        </Form>
      </DropZone>
      {finding && (
        <Dialog onClose={() => setFinding(false)} title="Find jobs in a project" wide>
          <FindJobs
            onClose={() => setFinding(false)}
            connectionId={choice.value}
            project={project}
            projectIds={local}
          />
        </Dialog>
      )}
    </section>
  )
}
