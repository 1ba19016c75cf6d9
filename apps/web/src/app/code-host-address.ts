import { useCallback } from 'react'
import { useLocal } from '#features/connection/connection.queries.ts'
import { linkTo } from '#lib/api.ts'

/** Leads to pages of the embedded code host through Docket, which adds a pass to make changes there. Leaves any other address alone. */
export const codeHostAddress = (href: string, codeHostUrl: string | undefined): string => {
  const url = URL.parse(href)
  if (codeHostUrl === undefined || url === null || url.origin !== URL.parse(codeHostUrl)?.origin) return href
  return linkTo('/api/code-host/open', { query: { to: url.pathname + url.search } })
}

/** `codeHostAddress` with the code host of this Docket. */
export const useCodeHostAddress = () => {
  const codeHostUrl = useLocal()?.codeHostUrl
  return useCallback((href: string) => codeHostAddress(href, codeHostUrl), [codeHostUrl])
}
