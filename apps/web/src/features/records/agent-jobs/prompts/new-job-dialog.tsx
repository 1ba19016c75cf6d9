import type { AgentPrompt, SentAgentPrompt } from '@docket/api-types/agent-prompts'
import type { MaintenanceOrderInput } from '@docket/api-types/maintenance-orders'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { jobsQuery, buildJobLink, type JobKey } from '#features/records/agent-jobs/agent-jobs.queries.ts'
import { ProjectField } from '#features/records/agent-jobs/projects/project-field.tsx'
import { useProjects } from '#features/records/agent-jobs/projects/projects.queries.ts'
import { readStored, writeStored } from '#lib/state/store.ts'
import { isolateText } from '#lib/text/format.ts'
import { Button } from '#ui/buttons/button.tsx'
import { ConnectionField, ConnectionNote, useConnectionChoice } from '#ui/connections/connection-field.tsx'
import { Choices } from '#ui/forms/choices.tsx'
import { actionsLineClass } from '#ui/forms/form.tsx'
import { useDraft } from '#ui/forms/use-draft.ts'
import { usePromptRefusal } from '#ui/forms/use-refusal.ts'
import { HelpLink } from '#ui/links/help-link.tsx'
import { Link } from '#ui/links/link.tsx'
import { toast } from '#ui/messages/toast.ts'
import { Dialog } from '#ui/overlays/dialog.tsx'
import { PromptField } from './prompt-field.tsx'
import { PromptForm } from './prompt-form.tsx'
import { useCreateJob } from './prompts.queries.ts'
import { usePromptForm } from './use-prompt-form.ts'

type NewJobProps = {
  open: boolean
  onClose: () => void
  projectIds: readonly string[]
  /** Whether the embedded service can work on prompts. Null without an embedded service. */
  agent: { configured: boolean } | null
  maintenance: (target: MaintenanceSlot) => ReactNode
}

export type MaintenanceSlot = {
  projectId: string
  connection: { connectionId?: string }
  create: (order: MaintenanceOrderInput, requestId: string) => Promise<SentAgentPrompt>
  onTaken: (sent: SentAgentPrompt) => void
  visible: boolean
  where: (problems: { projectId?: string | null; connectionId?: string | null }, busy: boolean) => ReactNode
  note: ReactNode
}

const kinds = [
  { value: 'prompt', label: 'Ask the agent', hint: 'Say in your own words what to change.' },
  { value: 'maintenance', label: 'Maintenance', hint: 'Fix links or typos, replace text, move a page.' },
] as const

const noAgent = (
  <>
    No agent is configured, so Docket does maintenance only. To ask for other changes, set AGENT_COMMAND as{' '}
    <HelpLink page="agent-jobs/agents">the guide describes</HelpLink>.
  </>
)

const useKnownProjects = (connection: string, projectIds: readonly string[], open: boolean): readonly string[] => {
  const { data } = useQuery({ ...jobsQuery({ connection }, true), staleTime: 30_000, enabled: open })
  const followed = data?.items.map(({ projectId }) => projectId) ?? []
  return [...new Set([...projectIds, ...followed])]
}

const toastPromptOutcome = (
  { connectionId, state, projectId, jobId, reason, prompt }: AgentPrompt,
  open: (job: JobKey) => void,
) => {
  if (state === 'accepted' && jobId !== null)
    toast(`Created “${isolateText(prompt.trim().split('\n', 1)[0]!.slice(0, 80))}”.`, {
      tone: 'done',
      action: { label: 'Open', run: () => open({ connectionId, projectId, id: jobId }) },
    })
  else if (state === 'unknown')
    toast(`The job of ${projectId} may or may not exist. ${reason ?? ''}`, { tone: 'failed' })
  else toast(`Requested a job of ${projectId}. The service hasn’t responded yet.`)
}

