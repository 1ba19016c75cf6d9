/**
 * Replaces the state and, if given, the address of this history entry. Bypasses the router, which patches `history.replaceState` and
 * would load the page again.
 */
export const replaceEntry = (state: unknown, address?: string): void =>
  History.prototype.replaceState.call(history, state, '', address)
