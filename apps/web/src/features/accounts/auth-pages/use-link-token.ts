import { useEffect, useState } from 'react'
import { takeLinkToken } from '#lib/link-token.ts'

/** Token of the opened link, or null. Reloads the page when another link is opened in this tab. */
export const useLinkToken = (): string | null => {
  const [token] = useState(takeLinkToken)
  useEffect(() => {
    const reload = () => location.hash.length > 1 && location.reload()
    // The token may have arrived before the listener was added.
    reload()
    addEventListener('hashchange', reload)
    return () => removeEventListener('hashchange', reload)
  }, [])
  return token
}
