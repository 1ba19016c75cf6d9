import type { Finding } from '@docket/api-types/artifacts'
import { useState } from 'react'
import { toast, toastFailure } from '#ui/toast.ts'
import { AcceptDialog } from './accept-dialog.tsx'
import { FindingItem } from './finding-item.tsx'
import type { FindingsSearch } from './findings-search.ts'
import { useTakeBack } from './findings.queries.ts'

type ListProps = {
  exportId: string
  search: FindingsSearch
  findings: readonly Finding[]
  /** Reason why the reader may neither accept any nor download files; null when they may. */
  refused: string | null
}

/** Causes, each of which unfolds to its places. */
export const FindingList = ({ exportId, search, findings, refused }: ListProps) => {
  const [asked, setAsked] = useState<Finding | null>(null)
  const takeBack = useTakeBack(exportId, search)
  return (
    <>
      <ul className="panel divide-y divide-line">
        {findings.map((finding) => (
          <li key={finding.fingerprint}>
            <FindingItem
              {...{ exportId, finding, refused }}
              page={search.page}
              isOpenAtFirst={findings.length === 1}
              isBusy={takeBack.isPending && takeBack.variables.fingerprint === finding.fingerprint}
              onAccept={() => setAsked(finding)}
              onTakeBack={() =>
                takeBack.mutate(finding, {
                  onSuccess: () => toast('The finding counts again.', { tone: 'done' }),
                  onError: toastFailure(),
                })
              }
            />
          </li>
        ))}
      </ul>
      {asked && <AcceptDialog {...{ exportId, search }} finding={asked} onClose={() => setAsked(null)} />}
    </>
  )
}
