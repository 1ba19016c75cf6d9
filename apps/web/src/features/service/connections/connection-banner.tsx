import type { Connection } from '@docket/api-types/connections'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, type ReactNode } from 'react'
import { isNotSignedIn, toMessage, type ApiError } from '#lib/api/api-error.ts'
import { isActiveConnection, findConnection } from '#lib/connections/connections.ts'
import { isolateText } from '#lib/text/format.ts'
import { Button } from '#ui/buttons/button.tsx'
import { useNoService } from '#ui/connections/connections.tsx'
import { useRefusal } from '#ui/forms/use-refusal.ts'
import { useConnectivityFailure } from '#ui/live/connectivity-context.ts'
import { Ago } from '#ui/live/ticking.tsx'
import { toastEnd } from '#ui/live/use-write.ts'
import { Notice } from '#ui/messages/notice.tsx'
import { lazyDialog } from '#ui/overlays/lazy.tsx'
import { labelConnection, titleWithConnection } from './connection-state.ts'
import { useStatus } from './connection.queries.ts'
import { NoServiceAdvice } from './no-service.tsx'
import { useChangeConnection } from './settings/connections.queries.ts'

const MoveRecordsDialog = lazyDialog(async () => (await import('./settings/connection-dialogs.tsx')).MoveRecordsDialog)

type SuccessorQuestionProps = { connection: Connection; connections: readonly Connection[] }

/** Asks an admin whether the service at a new `ADMIN_API_URL` is the one at the old address. */
const SuccessorQuestion = ({ connection, connections }: SuccessorQuestionProps) => {
  const [isOpen, setIsOpen] = useState(false)
  const { mutateAsync, isPending } = useChangeConnection()
  const { connectionId, name, successorId } = connection
  const next = findConnection(connections, successorId ?? undefined)
  if (next === null) return null
  const settle = () =>
    toastEnd(mutateAsync({ connectionId, sameService: false }), `The records of ${isolateText(name)} stay read-only.`)
  return (
    <Notice tone="attention" title="ADMIN_API_URL changed" role="status">
      <p>
        Is {isolateText(next.name)} the same service as {isolateText(name)}? Until you say so, the records of{' '}
        {isolateText(name)} stay read-only.
      </p>
      <div className="mt-2 flex flex-wrap gap-2">
        <Button onClick={() => setIsOpen(true)}>The same service moved…</Button>
        <Button busy={isPending} onClick={settle}>
          Another service
        </Button>
      </div>
      {isOpen && <MoveRecordsDialog {...{ connection, connections }} onClose={() => setIsOpen(false)} />}
    </Notice>
  )
}

const ReplaceKeyDialog = lazyDialog(async () => (await import('./settings/connection-dialogs.tsx')).ReplaceKeyDialog)

const ReplaceKeyButton = ({ connection }: { connection: Connection }) => {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>Replace key</Button>
      {isOpen && <ReplaceKeyDialog connection={connection} onClose={() => setIsOpen(false)} />}
    </>
  )
}

type TroubleProps = { connection: Connection; lastOkAt: string | null; several: boolean }

const TroubleNotice = ({ connection, lastOkAt, several }: TroubleProps) => {
  const { tone, title, remedy, trouble } = labelConnection(connection)
  const { name, since, keyWarning } = connection
  const isAdmin = useRefusal('admin') === null
  const isReplaceable = connection.state === 'key_rejected' && connection.source === 'settings'
  return (
    <>
      {trouble && (
        <Notice
          tone={tone === 'failed' ? 'failed' : 'attention'}
          title={several ? titleWithConnection(title, name) : title}
          role="status"
          action={isReplaceable && isAdmin && <ReplaceKeyButton connection={connection} />}
        >
          {isReplaceable
            ? `It has expired, was revoked, or belongs to another service.${isAdmin ? '' : ' Ask an admin to replace it.'}`
            : remedy}{' '}
          {since && (
            <>
              First seen <Ago at={since} />.{' '}
            </>
          )}
          {lastOkAt && (
            <>
              Last successful call <Ago at={lastOkAt} />.
            </>
          )}
        </Notice>
      )}
      {keyWarning && (
        <Notice tone="attention" title={several ? isolateText(name) : 'Access to the service'} role="status">
          {keyWarning}
        </Notice>
      )}
    </>
  )
}

type UnreachedProps = { failure: ApiError; children: ReactNode }

// Reads are retried after half a second, so a single lost response is not reported.
const graceMs = 600

const UnreachedNotice = ({ failure, children }: UnreachedProps) => {
  const client = useQueryClient()
  const [due, setDue] = useState(!navigator.onLine)
  useEffect(() => {
    const timer = setTimeout(() => setDue(true), graceMs)
    return () => clearTimeout(timer)
  }, [])
  const title = 'Docket isn’t responding'
  if (!due) return null
  return (
    <Notice
      tone="failed"
      role="status"
      title={navigator.onLine ? title : 'This device is offline'}
      action={<Button onClick={() => void client.refetchQueries({ type: 'active' })}>Try now</Button>}
    >
      {navigator.onLine ? failure.message.replace(`${title}. `, '') : 'Docket reconnects when the network is back.'}{' '}
      {children}
    </Notice>
  )
}

export const ConnectionBanner = () => {
  const { data, error, dataUpdatedAt } = useStatus()
  const noService = useNoService()
  const isAdmin = useRefusal('admin') === null
  const unreached = useConnectivityFailure()
  const known = data && (
    <>
      Showing data from <Ago at={new Date(dataUpdatedAt).toISOString()} />.
    </>
  )
  if (unreached) return <UnreachedNotice failure={unreached}>{known}</UnreachedNotice>
  if (error && !isNotSignedIn(error))
    return (
      <Notice tone="failed" title="Docket has a problem" role="status">
        {toMessage(error)} {known}
      </Notice>
    )
  if (!data) return null
  if (noService)
    return (
      <Notice tone="idle" title="No service is connected" role="status">
        <NoServiceAdvice />
      </Notice>
    )
  const { connections } = data
  const active = connections.filter(isActiveConnection)
  return (
    <>
      {active.map((connection) => (
        <TroubleNotice
          key={connection.connectionId}
          connection={connection}
          several={connections.length > 1}
          // The status contains the last good answer of the first connection only.
          lastOkAt={connection === active[0] ? data.connection.lastOkAt : null}
        />
      ))}
      {isAdmin &&
        connections
          .filter(({ successorId }) => successorId)
          .map((connection) => <SuccessorQuestion key={connection.connectionId} {...{ connection, connections }} />)}
    </>
  )
}
