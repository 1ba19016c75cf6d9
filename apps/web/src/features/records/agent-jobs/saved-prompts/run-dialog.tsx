import type { SavedPrompt, SavedPromptResult } from '@docket/api-types/saved-prompts'
import { Plus } from 'lucide-react'
import { useRef, useState, type KeyboardEvent } from 'react'
import { buildJobLink } from '#features/records/agent-jobs/agent-jobs.queries.ts'
import { LongText } from '#features/records/agent-jobs/details/long-text.tsx'
import { useProjects } from '#features/records/agent-jobs/projects/projects.queries.ts'
import { findProblemElsewhere } from '#features/records/agent-jobs/prompts/send-prompt.ts'
import { asIntent } from '#lib/state/intent-draft.ts'
import { formatPlural, isolateText } from '#lib/text/format.ts'
import { Button } from '#ui/buttons/button.tsx'
import { ConnectionField, ConnectionNote, useConnectionChoice } from '#ui/connections/connection-field.tsx'
import { actionsLineClass, bindText, Checkbox, FieldError, Form, FormFailure, TextField } from '#ui/forms/form.tsx'
import { useDraft } from '#ui/forms/use-draft.ts'
import { Link } from '#ui/links/link.tsx'
import { StateLabel, type Tone } from '#ui/marks/state-mark.tsx'
import { toast } from '#ui/messages/toast.ts'
import { Dialog } from '#ui/overlays/dialog.tsx'
import { useRunPrompt } from './saved-prompts.queries.ts'

type ProjectChoiceProps = {
  connectionId: string
  known: readonly string[]
  value: readonly string[]
  onChange: (projectIds: string[]) => void
  error: string | null
}

const ProjectChoice = ({ connectionId, known, value, onChange, error }: ProjectChoiceProps) => {
  const [other, setOther] = useState('')
  const projects = useProjects(connectionId)
  const names = new Map(projects.map(({ projectId, name }) => [projectId, name]))
  const offered = [...new Set([...names.keys(), ...known, ...value])]
  const add = () => {
    const projectId = other.trim()
    if (projectId === '') return
    onChange([...new Set([...value, projectId])])
    setOther('')
  }
  const addOnEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    event.preventDefault()
    add()
  }
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 text-sm font-medium">Projects</legend>
      {offered.length > 0 && (
        <div className="mb-3 grid max-h-48 gap-1.5 overflow-y-auto rounded-md border border-line px-3 py-2 wrap-anywhere">
          {offered.map((projectId) => (
            <Checkbox
              key={projectId}
              label={isolateText(names.get(projectId) ?? projectId)}
              {...(names.get(projectId) && { hint: isolateText(projectId) })}
              checked={value.includes(projectId)}
              onChange={(checked) =>
                onChange(checked ? [...value, projectId] : value.filter((one) => one !== projectId))
              }
            />
          ))}
        </div>
      )}
      <div className="flex items-end gap-2">
        <div className="min-w-0 flex-1">
          <TextField
            label="Another project ID"
            autoCapitalize="none"
            maxLength={256}
            {...bindText(other, setOther)}
            onKeyDown={addOnEnter}
          />
        </div>
        <Button icon={Plus} className="h-9" onClick={add}>
          Add
        </Button>
      </div>
      <FieldError>{error}</FieldError>
    </fieldset>
  )
}

// The server finds placeholders with the same pattern.
const placeholder = /\{\{([\p{L}\p{N}_ -]{1,50})\}\}/gu

/** Replaces placeholders by their values; placeholders without a value stay. Braces in a value are plain text. */
export const fillPrompt = (text: string, values: ReadonlyMap<string, string>): string =>
  text.replaceAll(placeholder, (all, name: string) => values.get(name.trim())?.trim() || all)

const looks: Record<SavedPromptResult['state'], { tone: Tone; word: string }> = {
  accepted: { tone: 'done', word: 'Job created' },
  sending: { tone: 'live', word: 'Waiting for a response' },
  unknown: { tone: 'attention', word: 'May have been created' },
  refused: { tone: 'failed', word: 'Not created' },
  not_sent: { tone: 'failed', word: 'Not sent' },
}

const RunResults = ({ results }: { results: readonly SavedPromptResult[] }) => (
  <ul aria-label="Results" className="divide-y divide-line rounded-md border border-line text-sm">
    {results.map(({ projectId, connectionId, jobId, state, reason }) => (
      <li key={projectId} className="px-3 py-2">
        <p className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
          {jobId === null ? (
            <bdi className="min-w-0 font-medium wrap-anywhere">{projectId}</bdi>
          ) : (
            <Link
              {...buildJobLink({ connectionId: connectionId ?? undefined, projectId, id: jobId })}
              className="inline-flex min-h-6 min-w-0 items-center font-medium wrap-anywhere underline"
            >
              <bdi>{projectId}</bdi>
            </Link>
          )}
          <StateLabel tone={looks[state].tone}>{looks[state].word}</StateLabel>
        </p>
        {reason && (
          <p dir="auto" className="mt-0.5 text-xs text-muted wrap-anywhere">
            {reason}
          </p>
        )}
      </li>
    ))}
  </ul>
)

