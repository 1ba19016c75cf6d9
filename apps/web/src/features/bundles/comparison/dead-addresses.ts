import type { Comparison } from '@docket/api-types/comparisons'

export type DeadAddress = { address: string; proposal: string | null }

/** Addresses of removed and moved pages without a redirect; `isCut` when a part has more. */
export const listDeadAddresses = (
  parts: readonly Pick<Comparison, 'pages' | 'next'>[],
): { addresses: DeadAddress[]; isCut: boolean } => ({
  addresses: parts
    .flatMap(({ pages }) => pages)
    .flatMap(({ kind, address, from, redirect }) => {
      const old = kind === 'moved' ? from : kind === 'removed' ? address : null
      return old === null || redirect === null || redirect.exists ? [] : [{ address: old, proposal: redirect.proposal }]
    }),
  isCut: parts.some(({ next }) => next !== null),
})

/** Redirects for addresses with a proposal, as `redirects` of a docs.json has them. */
export const printRedirects = (addresses: readonly DeadAddress[]): string =>
  JSON.stringify(
    addresses.flatMap(({ address, proposal }) =>
      proposal === null ? [] : [{ source: address, destination: proposal }],
    ),
    null,
    2,
  )
