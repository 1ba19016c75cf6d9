import { replaceEntry } from './history-entry.ts'

let token: string | null = null

/**
 * Token of a one-time link, or null. The first call removes it from the address, so that it stays neither on screen nor in the history;
 * later calls return it again.
 */
export const takeLinkToken = (): string | null => {
  if (location.hash.length > 1) {
    token = location.hash.slice(1)
    replaceEntry(history.state, location.pathname + location.search)
  }
  return token
}