/** `projectIds`: null until the reader chooses. */
type Fields = { connectionId: string; projectIds: string[] | null; values: [name: string, value: string][] }

type RunDialogProps = { prompt: SavedPrompt; projectIds: readonly string[]; onClose: () => void }

const mayRepeatRun = ({ state }: SavedPromptResult) => state === 'refused' || state === 'not_sent'

const maxProjects = 20

/** Fills in a saved prompt and creates a job in each chosen project. Projects without a job stay chosen. */
export const RunDialog = ({ prompt, projectIds: local, onClose }: RunDialogProps) => {
  const { draft, change, clear } = useDraft<Fields>(`saved-prompt ${prompt.promptId}`, {
    connectionId: '',
    projectIds: null,
    values: [],
  })
  const run = useRunPrompt()
  const [tried, setTried] = useState(false)
  const [results, setResults] = useState<readonly SavedPromptResult[]>([])
  // A second press may come before the next render.
  const underWay = useRef(false)
  const choice = useConnectionChoice(draft.connectionId, true)
  const known = choice.isOther('embedded') ? [] : local
  const chosen = draft.projectIds ?? (known.length === 1 ? [...known] : [])
  const values = new Map(draft.values)
  const missing = prompt.placeholders.filter((name) => !values.get(name)?.trim())
  const unchosen = results.find(({ state, code }) => state === 'not_sent' && code === 'conflict')?.reason
  const noProjects =
    chosen.length === 0
      ? 'Choose a project.'
      : chosen.length > maxProjects
        ? `Choose at most ${maxProjects} projects.`
        : null
  const failure = findProblemElsewhere(run.error, [])

  const send = async () => {
    const fields = { connectionId: choice.body.connectionId ?? '', projectIds: chosen, values: [...values] }
    const intent = asIntent({ ...draft, ...fields })
    change(intent)
    const found = await run.mutateAsync({
      promptId: prompt.promptId,
      version: prompt.version,
      requestId: intent.requestId,
      ...choice.body,
      projectIds: chosen,
      values: Object.fromEntries(prompt.placeholders.map((name) => [name, values.get(name) ?? ''])),
    })
    const failed = found.filter(mayRepeatRun)
    if (found.every(({ state }) => state === 'accepted')) {
      clear()
      toast(`Created ${formatPlural(found.length, 'job')}.`, {
        tone: 'done',
      })
      return onClose()
    }
    // A retry is a new request.
    change({ ...fields, projectIds: failed.map(({ projectId }) => projectId), requestId: null, sentAs: null })
    setResults(found)
    setTried(false)
  }
  const submit = () => {
    setTried(true)
    if (missing.length > 0 || noProjects !== null || choice.missing || underWay.current) return
    underWay.current = true
    setResults([])
    send()
      .catch(() => {})
      .finally(() => (underWay.current = false))
  }
  return (
    <Dialog onClose={onClose} title={prompt.title} wide>
      <Form onSubmit={submit} error={tried} className="flex flex-col gap-4">
        <ConnectionField
          choice={choice}
          onChange={(connectionId) => change({ connectionId })}
          error={tried && choice.missing ? 'Choose a connection.' : (unchosen ?? null)}
        />
        {prompt.placeholders.map((name, index) => (
          <TextField
            key={name}
            label={name}
            spellCheck
            readOnly={run.isPending}
            data-autofocus={index === 0 ? '' : undefined}
            value={values.get(name) ?? ''}
            onChange={({ target }) => change({ values: [...new Map(values).set(name, target.value)] })}
            error={tried && missing.includes(name) ? 'Fill this in.' : null}
          />
        ))}
        <section aria-label="Preview">
          <p className="mb-1 text-sm font-medium">Preview</p>
          <div className="rounded-md border border-line bg-sunken px-3 py-2">
            <LongText className="max-h-40">{fillPrompt(prompt.text, values)}</LongText>
          </div>
        </section>
        <ProjectChoice
          connectionId={choice.value}
          known={known}
          value={chosen}
          onChange={(projectIds) => change({ projectIds })}
          error={tried ? noProjects : null}
        />
        {results.length > 0 && <RunResults results={results} />}
        <FormFailure error={failure && Object.values(failure)[0]} />
        <div className={actionsLineClass}>
          <ConnectionNote choice={choice} verb="Creates them on" />
          <Button type="submit" variant="primary" size="md" busy={run.isPending} className="ml-auto">
            {chosen.length > 1 ? `Create ${formatPlural(chosen.length, 'job')}` : 'Create job'}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
