import { useQuery } from '@tanstack/react-query'
import { ChevronRight } from 'lucide-react'
import { useId, useState } from 'react'
import { formatPlural } from '#lib/text/format.ts'
import { reveal } from '#lib/text/reveal.ts'
import { CopyButton } from '#ui/copying/copy-button.tsx'
import { StateMark } from '#ui/marks/state-mark.tsx'
import { deadAddressesQuery } from './comparisons.queries.ts'
import { printRedirects } from './dead-addresses.ts'

/** Old addresses that lead nowhere, each with the redirect that Docket proposes. Renders nothing without any. */
export const DeadAddresses = ({ exportId, against }: { exportId: string; against: string }) => {
  const id = useId()
  const { data } = useQuery(deadAddressesQuery(exportId, against))
  const [isOpen, setOpen] = useState(false)
  if (!data || data.addresses.length === 0) return null
  const { addresses, isCut } = data
  const proposed = addresses.filter(({ proposal }) => proposal !== null)
  return (
    <section aria-labelledby={id} className="panel overflow-clip">
      <div className="flex items-center gap-2 bg-attention-soft py-1.5 ps-2 pe-3 text-sm">
        <h3 id={id} className="min-w-0 flex-1">
          <button
            type="button"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
            className="flex min-h-6 w-full items-center gap-2 text-start font-medium"
          >
            <ChevronRight className={`size-4 shrink-0 text-muted ${isOpen ? 'rotate-90' : ''}`} aria-hidden="true" />
            <StateMark tone="attention" />
            {formatPlural(addresses.length, 'old address', 'old addresses')}
            {isCut && ' or more'} without a redirect
          </button>
        </h3>
        {proposed.length > 0 && <CopyButton text={printRedirects(proposed)} label="Copy proposed redirects as JSON" />}
      </div>
      {isOpen && (
        <ul className="divide-y divide-line text-sm">
          {addresses.map(({ address, proposal }) => (
            <li key={address} className="flex flex-wrap gap-x-3 px-4 py-1.5 font-mono text-xs">
              <bdi className="line-clamp-3 min-w-0 wrap-anywhere" title={reveal(address)}>
                {reveal(address)}
              </bdi>
              {proposal === null ? (
                <span className="font-sans text-muted">No similar page</span>
              ) : (
                <span className="flex min-w-0 gap-x-3">
                  <span aria-hidden="true">→</span>
                  <span className="sr-only">proposed redirect to</span>
                  <bdi className="line-clamp-3 min-w-0 wrap-anywhere" title={reveal(proposal)}>
                    {reveal(proposal)}
                  </bdi>
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
