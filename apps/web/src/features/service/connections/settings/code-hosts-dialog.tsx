import type { CodeHostKind, ConnectionCodeHost } from '@docket/api-types/connection-code-hosts'
import type { ConnectionSettings } from '@docket/api-types/connections'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { findErrorAt } from '#lib/api/api-error.ts'
import { isolateText } from '#lib/text/format.ts'
import { Button } from '#ui/buttons/button.tsx'
import {
  bindDraft,
  bindText,
  Form,
  FormActions,
  FormFailure,
  Options,
  SelectField,
  TextField,
} from '#ui/forms/form.tsx'
import { Ago, Instant } from '#ui/live/ticking.tsx'
import { StateLabel } from '#ui/marks/state-mark.tsx'
import { toast, toastDone, toastFailure } from '#ui/messages/toast.ts'
import { Dialog } from '#ui/overlays/dialog.tsx'
import { useAddCodeHost, useRemoveCodeHost, useReplaceToken, useTestToken } from './connections.queries.ts'

type ItemProps = { connectionId: string; codeHost: ConnectionCodeHost }

const ReplaceTokenForm = ({ connectionId, codeHost, onDone }: ItemProps & { onDone: () => void }) => {
  const { mutate, error, isPending } = useReplaceToken({ connectionId, codeHostId: codeHost.codeHostId })
  const [token, setToken] = useState('')
  const submit = () => mutate(token, { onSuccess: toastDone('Replaced the token.', onDone) })
  return (
    <Form onSubmit={submit} busy={isPending} className="mt-3 grid gap-3">
      <TextField
        label="New token"
        type="password"
        autoComplete="new-password"
        autoFocus
        {...bindText(token, setToken)}
        error={findErrorAt(error, 'token')}
      />
      <FormFailure error={error} fields={['token']} />
      <FormActions submit="Replace token" busy={isPending} onCancel={onDone} />
    </Form>
  )
}

const RemoveCodeHostQuestion = ({ connectionId, codeHost, onDone }: ItemProps & { onDone: () => void }) => {
  const { mutateAsync, error, isPending } = useRemoveCodeHost({ connectionId, codeHostId: codeHost.codeHostId })
  return (
    <div className="mt-3 grid gap-3">
      <p className="text-sm text-muted">Docket deletes the token and no longer checks open pull requests there.</p>
      <FormFailure error={error} />
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onDone} autoFocus>
          Keep it
        </Button>
        <Button
          variant="danger"
          busy={isPending}
          onClick={() => void mutateAsync().then(toastDone('Removed the code host.'), () => undefined)}
        >
          Remove code host
        </Button>
      </div>
    </div>
  )
}

const CodeHostItem = ({ connectionId, codeHost }: ItemProps) => {
  const [open, setOpen] = useState<'replace' | 'remove' | null>(null)
  const { codeHostId, url, from, answeredAt, problem, pausedUntil } = codeHost
  const { mutate, isPending } = useTestToken({ connectionId, codeHostId })
  const test = () =>
    mutate(undefined, {
      onSuccess: ({ outcome, message }) => toast(message, { tone: outcome === 'accepted' ? 'done' : 'failed' }),
      onError: toastFailure(`Could not test the token for ${isolateText(url)}.`),
    })
  const name = <span className="sr-only"> for {url}</span>
  return (
    <li className="rounded-md border border-line p-3">
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <bdi className="min-w-0 font-mono text-sm wrap-anywhere">{url}</bdi>
        {problem !== null && <StateLabel tone="attention">Needs attention</StateLabel>}
        {problem === null && answeredAt === null && <StateLabel tone="waiting">Not used yet</StateLabel>}
        {problem === null && answeredAt !== null && (
          <span className="text-sm text-muted">
            <StateLabel tone="done">Accepted</StateLabel> <Ago at={answeredAt} />
          </span>
        )}
      </div>
      {problem && (
        <p dir="auto" className="mt-1 text-sm text-attention wrap-anywhere">
          {problem}
        </p>
      )}
      {pausedUntil && (
        <p className="mt-1 text-sm text-muted">
          Paused until <Instant at={pausedUntil} />
        </p>
      )}
      {from === 'environment' && <p className="mt-1 text-sm text-muted">Token from LOCAL_CODE_HOST_TOKEN</p>}
      {open === null && (
        <div className="mt-3 flex flex-wrap gap-2">
          <Button busy={isPending} onClick={test}>
            Test the token{name}
          </Button>
          {from === 'stored' && (
            <>
              <Button onClick={() => setOpen('replace')}>Replace the token{name}</Button>
              <Button onClick={() => setOpen('remove')}>Remove{name}</Button>
            </>
          )}
        </div>
      )}
      {open === 'replace' && <ReplaceTokenForm {...{ connectionId, codeHost }} onDone={() => setOpen(null)} />}
      {open === 'remove' && <RemoveCodeHostQuestion {...{ connectionId, codeHost }} onDone={() => setOpen(null)} />}
    </li>
  )
}

