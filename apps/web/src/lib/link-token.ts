import { replaceEntry } from './history-entry.ts'

let token: string | null = null

/**
 * The part of a one-time link after `#`, taken out of the address as soon as it is read, so that it stays neither on screen nor in the
 * history. The same again for whoever asks again; null when the address had none.
 */
export const takeLinkToken = (): string | null => {
  if (location.hash.length > 1) {
    token = location.hash.slice(1)
    replaceEntry(history.state, location.pathname + location.search)
  }
  return token
}
