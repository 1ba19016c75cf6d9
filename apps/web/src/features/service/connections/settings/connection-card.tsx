import type { Connection, ConnectionSettings } from '@docket/api-types/connections'
import type { Status } from '@docket/api-types/status'
import { ArrowRightLeft, GitPullRequest, LifeBuoy, Pause, Pencil, Play, Power, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { AvailabilityList } from '#features/service/connections/availability-list.tsx'
import { ConnectionCalls, type LinkToRecord } from '#features/service/connections/connection-calls.tsx'
import { deploymentKindLabels, labelConnection } from '#features/service/connections/connection-state.ts'
import { useStatus } from '#features/service/connections/connection.queries.ts'
import { Fold } from '#features/service/connections/fold.tsx'
import { explainReadOnly, isActiveConnection } from '#lib/connections/connections.ts'
import { isolateText } from '#lib/text/format.ts'
import { Button } from '#ui/buttons/button.tsx'
import { ConnectionName } from '#ui/connections/connections.tsx'
import { copyForSupport } from '#ui/copying/copy.ts'
import { Ago, Instant } from '#ui/live/ticking.tsx'
import { toastEnd, toastUndo } from '#ui/live/use-write.ts'
import { StateLabel, StateMark, type Tone } from '#ui/marks/state-mark.tsx'
import { toast, toastFailure } from '#ui/messages/toast.ts'
import { MenuItem, MenuLine, Menu } from '#ui/overlays/menu.tsx'
import { Fact, Facts } from '#ui/records/facts.tsx'
import { CodeHostsDialog } from './code-hosts-dialog.tsx'
import { countRecords, MoveRecordsDialog, RemoveConnectionDialog } from './connection-dialogs.tsx'
import { ConnectionDialog } from './connection-form.tsx'
import { useChangeConnection, useCheckKey } from './connections.queries.ts'
import { LearntAnswers } from './learnt-answers.tsx'

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
      {(kind === 'unassigned' || (kind === 'service' && use === 'gone')) && (
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
const describeHealth = (connection: Connection, settings: ConnectionSettings | null) => {
  const { kind, use } = connection
  const label = labelConnection(connection)
  if (kind !== 'service' || use !== 'active' || !settings)
    return { ...label, at: null, why: settings ? explainUse(settings) : explainReadOnly(connection) }
  const { check, lastAcceptedAt } = settings.keyHealth
  if (label.trouble) return { ...label, at: null, why: null }
  const isUnproven = check !== null && check.outcome !== 'proven' && (lastAcceptedAt ?? '') < check.at
  if (!isUnproven) return { ...label, at: lastAcceptedAt, why: null }
  const { tone, word } = outcomes[check.outcome]
  return { tone, word: `Key ${word.toLowerCase()}`, at: null, why: check.message }
}

type HealthProps = { connection: Connection; settings: ConnectionSettings | null; address: string | null }

const HealthLine = ({ connection, settings, address }: HealthProps) => {
  const embedded = settings?.embedded
  const { tone, word, at, why } = describeHealth(connection, settings)
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
        {connection.kind !== 'embedded' && address && (
          <code className="font-mono text-xs wrap-anywhere">{address}</code>
        )}
      </p>
      {!embedded && why && <p className="mt-1 wrap-anywhere">{why}</p>}
    </div>
  )
}

const copyConnectionFacts = (
  { state, since, kind, deploymentKind }: Connection,
  { connection, version, bundleDelivery, watching, active }: Status,
) =>
  copyForSupport('connection', {
    version,
    kind,
    'deployment kind': deploymentKind,
    downloads: bundleDelivery,
    state,
    since,
    'last successful call': connection.lastOkAt,
    polls: watching.polls ? 'yes' : 'no',
    'held back': watching.heldBack,
    'held back until': watching.until,
    'watched now': `${active.staticExports} exports, ${active.agentJobs} agent jobs`,
  })

const delivery = {
  stream: 'Streamed through Docket',
  redirect: 'Directly from the service’s storage',
}

/** Facts that only admins see. */
const SettingsFacts = ({ settings }: { settings: ConnectionSettings }) => (
  <>
    <Fact name="Source">{sources[settings.source]}</Fact>
    {settings.kind === 'service' && settings.key.from !== 'none' && <KeyFacts connection={settings} />}
    <Fact name="Extra headers">{settings.headerNames?.join(', ')}</Fact>
    <Fact name="Client certificate expires">{settings.clientCertificateExpiresOn}</Fact>
    <Fact name="Code hosts">
      {settings.codeHosts?.length
        ? settings.codeHosts.map(({ codeHostId, url, problem }) => (
            <span key={codeHostId} className="block wrap-anywhere">
              <bdi>{new URL(url).host}</bdi>
              {problem !== null && <span className="text-attention"> needs attention</span>}
            </span>
          ))
        : null}
    </Fact>
    <Fact name="Records">{countRecords(settings.records)}</Fact>
  </>
)

type CardProps = {
  connection: Connection | ConnectionSettings
  connections: readonly (Connection | ConnectionSettings)[]
  keyFiles: readonly string[] | null
  linkTo: LinkToRecord
}

/** A connection. Admins see its settings and commands, too. */
export const ConnectionCard = ({ connection, connections, keyFiles, linkTo }: CardProps) => {
  const [open, setOpen] = useState<Open | null>(null)
  const { data: status } = useStatus()
  const close = () => setOpen(null)
  const { connectionId, name, colour, production, kind, use, deploymentKind } = connection
  const settings = 'keyHealth' in connection ? connection : null
  // The status describes the service of the first active connection only.
  const isFirst = status?.connections.find(isActiveConnection)?.connectionId === connectionId
  const first = (isFirst && status?.connection) || null
  return (
    <article aria-label={name} className="panel p-5 pb-2">
      <div className="mb-4 flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-56">
          <h3 className="text-base font-semibold">
            <ConnectionName {...{ name, colour, production }} />
          </h3>
          <HealthLine {...{ connection, settings }} address={settings ? settings.baseUrl : (first?.origin ?? null)} />
        </div>
        <div className="flex items-center gap-1.5">
          {settings && kind === 'service' && use === 'active' && <CheckButton connection={settings} />}
          <Menu label={`More for ${name}`}>
            {status && (
              <MenuItem icon={<LifeBuoy />} onSelect={() => void copyConnectionFacts(connection, status)}>
                Copy for support
              </MenuItem>
            )}
            {settings && <ConnectionCommands connection={settings} onOpen={setOpen} />}
          </Menu>
        </div>
      </div>
      {isActiveConnection(connection) && <ConnectionCalls {...{ connectionId, linkTo }} />}
      {kind === 'service' && (
        <Fold title="What this deployment offers">
          <AvailabilityList kind={deploymentKind} />
        </Fold>
      )}
      <Fold title="Details">
        <Facts>
          <Fact name="Since">{connection.since && <Instant at={connection.since} />}</Fact>
          <Fact name="Last successful call">
            {first && (first.lastOkAt ? <Ago at={first.lastOkAt} /> : 'None yet')}
          </Fact>
          <Fact name="Sites">{kind === 'embedded' && status?.local?.domains.join(', ')}</Fact>
          <Fact name="Deployment kind">{kind === 'service' && deploymentKindLabels[deploymentKind]}</Fact>
          <Fact name="Downloads">{status && delivery[status.bundleDelivery]}</Fact>
          <Fact name="Agent jobs">
            {kind !== 'unassigned' &&
              (connection.agentJobCreation ? 'Create, and add by job ID' : 'Add by job ID only')}
          </Fact>
          {settings && <SettingsFacts settings={settings} />}
        </Facts>
        {settings && kind === 'service' && use !== 'gone' && <LearntAnswers settings={settings} />}
      </Fold>
      {settings && open === 'edit' && <ConnectionDialog connection={settings} keyFiles={keyFiles} onDone={close} />}
      {settings && open === 'codeHosts' && <CodeHostsDialog connection={settings} onClose={close} />}
      {settings && open === 'remove' && <RemoveConnectionDialog connection={settings} onClose={close} />}
      {settings && open === 'move' && <MoveRecordsDialog connection={settings} {...{ connections }} onClose={close} />}
    </article>
  )
}
