import type { Finding } from '@docket/api-types/artifacts'
import { useState } from 'react'
import { toast, toastFailure } from '#ui/messages/toast.ts'
import { AcceptDialog } from './accept-dialog.tsx'
import { FindingItem, type Refusals } from './finding-item.tsx'
import type { FindingsSearch } from './findings-search.ts'
import { useTakeBack } from './findings.queries.ts'

type ListProps = Refusals & {
  exportId: string
  search: FindingsSearch
  findings: readonly Finding[]
}

/** Causes, each of which unfolds to its places. */
export const FindingList = ({ exportId, search, findings, ...refusals }: ListProps) => {
  const [asked, setAsked] = useState<Finding | null>(null)
  const takeBack = useTakeBack(exportId, search)
  return (
    <>
      <ul className="panel divide-y divide-line">
        {findings.map((finding) => (
          <li key={finding.fingerprint}>
            <FindingItem
              {...{ exportId, finding, ...refusals }}
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
