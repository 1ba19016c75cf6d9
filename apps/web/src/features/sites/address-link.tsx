import type { Channel } from '@docket/api-types/sites'
import { CopyButton } from '#ui/copy-button.tsx'
import { OutsideLink } from '#ui/outside-link.tsx'

/** An address without its scheme, as people say it. */
export const shortAddress = (address: string): string => address.replace(/^https?:\/\//, '').replace(/\/$/, '')

/** Where a channel opens, or why it opens nowhere. */
export const AddressLink = ({ channel, copies = false }: { channel: Channel; copies?: boolean }) => {
  const { address, addressProblem } = channel
  if (address === null) return addressProblem && <span className="text-muted">{addressProblem}</span>
  return (
    <span className="inline-flex max-w-full items-center gap-1">
      <OutsideLink
        href={address}
        className="inline-flex min-h-6 min-w-0 items-center text-accent underline decoration-1 underline-offset-2 wrap-anywhere hover:decoration-2"
      >
        {shortAddress(address)}
      </OutsideLink>
      {copies && <CopyButton text={address} label="Copy the address" />}
    </span>
  )
}
