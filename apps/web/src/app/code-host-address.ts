import { useCallback } from 'react'
import { useLocal } from '#features/connection/connection.queries.ts'
import { linkTo } from '#lib/api.ts'

/** Sends links to the embedded code host through Docket, which grants write access. Other addresses stay. */
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
