import { useEffect, useState } from 'react'
import { replaceEntry } from '#lib/address/history-entry.ts'

let token: string | null = null

/** The first call removes the token from the address, so that it stays neither on screen nor in the history. */
const takeTokenFromAddress = (): string | null => {
  if (location.hash.length > 1) {
    token = location.hash.slice(1)
    replaceEntry(history.state, location.pathname + location.search)
  }
  return token
}

/** Token of the opened one-time link, or null. Reloads the page when another link is opened in this tab. */
export const useLinkToken = (): string | null => {
  const [taken] = useState(takeTokenFromAddress)
  useEffect(() => {
    const reload = () => location.hash.length > 1 && location.reload()
    // The token may have arrived before the listener was added.
    reload()
    addEventListener('hashchange', reload)
    return () => removeEventListener('hashchange', reload)
  }, [])
  return taken
}
