import type { StaticExport } from '@docket/api-types/static-exports'
import { useMainChannel } from '#features/releases/sites/export-publishing.tsx'
import { formatCount } from '#lib/text/format.ts'
import { tabClass, Tabs } from '#ui/layout/tabs.tsx'
import { NavLink } from '#ui/links/link.tsx'

export const exportParts = [
  { to: '/exports/$exportId/changes', name: 'Changes' },
  { to: '/exports/$exportId/findings', name: 'Findings' },
  { to: '/exports/$exportId/contents', name: 'Contents' },
  { to: '/exports/$exportId/history', name: 'History' },
] as const

/** Parts that have something in them, each with its count, if it has one. */
const useParts = (row: StaticExport): Partial<Record<(typeof exportParts)[number]['name'], number | null>> => {
  const live = useMainChannel(row)
  if (row.artifact?.state !== 'stored') return { History: null }
  const { pages, check, change } = row.artifact
  const isComparable = change !== null || (live?.channel.current && !live.isShown)
  return {
    ...(isComparable && { Changes: change && change.added + change.removed + change.changed + change.moved }),
    ...(check && { Findings: check.findings.breaks + check.findings.leaks + check.findings.notes }),
    Contents: pages,
    History: null,
  }
}

export const ExportTabs = ({ row }: { row: StaticExport }) => {
  const params = { exportId: row.exportId }
  const parts = useParts(row)
  return (
    <Tabs label="Parts of this export">
      <NavLink to="/exports/$exportId" params={params} only className={tabClass}>
        Overview
      </NavLink>
      {exportParts.map(({ to, name }) => {
        const count = parts[name]
        return (
          count !== undefined && (
            <NavLink key={to} to={to} params={params} className={tabClass}>
              {name}
              {count !== null && <span className="font-normal text-muted">{formatCount(count)}</span>}
            </NavLink>
          )
        )
      })}
    </Tabs>
  )
}
