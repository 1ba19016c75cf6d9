import { readAddress } from '@docket/addresses'

/** Addresses that an operator allowed for a host, beyond public ones. */
export type AllowedAddresses = {
  /** Private networks and this machine: for hosts that the operator listed. */
  private: boolean
  /** This machine only: for the embedded service. */
  loopback: boolean
}

/**
 * True for an IP address that bundles may come from: public ones; private ones and this machine where allowed. Never link-local
 * addresses, metadata services and special ranges.
 */
export const isAllowedAddress = (text: string, allowed: AllowedAddresses): boolean => {
  const kind = readAddress(text)?.kind
  if (kind === 'loopback') return allowed.loopback || allowed.private
  return kind === 'public' || (kind === 'private' && allowed.private)
}
