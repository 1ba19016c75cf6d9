import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ApiError } from '#lib/api/api-error.ts'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { ReadState, Loading } from '#ui/layout/page.tsx'

export const CodeHostFrame = <Data,>({
  query,
  children,
}: {
  query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'dataUpdatedAt' | 'refetch'>
  children: (data: Data) => ReactNode
}) => {
  const { data, error } = query
  if (
    data === undefined &&
    error instanceof ApiError &&
    (error.code === 'not_found' || error.code === 'invalid_request')
  )
    return (
      <>
        <PageHeader title="Not found" />
        <p className="text-sm text-muted">
          {error.message} Docket keeps the repositories of projects on its own machine; other projects have their pull
          requests on GitHub, GitLab or Gitea.
        </p>
      </>
    )
  return (
    <>
      <ReadState query={query} waiting={<Loading className="space-y-4" lines={['h-8 w-64', 'h-64 w-full']} />} />
      {data !== undefined && children(data)}
    </>
  )
}
