import type { Channel } from '@docket/api-types/sites'
import { CopyButton } from '#ui/copying/copy-button.tsx'
import { OutsideLink } from '#ui/links/outside-link.tsx'

export const shortenAddress = (address: string): string => address.replace(/^https?:\/\//, '').replace(/\/$/, '')

/** Address that opens a channel in this browser. If its readers must sign in, it goes through Docket, so that they need not sign in twice. */
export const toOpenAddress = (address: string, { access }: Pick<Channel, 'access'>): string => {
  if (access !== 'signed_in') return address
  const query = new URLSearchParams({ hostname: new URL(address).host, path: '/' })
  return `${location.origin}/hosted?${query.toString()}`
}

export const AddressLink = ({ channel }: { channel: Channel }) => {
  const { address, addressProblem } = channel
  if (address === null) return addressProblem && <span className="text-muted">{addressProblem}</span>
  return (
    <span className="inline-flex max-w-full items-center gap-1">
      <OutsideLink
        href={toOpenAddress(address, channel)}
        className="inline-flex min-h-6 min-w-0 items-center text-accent underline decoration-1 underline-offset-2 wrap-anywhere hover:decoration-2"
      >
        {shortenAddress(address)}
      </OutsideLink>
      <CopyButton text={address} label="Copy the address" />
    </span>
  )
}
