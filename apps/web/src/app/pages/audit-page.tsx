import { useMemo, useSyncExternalStore } from 'react'
import { AuditEvents } from '#features/audit/audit-list.tsx'
import { AuditVerify } from '#features/audit/audit-verify.tsx'
import { parseAuditSearch, type AuditSearch } from '#features/audit/audit-search.ts'
import { currentPlace, navigate } from '#lib/location.ts'
import { printQuery } from '#lib/print-query.ts'
import { SettingsFrame } from '#app/settings-frame.tsx'

const queryOf = () => currentPlace.get().search

/** Who did what. For admins. */
export const AuditPage = () => {
  const query = useSyncExternalStore(currentPlace.subscribe, queryOf)
  const search = useMemo(() => parseAuditSearch(query), [query])
  const change = (next: Partial<AuditSearch>) => {
    // Another search begins on its first page.
    const to = `${currentPlace.get().pathname}${printQuery({ ...search, cursor: '', ...next })}`
    navigate(to, { replace: Object.keys(next).every((name) => name === 'q') })
    if ('cursor' in next) scrollTo(0, 0)
  }
  return (
    <SettingsFrame hint="Who did what, from where, and how it ended." needed="admin">
      <div className="max-w-4xl">
        <AuditVerify />
        <AuditEvents search={search} onSearch={change} />
      </div>
    </SettingsFrame>
  )
}
