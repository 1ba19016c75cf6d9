import type { ConnectionSettings } from '@docket/api-types/connections'
import { useNavigate } from '@tanstack/react-router'
import { ArrowRightLeft, Gauge, GitPullRequest, Pause, Pencil, Play, Power, Trash2, Plus } from 'lucide-react'
import { useState } from 'react'
import { AvailabilityList } from '#features/service/connections/availability-matrix.tsx'
import { ConnectionCalls } from '#features/service/connections/connection-calls.tsx'
import { Fold } from '#features/service/connections/fold.tsx'
import { deploymentKindLabels, labelConnection } from '#features/service/connections/connection-state.ts'
import { isActiveConnection } from '#lib/connections/connections.ts'
import { isolateText } from '#lib/text/bidi.ts'
import { Button } from '#ui/buttons/button.tsx'
import { ConnectionName } from '#ui/connections/connection-mark.tsx'
import { MenuItem, MenuLine } from '#ui/overlays/menu-item.tsx'
import { Menu } from '#ui/overlays/menu.tsx'
import { Fact, Facts } from '#ui/records/facts.tsx'
import { StateLabel, StateMark, type Tone } from '#ui/marks/state-mark.tsx'
import { Ago, Instant } from '#ui/live/ticking.tsx'
import { toast, toastFailure } from '#ui/messages/toast.ts'
import { toastEnd, toastUndo } from '#ui/live/use-write.ts'
import { ConnectionDialog } from './connection-form.tsx'
import { countRecords, MoveRecordsDialog, RemoveConnectionDialog } from './connection-dialogs.tsx'
import { useChangeConnection, useCheckKey } from './connections.queries.ts'
import { Dialog } from '#ui/overlays/dialog.tsx'
import { CodeHostItem } from './code-host-item.tsx'
import type { CodeHostKind } from '@docket/api-types/connection-code-hosts'
import { findErrorAt } from '#lib/api/api-error.ts'
import { SelectField, TextField } from '#ui/forms/field.tsx'
import { FormActions } from '#ui/forms/form-actions.tsx'
import { FormFailure } from '#ui/forms/form-failure.tsx'
import { Form } from '#ui/forms/form.tsx'
import { Options } from '#ui/forms/options.tsx'
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

