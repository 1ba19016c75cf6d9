import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { toMessage } from '#lib/api/api-error.ts'
import { post } from '#lib/api/api.ts'
import { Button } from '#ui/buttons/button.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { readOnce } from '#ui/live/read-once.ts'
import { Notice } from '#ui/messages/notice.tsx'

export const HostedPage = () => {
  const { hostname = '', path = '/' } = useSearch({ from: '/inside/hosted' })
  // Opens the site once: the address in the response works once, so it is never used again.
  const { data, error, refetch } = useQuery({
    queryKey: ['hosted-sites', 'open', hostname, path],
    queryFn: () => post('/api/hosted-sites/open', { body: { hostname, path } }),
    ...readOnce,
  })
  useEffect(() => {
    if (data !== undefined) location.replace(data.url)
  }, [data])
  return (
    <>
      <PageHeader title="Hosted site" />
      {error ? (
        <Notice tone="failed" role="alert" action={<Button onClick={() => void refetch()}>Try again</Button>}>
          {toMessage(error)}
        </Notice>
      ) : (
        <p role="status">Opening {hostname}…</p>
      )}
    </>
  )
}