const kinds: Record<CodeHostKind, { name: string; address: string; needs: string }> = {
  github: {
    name: 'GitHub',
    address: 'https://github.com',
    needs: 'A token that can read pull requests and commit statuses.',
  },
  gitlab: { name: 'GitLab', address: 'https://gitlab.com', needs: 'A token with the scope read_api.' },
  gitea: { name: 'Gitea or Forgejo', address: '', needs: 'A token that can read repositories.' },
}

const AddCodeHostForm = ({ connectionId, onDone }: { connectionId: string; onDone: () => void }) => {
  const { mutate, error, isPending } = useAddCodeHost(connectionId)
  const [draft, setDraft] = useState({ kind: 'github' as CodeHostKind, url: kinds.github.address, token: '' })
  const { kind, url } = draft
  const type = (changes: Partial<typeof draft>) => setDraft({ ...draft, ...changes })
  const { text } = bindDraft(draft, type, (field) => findErrorAt(error, field))
  const submit = () =>
    mutate(draft, {
      onSuccess: toastDone(
        (added) => `Docket reads pull requests at ${isolateText(new URL(added.url).host)} now.`,
        onDone,
      ),
    })
  const choose = (next: CodeHostKind) =>
    type({ kind: next, ...(url === kinds[kind].address && { url: kinds[next].address }) })
  return (
    <Form onSubmit={submit} busy={isPending} className="grid gap-4">
      <SelectField label="Kind" value={kind} onChange={({ target }) => choose(target.value as CodeHostKind)}>
        <Options of={Object.entries(kinds).map(([value, { name }]) => [value, name])} />
      </SelectField>
      <TextField
        label="Address"
        inputMode="url"
        {...text('url')}
        hint="Where links to its pull requests begin, such as https://git.example.com."
      />
      <TextField
        label="Token"
        type="password"
        autoComplete="new-password"
        {...text('token')}
        hint={`${kinds[kind].needs} Stored encrypted.`}
      />
      <FormFailure error={error} fields={['url', 'token']} />
      <FormActions submit="Add code host" busy={isPending} onCancel={onDone} />
    </Form>
  )
}

export const CodeHostsDialog = ({ connection, onClose }: { connection: ConnectionSettings; onClose: () => void }) => {
  const { connectionId, name } = connection
  const codeHosts = connection.codeHosts ?? []
  const [adding, setAdding] = useState(codeHosts.length === 0)
  return (
    <Dialog onClose={onClose} title={`Code hosts of ${isolateText(name)}`}>
      <div className="grid gap-4">
        <p className="text-sm text-muted">
          With a token, Docket checks whether pull requests were merged or closed. It only reads.
        </p>
        {codeHosts.length > 0 && (
          <ul className="grid gap-3">
            {codeHosts.map((codeHost) => (
              <CodeHostItem key={codeHost.codeHostId} {...{ connectionId, codeHost }} />
            ))}
          </ul>
        )}
        {adding ? (
          <AddCodeHostForm connectionId={connectionId} onDone={() => setAdding(false)} />
        ) : (
          <Button icon={Plus} className="justify-self-start" onClick={() => setAdding(true)}>
            Add a code host
          </Button>
        )}
      </div>
    </Dialog>
  )
}
