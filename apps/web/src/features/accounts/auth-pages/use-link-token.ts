import { useEffect, useState } from 'react'
import { takeLinkToken } from '#lib/link-token.ts'

/** The token of the link that was opened; null when the address had none. A second link in the same tab is opened as if it were the first. */
export const useLinkToken = (): string | null => {
  const [token] = useState(takeLinkToken)
  useEffect(() => {
    const reload = () => location.hash.length > 1 && location.reload()
    // It may have come before anybody listened.
    reload()
    addEventListener('hashchange', reload)
    return () => removeEventListener('hashchange', reload)
  }, [])
  return token
}
