import type { BlockChange } from '@docket/api-types/comparisons'

/** Runs of a block that stand on one side of a comparison; empty if the block was added or removed. */
export const pickSide = (runs: BlockChange['runs'], side: 'before' | 'after'): BlockChange['runs'] => {
  const other = side === 'before' ? 'added' : 'removed'
  return runs.filter(({ kind }) => kind !== other)
}
