import { Notice } from '#ui/notice.tsx'
import { Ago } from '#ui/ticking.tsx'
import { ApiError, isNotSignedIn, toMessage } from '#lib/api-error.ts'
import { labelConnection } from './connection-state.ts'
import { useStatus } from './connection.queries.ts'

const isGone = (error: unknown) => error instanceof ApiError && error.code === 'no_answer'

/** Shows trouble of Docket or the service with a remedy. Renders nothing otherwise. */
export const ConnectionBanner = () => {
  const { data, error, dataUpdatedAt } = useStatus()
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
  const { tone, title, remedy, trouble } = labelConnection(data)
  if (!trouble) return null
  return (
    <Notice tone={tone === 'failed' ? 'failed' : 'attention'} title={title} role="status">
      {remedy}{' '}
      {data.connection.since && (
        <>
          First seen <Ago at={data.connection.since} />.{' '}
        </>
      )}
      {data.connection.lastOkAt && (
        <>
          Last good answer <Ago at={data.connection.lastOkAt} />.
        </>
      )}
    </Notice>
  )
}
