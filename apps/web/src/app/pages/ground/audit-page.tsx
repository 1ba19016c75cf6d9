import { useLocation, useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { replacesHistoryEntry } from '#app/address/use-list-search.ts'
import { AuditEvents } from '#features/ground/audit/audit-list.tsx'
import { parseAuditSearch, type AuditSearch } from '#features/ground/audit/audit-search.ts'
import { AuditVerify } from '#features/ground/audit/audit-verify.tsx'

export const AuditPage = () => {
  const navigate = useNavigate()
  // Reads the address like `useListSearch`, because a text field cannot wait for the router.
  const values = useLocation({ select: ({ search }) => search })
  const search = useMemo(() => parseAuditSearch(values), [values])
  const change = (next: Partial<AuditSearch>) => {
    // A changed search starts at its first page.
    void navigate({
      to: '/settings/audit',
      search: { ...search, cursor: '', ...next },
      replace: replacesHistoryEntry(next),
    })
    if ('cursor' in next) scrollTo(0, 0)
  }
  return (
    <>
      <AuditVerify />
      <AuditEvents search={search} onSearch={change} />
    </>
  )
}
