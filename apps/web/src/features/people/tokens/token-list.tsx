import { useQuery } from '@tanstack/react-query'
import { KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import { findErrorAt, findErrorBeside } from '#lib/api/api-error.ts'
import type { NamedConnection } from '#lib/people/named-places.ts'
import { isolateText } from '#lib/text/format.ts'
import { Button } from '#ui/buttons/button.tsx'
import { SecretPanel } from '#ui/copying/secret-panel.tsx'
import { Choices } from '#ui/forms/choices.tsx'
import { bindDraft, TextField, Checkbox, Form, FormFailure } from '#ui/forms/form.tsx'
import { EmptyState, Skeleton, ReadState } from '#ui/layout/page.tsx'
import { Notice } from '#ui/messages/notice.tsx'
import { Dialog } from '#ui/overlays/dialog.tsx'
import { tokensQuery, useCreateToken } from './api-tokens.queries.ts'
import { emptyDraft, toTokenRequest, type TokenDraft } from './token-form.ts'
import { ExpiryField, Restriction } from './token-limits.tsx'
import { TokenRow } from './token-row.tsx'
import type { TokenSiteChoice } from './token-sites.ts'

/** Shows a new token; only its hash is stored. */
const NewTokenPanel = ({ token, name, onDone }: { token: string; name: string; onDone: () => void }) => (
  <SecretPanel what="token" text={token} onDone={onDone}>
    <Notice tone="attention" title={`Copy the token “${isolateText(name)}” now`}>
      It is shown only now. Anyone who has it can use it: store it as a secret, such as a masked CI variable.
    </Notice>
  </SecretPanel>
)

type Offered = { connections: readonly NamedConnection[]; sites: readonly TokenSiteChoice[] }

const CreateTokenForm = ({ connections, sites, onDone }: Offered & { onDone: () => void }) => {
  const [draft, setDraft] = useState(emptyDraft)
  const [mistake, setMistake] = useState<string | null>(null)
  const { mutate, reset, data, error, isPending } = useCreateToken()
  const change = (changes: Partial<TokenDraft>) => setDraft((before) => ({ ...before, ...changes }))
  if (data) return <NewTokenPanel token={data.token} name={data.apiToken.name} onDone={onDone} />
  const submit = () => {
    const request = toTokenRequest(draft)
    setMistake(typeof request === 'string' ? request : null)
    // Hides the previous failure.
    if (typeof request === 'string') reset()
    else mutate(request)
  }
  const { text, flag } = bindDraft(draft, change, (name) => findErrorAt(error, name))
  const failure = mistake ?? findErrorBeside(error, ['name', 'domains', 'projectIds', 'sites'])
  return (
    <Form onSubmit={submit} busy={isPending} className="grid gap-4">
      <TextField label="Name" data-autofocus hint="For example, “Nightly handbook export”." {...text('name')} />
      <Choices
        legend="Permissions"
        options={[
          { value: 'operate', label: 'Operate', hint: 'like an operator: start, download and add jobs' },
          { value: 'read', label: 'Read', hint: 'like a viewer' },
        ]}
        value={draft.scope}
        onChange={(scope) => change({ scope })}
      />
      {draft.scope === 'operate' && (
        <Checkbox
          label="May prompt agents"
          hint="Create agent jobs with your own words, and send follow-ups."
          {...flag('mayPrompt')}
        />
      )}
      <Restriction draft={draft} change={change} error={error} connections={connections} sites={sites} />
      <ExpiryField draft={draft} change={change} />
      <FormFailure error={failure} />
      <Button type="submit" variant="primary" busy={isPending} className="justify-self-end">
        Create token
      </Button>
    </Form>
  )
}

const row =
  'grid min-h-18 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-5 gap-y-1.5 px-4 py-3 text-sm sm:grid-cols-[minmax(0,1.3fr)_minmax(0,1fr)_minmax(0,1fr)_6rem]'

export const TokenList = ({ connections, sites }: Offered) => {
  const query = useQuery(tokensQuery)
  const { data } = query
  const [creating, setCreating] = useState(false)
  const create = (
    <Button icon={Plus} variant="primary" onClick={() => setCreating(true)}>
      Create token
    </Button>
  )
  const items = data?.items ?? []
  return (
    <section aria-labelledby="tokens-heading">
      <div className="mb-3 flex min-h-8 items-center justify-between gap-4">
        <h2 id="tokens-heading" className="text-base font-semibold">
          API tokens
        </h2>
        {items.length > 0 && create}
      </div>
      <ReadState query={query} waiting={<Skeleton className="h-40 w-full" />} />
      {data && items.length === 0 && (
        <EmptyState panel icon={<KeyRound strokeWidth={1.5} />} title="No tokens yet" action={create}>
          Use tokens to call Docket from CI and scripts.
        </EmptyState>
      )}
      {items.length > 0 && (
        <ul className="panel divide-y divide-line">
          {items.map((token) => (
            <li key={token.tokenId} className={`${row} ${token.state === 'active' ? '' : 'bg-sunken'}`}>
              <TokenRow token={token} connections={connections} sites={sites} />
            </li>
          ))}
        </ul>
      )}
      {creating && (
        <Dialog onClose={() => setCreating(false)} title="Create API token" wide>
          <CreateTokenForm {...{ connections, sites }} onDone={() => setCreating(false)} />
        </Dialog>
      )}
    </section>
  )
}
