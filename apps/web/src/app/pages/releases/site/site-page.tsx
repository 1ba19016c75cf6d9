import type { Site } from '@docket/api-types/sites'
import { Outlet, useMatches, useParams } from '@tanstack/react-router'
import { useRecordTitle } from '#app/titles/page-title.ts'
import { useStartExport } from '#features/records/static-exports/start/start-context.tsx'
import { SiteFrame } from '#features/releases/sites/site-frame.tsx'
import { useSeesExports } from '#features/releases/sites/use-sees-exports.ts'
import { isolateText } from '#lib/text/format.ts'
import { Button } from '#ui/buttons/button.tsx'
import { useReadOnly, useRecordRefusal } from '#ui/connections/connections.tsx'
import { tabClass, Tabs } from '#ui/layout/tabs.tsx'
import { BackLink, NavLink } from '#ui/links/link.tsx'
import { useSite } from './use-site.ts'

const ExportButton = ({ site: { siteId, feeds } }: { site: Site }) => {
  const [{ connectionId, domain }] = feeds as [Site['feeds'][number]]
  const { start, busyWith } = useStartExport()
  const refused = useRecordRefusal({ connectionId })
  const readOnly = useReadOnly({ connectionId })
  if (refused !== null && readOnly === null) return null
  return (
    <Button
      size="md"
      busy={busyWith === siteId}
      refused={readOnly}
      onClick={() => start({ connectionId, domain, version: null, paths: null, from: siteId })}
    >
      Export
    </Button>
  )
}

const parts = [
  { to: '/sites/$siteId/releases', name: 'Releases' },
  { to: '/sites/$siteId/delivery', name: 'Delivery' },
  { to: '/sites/$siteId/trends', name: 'Trends' },
  { to: '/sites/$siteId/settings', name: 'Settings' },
] as const

const SiteTabs = ({ site }: { site: Site }) => {
  const params = { siteId: site.siteId }
  const seesExports = useSeesExports(site)
  return (
    <Tabs label="Parts of this site">
      {seesExports && (
        <NavLink to="/sites/$siteId" params={params} only className={tabClass}>
          Exports
        </NavLink>
      )}
      {parts.map(
        ({ to, name }) =>
          (seesExports || name !== 'Trends') && (
            <NavLink key={to} to={to} params={params} className={tabClass}>
              {name}
            </NavLink>
          ),
      )}
    </Tabs>
  )
}

const ExportAction = ({ site }: { site: Site }) => useSeesExports(site) && <ExportButton site={site} />

export const SitePage = () => {
  const { siteId } = useParams({ from: '/inside/sites/$siteId' })
  const site = useSite()
  const part = useMatches({ select: (matches) => matches.at(-1)?.staticData.title })
  useRecordTitle(site ? [part !== 'Site' && part, isolateText(site.name)].filter(Boolean).join(' · ') : null)
  return (
    <>
      <BackLink to="/">← Sites</BackLink>
      <SiteFrame
        key={siteId}
        siteId={siteId}
        tabs={(shown) => <SiteTabs site={shown} />}
        action={(shown) => <ExportAction site={shown} />}
      >
        <Outlet />
      </SiteFrame>
    </>
  )
}
