import type { AgentPrompt } from '@docket/api-types/agent-prompts'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState, type ReactNode, type SubmitEvent } from 'react'
import { jobsQuery } from '#features/agent-jobs/agent-jobs.queries.ts'
import { jobPath } from '#features/agent-jobs/job-path.ts'
import { asIntent } from '#lib/intent-draft.ts'
import { navigate } from '#lib/location.ts'
import { readStored, writeStored } from '#lib/storage.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { TextField } from '#ui/field.tsx'
import { Notice } from '#ui/notice.tsx'
import { Suggestions } from '#ui/suggestions.tsx'
import { toast } from '#ui/toast.ts'
import { useDraft } from '#ui/use-draft.ts'
import { PromptField } from './prompt-field.tsx'
import { useCreateJob } from './prompts.queries.ts'
import { isTaken, problemAt, problemElsewhere, promptProblem } from './send-prompt.ts'

type NewJobProps = {
  /** Projects that are known to exist. */
  projectIds: readonly string[]
  /** What the service can do with a prompt, where that is known. */
  hint?: ReactNode
}

const mostSuggested = 6

/** Projects to pick from: of the service on this machine, and of jobs that are followed. */
const useKnownProjects = (projectIds: readonly string[]): readonly string[] => {
  const { data } = useQuery({ ...jobsQuery({}, true), staleTime: 30_000 })
  const followed = data?.items.map(({ projectId }) => projectId) ?? []
  return [...new Set([...projectIds, ...followed])].slice(0, mostSuggested)
}

const tell = ({ state, projectId, jobId }: AgentPrompt) => {
  if (state === 'accepted' && jobId !== null)
    toast(`Created ${projectId}/${jobId}. Docket watches it.`, {
      tone: 'done',
      action: { label: 'Open', run: () => navigate(jobPath({ projectId, id: jobId })) },
    })
  else if (state === 'unknown')
    toast(`No answer came to the request for a job of ${projectId}. The job may exist.`, { tone: 'failed' })
  else toast(`Asked for a job of ${projectId}; the service has not answered yet.`)
}

const NewJobForm = ({ projectIds, hint, onDone }: NewJobProps & { onDone: () => void }) => {
  const suggested = useKnownProjects(projectIds)
  const [first] = useState(() => readStored('local', 'project') ?? (projectIds.length === 1 ? projectIds[0]! : ''))
  const { draft, change, clear } = useDraft('new-job', { projectId: first, prompt: '' })
  const create = useCreateJob()
  const [missing, setMissing] = useState<{ projectId?: string; prompt?: string }>({})
  const [refused, setRefused] = useState<string | null>(null)
  const form = useRef<HTMLFormElement>(null)

  const type = (next: Partial<typeof draft>) => {
    change(next)
    setMissing({})
    setRefused(null)
    create.reset()
  }
  const focus = (name: string) => form.current?.querySelector<HTMLElement>(`[name="${name}"]`)?.focus()

  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (create.isPending) return
    const projectId = draft.projectId.trim()
    const problem = promptProblem(draft.prompt)
    if (projectId === '' || problem !== null) {
      setMissing({ ...(projectId === '' && { projectId: 'In which project?' }), ...(problem && { prompt: problem }) })
      return focus(projectId === '' ? 'projectId' : 'prompt')
    }
    const intent = asIntent(draft)
    change(intent)
    setRefused(null)
    create.mutate(
      { requestId: intent.requestId, projectId, prompt: draft.prompt },
      {
        onSuccess: ({ prompt }) => {
          writeStored('local', 'project', projectId)
          if (!isTaken(prompt)) {
            // What was refused is over: sending it once more is another request.
            change({ requestId: null, sentAs: null })
            return setRefused(prompt.reason)
          }
          clear({ projectId })
          tell(prompt)
          onDone()
        },
        onError: (error) => focus(problemAt(error, 'projectId') === null ? 'prompt' : 'projectId'),
      },
    )
  }
  const elsewhere = problemElsewhere(create.error, ['projectId', 'prompt'])

  return (
    <form ref={form} onSubmit={submit} noValidate className="flex flex-col gap-4">
      <TextField
        label="Project id"
        name="projectId"
        required
        autoCapitalize="none"
        value={draft.projectId}
        onChange={(event) => type({ projectId: event.target.value })}
        error={missing.projectId ?? problemAt(create.error, 'projectId')}
        hint={
          <Suggestions
            label="Known here:"
            values={suggested}
            onPick={(projectId) => {
              type({ projectId })
              focus('prompt')
            }}
          />
        }
      />
      <PromptField
        label="Prompt"
        value={draft.prompt}
        onChange={(prompt) => type({ prompt })}
        error={missing.prompt ?? problemAt(create.error, 'prompt')}
        hint={hint ?? 'What the agent should do, in your own words.'}
      />
      {(refused ?? elsewhere) !== null && (
        <Notice
          tone="failed"
          role="alert"
          title={refused === null ? 'The job was not asked for' : 'No job was created'}
        >
          {refused ?? elsewhere}
        </Notice>
      )}
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="min-w-0 flex-1 basis-56 text-xs text-muted">
          The service creates the job; Docket follows it at once and watches it until the pull request is there.
        </p>
        <Button type="submit" variant="primary" size="md" busy={create.isPending}>
          Create job
        </Button>
      </div>
    </form>
  )
}

/** Asks for a new agent job. What was typed stays until the service has taken it, also across a reload. */
export const NewJobDialog = ({ open, onClose, ...form }: NewJobProps & { open: boolean; onClose: () => void }) => (
  <Dialog open={open} onClose={onClose} title="New agent job" wide>
    <NewJobForm {...form} onDone={onClose} />
  </Dialog>
)
