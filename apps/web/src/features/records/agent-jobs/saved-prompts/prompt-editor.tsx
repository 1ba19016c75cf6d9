import type { SavedPrompt } from '@docket/api-types/saved-prompts'
import { useState } from 'react'
import { LongText } from '#features/records/agent-jobs/details/long-text.tsx'
import { PromptField } from '#features/records/agent-jobs/prompts/prompt-field.tsx'
import { findErrorAt } from '#lib/api/api-error.ts'
import { TextField, FormActions, FormFailure, Form } from '#ui/forms/form.tsx'
import { Dialog } from '#ui/overlays/dialog.tsx'
import { useChangePrompt, useSavePrompt } from './saved-prompts.queries.ts'

const fields = ['title', 'text']

type PromptEditorProps = {
  /** The current saved prompt; null for a new one. */
  prompt: SavedPrompt | null
  onClose: () => void
}

/** Form for a new or changed prompt. Shows another user's changes before it overwrites them. */
export const PromptEditor = ({ prompt, onClose }: PromptEditorProps) => {
  const [{ title, text }, setDraft] = useState({ title: prompt?.title ?? '', text: prompt?.text ?? '' })
  const [opened] = useState(prompt)
  const save = useSavePrompt()
  const change = useChangePrompt()
  const { error, isPending } = prompt === null ? save : change
  const type = (changes: Partial<SavePromptDraft>) => setDraft((before) => ({ ...before, ...changes }))
  const isStale = prompt !== null && opened !== null && prompt.version !== opened.version
  // The reader has seen the latest version once the refusal is on screen.
  const overwrites = isStale && change.isError
  const submit = () => {
    const options = { onSuccess: onClose }
    if (prompt === null || opened === null) return save.mutate({ title, text }, options)
    const { promptId } = prompt
    change.mutate({ promptId, title, text, version: overwrites ? prompt.version : opened.version }, options)
  }
  return (
    <Dialog onClose={onClose} title={prompt === null ? 'New saved prompt' : 'Edit saved prompt'} wide>
      <Form onSubmit={submit} busy={isPending} className="grid gap-4">
        <TextField
          label="Title"
          maxLength={100}
          data-autofocus
          readOnly={isPending}
          value={title}
          onChange={({ target }) => type({ title: target.value })}
          error={findErrorAt(error, 'title')}
        />
        <PromptField
          label="Prompt"
          value={text}
          onChange={(next) => type({ text: next })}
          busy={isPending}
          error={findErrorAt(error, 'text')}
          hint="Write {{page}} for a part that changes. Everyone with a role here can read this."
        />
        <FormFailure error={error} fields={fields} />
        {overwrites && (
          <section aria-label="Saved meanwhile" className="rounded-md border border-line bg-sunken px-3 py-2">
            <p className="mb-1 text-xs text-muted">
              <bdi>{prompt.changedBy}</bdi> saved “<bdi>{prompt.title}</bdi>”:
            </p>
            <LongText className="max-h-40">{prompt.text}</LongText>
          </section>
        )}
        <FormActions submit={overwrites ? 'Overwrite' : 'Save'} busy={isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  )
}

type SavePromptDraft = Pick<SavedPrompt, 'title' | 'text'>
