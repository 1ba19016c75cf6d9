import type { Connection } from '@docket/api-types/connections'
import { isActive } from '#lib/connections.ts'
import { useNoService } from '#ui/connections/use-connections.ts'
import { Notice } from '#ui/notice.tsx'
import { Ago } from '#ui/ticking.tsx'
import { ApiError, isNotSignedIn, toMessage } from '#lib/api-error.ts'
import { isolate } from '#lib/bidi.ts'
import { labelConnection, nameTitle } from './connection-state.ts'
import { useStatus } from './connection.queries.ts'
import { NoServiceAdvice } from './no-service.tsx'

const isGone = (error: unknown) => error instanceof ApiError && error.code === 'no_answer'

type TroubleProps = { connection: Connection; lastOkAt: string | null; several: boolean }

const Trouble = ({ connection, lastOkAt, several }: TroubleProps) => {
  const { tone, title, remedy, trouble } = labelConnection(connection)
  const { name, since, keyWarning } = connection
  return (
    <>
      {trouble && (
        <Notice
          tone={tone === 'failed' ? 'failed' : 'attention'}
          title={several ? nameTitle(title, name) : title}
          role="status"
        >
          {remedy}{' '}
          {since && (
            <>
              First seen <Ago at={since} />.{' '}
            </>
          )}
          {lastOkAt && (
            <>
              Last good answer <Ago at={lastOkAt} />.
            </>
          )}
        </Notice>
      )}
      {keyWarning && (
        <Notice tone="attention" title={several ? `Key of ${isolate(name)}` : 'Admin key'} role="status">
          {keyWarning}
        </Notice>
      )}
    </>
  )
}

/** Shows trouble of Docket and of each service with a remedy. Renders nothing otherwise. */
export const ConnectionBanner = () => {
  const { data, error, dataUpdatedAt } = useStatus()
  const noService = useNoService()
  if (error && !isNotSignedIn(error))
    return (
      <Notice tone="failed" title={isGone(error) ? 'Docket does not answer' : 'Docket is in trouble'} role="status">
        {toMessage(error)}{' '}
        {data && (
          <>
            What you see was known <Ago at={new Date(dataUpdatedAt).toISOString()} />.
          </>
        )}
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
  const active = connections.filter(isActive)
  return active.map((connection) => (
    <Trouble
      key={connection.connectionId}
      connection={connection}
      several={connections.length > 1}
      // The status knows the last good answer of the first one only.
      lastOkAt={connection === active[0] ? data.connection.lastOkAt : null}
    />
  ))
}