const AddCodeHostForm = ({ connectionId, onDone }: { connectionId: string; onDone: () => void }) => {
  const { mutate, error, isPending } = useAddCodeHost(connectionId)
  const [kind, setKind] = useState<CodeHostKind>('github')
  const [url, setUrl] = useState(kinds.github.address)
  const [token, setToken] = useState('')
  const submit = () => {
    mutate(
      { kind, url, token },
      {
        onSuccess: (added) => {
          toast(`Docket reads pull requests at ${isolateText(new URL(added.url).host)} now.`, { tone: 'done' })
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
    <Form onSubmit={submit} busy={isPending} className="grid gap-4">
      <SelectField label="Kind" value={kind} onChange={({ target }) => choose(target.value as CodeHostKind)}>
        <Options of={Object.entries(kinds).map(([value, { name }]) => [value, name])} />
      </SelectField>
      <TextField
        label="Address"
        inputMode="url"
        value={url}
        onChange={({ target }) => setUrl(target.value)}
        error={findErrorAt(error, 'url')}
        hint="Where links to its pull requests begin, such as https://git.example.com."
      />
      <TextField
        label="Token"
        type="password"
        autoComplete="new-password"
        value={token}
        onChange={({ target }) => setToken(target.value)}
        error={findErrorAt(error, 'token')}
        hint={`${kinds[kind].needs} Stored encrypted.`}
      />
      <FormFailure error={error} fields={['url', 'token']} />
      <FormActions submit="Add code host" busy={isPending} onCancel={onDone} />
    </Form>
  )
}

const CodeHostsDialog = ({ connection, onClose }: { connection: ConnectionSettings; onClose: () => void }) => {
  const { connectionId, name } = connection
  const codeHosts = connection.codeHosts ?? []
  const [adding, setAdding] = useState(codeHosts.length === 0)
  return (
    <Dialog open onClose={onClose} title={`Code hosts of ${isolateText(name)}`}>
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
          <Button className="justify-self-start" onClick={() => setAdding(true)}>
            <Plus className="size-4" aria-hidden="true" />
            Add a code host
          </Button>
        )}
      </div>
    </Dialog>
  )
}

type CardProps = {
  connection: ConnectionSettings
  connections: readonly ConnectionSettings[]
  keyFiles: readonly string[] | null
}
/** Notes about a connection that is not in use, and about the embedded service. Its records show everything else. */
const explainUse = ({ kind, use, useReason, embedded }: ConnectionSettings): string | null => {
  if (embedded) {
    const from = embedded.on === (use !== 'gone') ? '' : ' after the next restart of Docket'
    return `${embedded.on ? 'On' : 'Off'}${from}, because ${embedded.because}.`
  }
  if (kind === 'unassigned') return 'Records from before connections. Move them to the service that created them.'
  return use === 'gone' || use === 'unusable' ? useReason : null
}

const isEditable = ({ kind, use }: ConnectionSettings) => kind !== 'unassigned' && use !== 'gone'

type Open = 'edit' | 'codeHosts' | 'remove' | 'move'

const sources = { environment: 'From Docket’s environment', settings: 'Added in Settings', docket: 'Created by Docket' }
const outcomes: Record<'proven' | 'rejected' | 'not_proven', { tone: Tone; word: string }> = {
  proven: { tone: 'done', word: 'Accepted' },
  rejected: { tone: 'failed', word: 'Rejected' },
  not_proven: { tone: 'attention', word: 'Inconclusive' },
}

const KeyFacts = ({ connection: { key, readKey, keyHealth } }: { connection: ConnectionSettings }) => {
  const { firstUsedAt, lastAcceptedAt, lastRejectedAt, check, expiresOn } = keyHealth
  const where = {
    environment: 'From Docket’s environment',
    stored: 'Stored encrypted',
    file: `File ${key.file}`,
    none: null,
  }
  return (
    <>
      <Fact name="Key">
        {where[key.from]}
        {readKey.from !== 'none' && ', with a read key'}
      </Fact>
      <Fact name="First used">{firstUsedAt && <Instant at={firstUsedAt} />}</Fact>
      <Fact name="Last accepted">{lastAcceptedAt && <Ago at={lastAcceptedAt} />}</Fact>
      <Fact name="Last rejected">{lastRejectedAt && <Ago at={lastRejectedAt} />}</Fact>
      <Fact name="Last test">
        {check && (
          <>
            <StateLabel tone={outcomes[check.outcome].tone}>{outcomes[check.outcome].word}</StateLabel>{' '}
            <span className="text-muted">
              <Ago at={check.at} />
            </span>
          </>
        )}
      </Fact>
      <Fact name="Key expires">{expiresOn}</Fact>
    </>
  )
}

const ConnectionCommands = ({
  connection,
  onOpen,
}: {
  connection: ConnectionSettings
  onOpen: (open: Open) => void
}) => {
  const navigate = useNavigate()
  const change = useChangeConnection()
  const { connectionId, name, kind, use, source, embedded } = connection
  const editable = isEditable(connection)
  const isPaused = use === 'paused'
  const pause = (paused: boolean) => {
    const command = change.mutateAsync({ connectionId, paused })
    if (!paused) return toastEnd(command, `${isolateText(name)} resumed.`)
    toastUndo(command, `${isolateText(name)} is paused. Docket makes no calls to it.`, async () => pause(false))
  }
  const switchTo = (switchedOn: boolean) =>
    toastEnd(change.mutateAsync({ connectionId, switchedOn }), `Saved ${isolateText(name)}.`)
  return (
    <>
      <MenuItem
        icon={<Gauge />}
        onSelect={() => void navigate({ to: '/settings/connection', search: { connection: connectionId } })}
      >
        Calls and checks
      </MenuItem>
      {editable && (
        <>
          <MenuItem icon={<Pencil />} onSelect={() => onOpen('edit')}>
            Edit…
          </MenuItem>
          <MenuItem icon={<GitPullRequest />} onSelect={() => onOpen('codeHosts')}>
            Code hosts…
          </MenuItem>
          <MenuItem icon={isPaused ? <Play /> : <Pause />} onSelect={() => pause(!isPaused)}>
            {isPaused ? 'Resume' : 'Pause'}
          </MenuItem>
        </>
      )}
      {embedded?.isFixed === false && (
        <MenuItem icon={<Power />} onSelect={() => switchTo(!embedded.on)}>
          {embedded.on ? 'Switch off' : 'Switch on'}
        </MenuItem>
      )}
      {kind === 'unassigned' && (
        <MenuItem icon={<ArrowRightLeft />} onSelect={() => onOpen('move')}>
          Move records…
        </MenuItem>
      )}
      {source === 'settings' && editable && (
        <>
          <MenuLine />
          <MenuItem icon={<Trash2 />} danger onSelect={() => onOpen('remove')}>
            Remove…
          </MenuItem>
        </>
      )}
    </>
  )
}

const CheckButton = ({ connection: { connectionId, name } }: { connection: ConnectionSettings }) => {
  const { mutate, isPending } = useCheckKey()
  const check = () =>
    mutate(connectionId, {
      // Banner or card say why.
      onSuccess: ({ outcome }) =>
        toast(`${isolateText(name)}: key ${outcomes[outcome].word.toLowerCase()}.`, {
          tone: outcome === 'proven' ? 'done' : 'failed',
        }),
      onError: toastFailure(`Could not test the key of ${isolateText(name)}.`),
    })
  return (
    <Button busy={isPending} onClick={check}>
      Test the key<span className="sr-only"> of {name}</span>
    </Button>
  )
}

/** State of a connection, or that a person's test left its key unproven and nothing has accepted it since. */
const describeHealth = (connection: ConnectionSettings) => {
  const { keyHealth, kind, use } = connection
  const { check, lastAcceptedAt } = keyHealth
  const label = labelConnection(connection)
  if (kind !== 'service' || use !== 'active') return { ...label, at: null, why: explainUse(connection) }
  if (label.trouble) return { ...label, at: null, why: null }
  const isUnproven = check !== null && check.outcome !== 'proven' && (lastAcceptedAt ?? '') < check.at
  if (!isUnproven) return { ...label, at: lastAcceptedAt, why: null }
  const { tone, word } = outcomes[check.outcome]
  return { tone, word: `Key ${word.toLowerCase()}`, at: null, why: check.message }
}

const HealthLine = ({ connection }: { connection: ConnectionSettings }) => {
  const { kind, baseUrl, embedded } = connection
  const { tone, word, at, why } = describeHealth(connection)
  return (
    <div className="mt-0.5 text-sm text-muted">
      <p className="flex flex-wrap items-center gap-x-2">
        {embedded ? (
          <span className="flex gap-2">
            <StateMark tone={tone} className="mt-0.5 size-4" /> {why}
          </span>
        ) : (
          <StateLabel tone={tone}>{word}</StateLabel>
        )}
        {at && (
          <span>
            key accepted <Ago at={at} />
          </span>
        )}
        {kind !== 'embedded' && baseUrl && <code className="font-mono text-xs wrap-anywhere">{baseUrl}</code>}
      </p>
      {!embedded && why && <p className="mt-1 wrap-anywhere">{why}</p>}
    </div>
  )
}

export const ConnectionCard = ({ connection, connections, keyFiles }: CardProps) => {
  const [open, setOpen] = useState<Open | null>(null)
  const close = () => setOpen(null)
  const { connectionId, name, colour, production, kind, use, records, deploymentKind } = connection
  return (
    <article aria-label={name} className="panel p-5 pb-2">
      <div className="mb-4 flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-56">
          <h3 className="text-base font-semibold">
            <ConnectionName {...{ name, colour, production }} />
          </h3>
          <HealthLine connection={connection} />
        </div>
        <div className="flex items-center gap-1.5">
          {kind === 'service' && use === 'active' && <CheckButton connection={connection} />}
          <Menu label={`More for ${name}`}>
            <ConnectionCommands connection={connection} onOpen={setOpen} />
          </Menu>
        </div>
      </div>
      {isActiveConnection(connection) && <ConnectionCalls connectionId={connectionId} />}
      {kind === 'service' && (
        <Fold title="What this deployment offers">
          <AvailabilityList kind={deploymentKind} />
        </Fold>
      )}
      <Fold title="Details">
        <Facts>
          <Fact name="Source">{sources[connection.source]}</Fact>
          {kind === 'service' && connection.key.from !== 'none' && <KeyFacts connection={connection} />}
          <Fact name="Deployment kind">{kind === 'service' && deploymentKindLabels[deploymentKind]}</Fact>
          <Fact name="Agent jobs">
            {kind !== 'unassigned' && (connection.agentJobCreation ? 'Create and follow' : 'Follow only')}
          </Fact>
          <Fact name="Code hosts">
            {connection.codeHosts?.length
              ? connection.codeHosts.map(({ codeHostId, url, problem }) => (
                  <span key={codeHostId} className="block wrap-anywhere">
                    <bdi>{new URL(url).host}</bdi>
                    {problem !== null && <span className="text-attention"> needs attention</span>}
                  </span>
                ))
              : null}
          </Fact>
          <Fact name="Records">{countRecords(records)}</Fact>
        </Facts>
      </Fold>
      {open === 'edit' && <ConnectionDialog connection={connection} keyFiles={keyFiles} onDone={close} />}
      {open === 'codeHosts' && <CodeHostsDialog connection={connection} onClose={close} />}
      {open === 'remove' && <RemoveConnectionDialog connection={connection} onClose={close} />}
      {open === 'move' && <MoveRecordsDialog connection={connection} connections={connections} onClose={close} />}
    </article>
  )
}
