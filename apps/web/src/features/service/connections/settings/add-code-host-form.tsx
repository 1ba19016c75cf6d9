import type { CodeHostKind } from '@docket/api-types/connection-code-hosts'
import { useState, type SubmitEvent } from 'react'
import { errorAt } from '#lib/api/api-error.ts'
import { isolate } from '#lib/text/bidi.ts'
import { Button } from '#ui/buttons/button.tsx'
import { SelectField, TextField } from '#ui/forms/field.tsx'
import { FormFailure } from '#ui/forms/form-failure.tsx'
import { toast } from '#ui/messages/toast.ts'
import { useAddCodeHost } from './code-hosts.queries.ts'

const kinds: Record<CodeHostKind, { name: string; address: string; needs: string }> = {
  github: {
    name: 'GitHub',
    address: 'https://github.com',
    needs: 'A token that can read pull requests and commit statuses.',
  },
  gitlab: { name: 'GitLab', address: 'https://gitlab.com', needs: 'A token with the scope read_api.' },
  gitea: { name: 'Gitea or Forgejo', address: '', needs: 'A token that can read repositories.' },
}

export const AddCodeHostForm = ({ connectionId, onDone }: { connectionId: string; onDone: () => void }) => {
  const { mutate, error, isPending } = useAddCodeHost(connectionId)
  const [kind, setKind] = useState<CodeHostKind>('github')
  const [url, setUrl] = useState(kinds.github.address)
  const [token, setToken] = useState('')
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (isPending) return
    mutate(
      { kind, url, token },
      {
        onSuccess: (added) => {
          toast(`Docket reads pull requests at ${isolate(new URL(added.url).host)} now.`, { tone: 'done' })
          onDone()
        },
      },
    )
  }
  const choose = (next: CodeHostKind) => {
    if (url === kinds[kind].address) setUrl(kinds[next].address)
    setKind(next)
  }
  return (
    <form onSubmit={submit} noValidate className="grid gap-4">
      <SelectField label="Kind" value={kind} onChange={({ target }) => choose(target.value as CodeHostKind)}>
        {Object.entries(kinds).map(([value, { name }]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </SelectField>
      <TextField
        label="Address"
        inputMode="url"
        value={url}
        onChange={({ target }) => setUrl(target.value)}
        error={errorAt(error, 'url')}
        hint="Where links to its pull requests begin, such as https://git.example.com."
      />
      <TextField
        label="Token"
        type="password"
        autoComplete="new-password"
        value={token}
        onChange={({ target }) => setToken(target.value)}
        error={errorAt(error, 'token')}
        hint={`${kinds[kind].needs} Stored encrypted.`}
      />
      <FormFailure error={error} fields={['url', 'token']} />
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onDone}>Cancel</Button>
        <Button type="submit" variant="primary" busy={isPending}>
          Add code host
        </Button>
      </div>
    </form>
  )
}
