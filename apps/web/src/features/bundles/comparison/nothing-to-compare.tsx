import { useQuery } from '@tanstack/react-query'
import { GitCompareArrows } from 'lucide-react'
import { formatInstant } from '#lib/text/format.ts'
import { reveal } from '#lib/text/reveal.ts'
import { Button } from '#ui/buttons/button.tsx'
import { EmptyState } from '#ui/layout/empty-state.tsx'
import { storedExportsQuery } from './comparisons.queries.ts'

/** Exports that it offers. */
const maxOffered = 5

type NothingProps = { exportId: string; message: string; onAgainst: (against: string) => void }

/** Says why there is no comparison, and offers stored exports of the same domain. */
export const NothingToCompare = ({ exportId, message, onAgainst }: NothingProps) => {
  const { data = [] } = useQuery(storedExportsQuery(exportId))
  return (
    <div className="panel">
      <EmptyState
        icon={<GitCompareArrows />}
        title="Nothing to compare"
        action={
          data.length > 0 && (
            <ul aria-label="Compare with" className="flex flex-wrap justify-center gap-2">
              {data.slice(0, maxOffered).map((one) => (
                <li key={one.exportId}>
                  <Button onClick={() => onAgainst(one.exportId)}>
                    <span>
                      Compare with {formatInstant(one.startedAt)}
                      {one.version !== null && (
                        <>
                          {' '}
                          · <bdi>{reveal(one.version)}</bdi>
                        </>
                      )}
                    </span>
                  </Button>
                </li>
              ))}
            </ul>
          )
        }
      >
        {message}
      </EmptyState>
    </div>
  )
}
