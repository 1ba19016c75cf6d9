import type { Channel } from '@docket/api-types/sites'
import { ExternalLink } from 'lucide-react'
import { shortAddress, toOpenAddress } from '#features/releases/sites/address-link.tsx'
import { accessLabels } from '#features/releases/sites/site-labels.ts'
import { Button, buttonClass } from '#ui/buttons/button.tsx'
import { CopyButton } from '#ui/copying/copy-button.tsx'
import { StateLabel } from '#ui/marks/state-mark.tsx'

/** Where readers find what was promoted. */
export const Promoted = ({ channel, onClose }: { channel: Channel; onClose: () => void }) => {
  const { address, addressProblem, access } = channel
  return (
    <div className="grid gap-4 text-sm">
      <p role="status">
        <StateLabel tone="done">Promoted</StateLabel>
        <span className="sr-only">.</span>
      </p>
      {address === null ? (
        <p>{addressProblem ?? accessLabels[access].hint}</p>
      ) : (
        <>
          <p className="flex items-center gap-1">
            <span className="min-w-0 font-medium wrap-anywhere">{shortAddress(address)}</span>
            <CopyButton text={address} label="Copy the address" />
          </p>
          <p className="text-muted">{accessLabels[access].hint}</p>
        </>
      )}
      <div className="flex flex-wrap justify-end gap-2">
        <Button size="md" onClick={onClose}>
          Close
        </Button>
        {address !== null && (
          <a
            href={toOpenAddress(address, channel)}
            target="_blank"
            rel="noopener noreferrer"
            data-autofocus=""
            className={buttonClass({ variant: 'primary', size: 'md' })}
          >
            Open it
            <ExternalLink className="size-3.5" aria-hidden="true" />
            <span className="sr-only"> (opens in a new tab)</span>
          </a>
        )}
      </div>
    </div>
  )
}
