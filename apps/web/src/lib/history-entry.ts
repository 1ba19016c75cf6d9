/**
 * Changes the state, and the address if one is given, of this entry of the history. The router is not told: it listens to
 * `history.replaceState` and would load the page again.
 */
export const replaceEntry = (state: unknown, address?: string): void =>
  History.prototype.replaceState.call(history, state, '', address)