const NewJobForm = ({ open, onClose, projectIds, agent, maintenance }: NewJobProps) => {
  const create = useCreateJob()
  const navigate = useNavigate()
  const saved = useDraft('new-job', { connectionId: '', projectId: '', prompt: '' })
  const [kind, setKind] = useState<'prompt' | 'maintenance'>(() =>
    readStored('session', 'new-job-kind') === 'maintenance' ? 'maintenance' : 'prompt',
  )
  const [touched, setTouched] = useState(false)
  const choice = useConnectionChoice(saved.draft.connectionId, true)
  const local = choice.isOther('embedded') ? [] : projectIds
  const suggested = useKnownProjects(choice.value, local, open)
  const [last] = useState(() => readStored('local', 'project'))
  const first = last !== null && suggested.includes(last) ? last : local.length === 1 ? local[0]! : ''
  const defaultProject = useProjects(choice.value, open).find(({ isDefault }) => isDefault)?.projectId
  const project = saved.draft.projectId === '' && !touched ? (defaultProject ?? first) : saved.draft.projectId
  const onTaken = ({ prompt }: SentAgentPrompt) => {
    writeStored('local', 'project', prompt.projectId)
    toastPromptOutcome(prompt, (job) => void navigate(buildJobLink(job)))
    onClose()
  }
  const { draft, type, submit, busy, problems } = usePromptForm({
    draft: saved,
    chosen: { connectionId: choice.body.connectionId ?? '', projectId: project },
    asksConnection: choice.missing,
    visible: open,
    send: ({ projectId, prompt }, requestId) =>
      create.mutateAsync({ requestId, ...choice.body, projectId: projectId.trim(), prompt }),
    keep: ({ projectId }) => ({ projectId }),
    onTaken,
  })
  // Only the embedded service offers maintenance, and every other service has an agent.
  const maintains = agent !== null && !choice.isOther('embedded')
  const noPrompts = usePromptRefusal()
  const reason = agent?.configured === false ? noAgent : noPrompts
  const asksAgent = !maintains || reason === null
  const shown = !maintains ? 'prompt' : asksAgent ? kind : 'maintenance'
  const choose = (next: typeof kind) => {
    setKind(next)
    writeStored('session', 'new-job-kind', next)
  }
  const where: MaintenanceSlot['where'] = (found, isBusy) => (
    <>
      <ConnectionField
        choice={choice}
        onChange={(connectionId) => !isBusy && type({ connectionId })}
        error={found.connectionId}
      />
      <ProjectField
        value={project}
        onChange={(projectId) => {
          setTouched(true)
          type({ projectId })
        }}
        connectionId={choice.value}
        projectIds={suggested}
        readOnly={isBusy}
        error={found.projectId}
      />
    </>
  )
  const note = (
    <>
      <p className="text-xs text-muted">Docket checks the new job until it opens a pull request.</p>
      <ConnectionNote choice={choice} verb="Creates it on" />
    </>
  )
  if (!open) return null
  return (
    <Dialog onClose={onClose} title="New agent job" wide>
      {maintains && (
        <div className="mb-4">
          {asksAgent ? (
            <Choices legend="Kind of job" options={kinds} value={kind} onChange={choose} />
          ) : (
            <p className="text-sm text-muted">{reason}</p>
          )}
        </div>
      )}
      {shown === 'maintenance' ? (
        maintenance({
          projectId: project,
          connection: choice.body,
          create: (order, requestId) =>
            create.mutateAsync({ requestId, ...choice.body, projectId: project.trim(), maintenance: order }),
          onTaken,
          visible: open,
          where,
          note,
        })
      ) : (
        <PromptForm
          onSubmit={submit}
          problems={problems}
          title="No job was created"
          actions={
            <div className={actionsLineClass}>
              <div className="min-w-0 flex-1 basis-56 space-y-1">{note}</div>
              <Button type="submit" variant="primary" size="md" busy={busy} refused={noPrompts} className="ml-auto">
                Create job
              </Button>
            </div>
          }
        >
          {where(problems, busy)}
          <PromptField
            label="Prompt"
            value={draft.prompt}
            onChange={(prompt) => type({ prompt })}
            busy={busy}
            error={problems.prompt}
            hint={
              <>
                Describe what the agent should do.{' '}
                <Link to="/agent-jobs/prompts" onClick={onClose} className="inline-flex min-h-6 items-center underline">
                  Saved prompts
                </Link>
              </>
            }
          />
        </PromptForm>
      )}
    </Dialog>
  )
}

export const NewJobDialog = (props: NewJobProps) => {
  // Stays mounted after its first opening, because a response may arrive after it closed.
  const [opened, setOpened] = useState(props.open)
  if (props.open && !opened) setOpened(true)
  return opened && <NewJobForm {...props} />
}
