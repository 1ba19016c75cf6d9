import { useState, type SubmitEvent } from 'react'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { TextField } from '#ui/field.tsx'
import { Notice } from '#ui/notice.tsx'
import { useCreateToken } from './api-tokens.queries.ts'
import { Choices } from './token-choices.tsx'
import { emptyDraft, errorAt, errorBeside, toRequest, type TokenDraft } from './token-form.ts'
import { Expiry, Restriction } from './token-limits.tsx'
import { TokenShown } from './token-shown.tsx'

const CreateTokenForm = ({ onDone }: { onDone: () => void }) => {
  const [draft, setDraft] = useState(emptyDraft)
  const [mistake, setMistake] = useState<string | null>(null)
  const { mutate, reset, data, error, isPending } = useCreateToken()
  const change = (changes: Partial<TokenDraft>) => setDraft((before) => ({ ...before, ...changes }))
  if (data) return <TokenShown token={data.token} name={data.apiToken.name} onDone={onDone} />
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (isPending) return
    const request = toRequest(draft)
    setMistake(typeof request === 'string' ? request : null)
    // Hides the previous failure.
    if (typeof request === 'string') reset()
    else mutate(request)
  }
  const failure = mistake ?? errorBeside(error)
  return (
    <form onSubmit={submit} noValidate className="grid gap-4">
      <TextField
        label="Name"
        data-autofocus
        hint="What will use it, such as “Nightly export of the handbook”."
        value={draft.name}
        onChange={({ target }) => change({ name: target.value })}
        error={errorAt(error, 'name')}
      />
      <Choices
        legend="It may"
        options={[
          {
            label: 'Operate',
            hint: 'start, download and follow, as operators do',
            chosen: draft.scope === 'operate',
            choose: () => change({ scope: 'operate' }),
          },
          {
            label: 'Read',
            hint: 'look, as viewers do',
            chosen: draft.scope === 'read',
            choose: () => change({ scope: 'read' }),
          },
        ]}
      />
      <Restriction draft={draft} change={change} error={error} />
      <Expiry draft={draft} change={change} />
      {failure !== null && (
        <Notice tone="failed" role="alert">
          {failure}
        </Notice>
      )}
      <Button type="submit" variant="primary" busy={isPending} className="justify-self-end">
        Create token
      </Button>
    </form>
  )
}

/** Creates a token and shows it once. */
export const CreateTokenDialog = ({ open, onClose }: { open: boolean; onClose: () => void }) => (
  <Dialog open={open} onClose={onClose} title="Create an API token" wide>
    <CreateTokenForm onDone={onClose} />
  </Dialog>
)
