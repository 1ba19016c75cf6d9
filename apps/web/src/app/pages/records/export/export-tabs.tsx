import type { StaticExport } from '@docket/api-types/static-exports'
import { formatCount } from '#lib/text/format.ts'
import { NavLink } from '#ui/links/link.tsx'
import { tabClass, Tabs } from '#ui/layout/tabs.tsx'

export const exportParts = [
  { to: '/exports/$exportId/pages', name: 'Pages' },
  { to: '/exports/$exportId/findings', name: 'Findings' },
  { to: '/exports/$exportId/changes', name: 'Changes' },
  { to: '/exports/$exportId/files', name: 'Files' },
  { to: '/exports/$exportId/history', name: 'History' },
] as const

const countParts = ({ artifact }: StaticExport): Partial<Record<(typeof exportParts)[number]['name'], number>> => {
  if (artifact?.state !== 'stored') return {}
  const { pages, files, check, change } = artifact
  return {
    ...(pages !== null && { Pages: pages }),
    ...(check && { Findings: check.findings.breaks + check.findings.leaks + check.findings.notes }),
    ...(change && { Changes: change.added + change.removed + change.changed + change.moved }),
    ...(files !== null && { Files: files }),
  }
}

export const ExportTabs = ({ row }: { row: StaticExport }) => {
  const params = { exportId: row.exportId }
  const counts = countParts(row)
  return (
    <Tabs label="Parts of this export">
      <NavLink to="/exports/$exportId" params={params} only className={tabClass}>
        Overview
      </NavLink>
      {exportParts.map(({ to, name }) => (
        <NavLink key={to} to={to} params={params} className={tabClass}>
          {name}
          {counts[name] !== undefined && <span className="font-normal text-muted">{formatCount(counts[name])}</span>}
        </NavLink>
      ))}
    </Tabs>
  )
}
