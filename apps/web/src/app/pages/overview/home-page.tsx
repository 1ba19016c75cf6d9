import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { headings } from '#app/titles/headings.ts'
import { ChoosePasswordHint } from '#features/people/accounts/choose-password-hint.tsx'
import { useSession } from '#features/people/accounts/session.queries.ts'
import { useExportAnnouncements } from '#features/records/static-exports/export-announcements.ts'
import { NewExport } from '#features/records/static-exports/start/new-export.tsx'
import { StartExportForm } from '#features/records/static-exports/start/start-export-form.tsx'
import { siteRowsQuery } from '#features/records/static-exports/static-exports.queries.ts'
import { useLocalService } from '#features/service/connections/connection.queries.ts'
import { NoService } from '#features/service/connections/no-service.tsx'
import { useChosenConnection, useNoService, useStartRefusal } from '#ui/connections/connections.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { Loading, ReadState } from '#ui/layout/page.tsx'
import { usePaused } from '#ui/live/ticking.tsx'
import { Attention, useTroubles } from './attention.tsx'
import { SiteTable } from './site-table.tsx'

const { title, about } = headings['/']

/** The page of a Docket without any export: the form is all there is. */
const FirstExport = ({ domains }: { domains: readonly string[] }) => {
  const refused = useStartRefusal()
  if (useNoService()) return <NoService />
  return (
    <section className="max-w-xl p-5">
      <p className="mb-4 text-sm text-muted">
        An export turns a documentation site into an archive of static files.{' '}
        {refused ?? 'Start one to follow its progress, download its bundle and publish it.'}
      </p>
      {refused === null && <StartExportForm suggestions={domains} domain={domains[0]} />}
    </section>
  )
}

export const HomePage = () => {
  const connection = useChosenConnection()
  const paused = usePaused()
  const [search, setSearch] = useState({ q: '', skip: 0 })
  const query = useQuery(siteRowsQuery({ connection, ...search }, paused))
  // React renders the first rows in steps, so that the browser stays responsive.
  const rows = useDeferredValue(query.data)
  const local = useLocalService()
  const noService = useNoService()
  // People with rights on sites only start nothing.
  const starts = useSession().data?.person?.role !== 'none'
  const troubles = useTroubles(connection, starts)
  // Both are shown at once, because trouble would push the sites down.
  const page = troubles.isKnown ? rows : undefined
  useExportAnnouncements(page?.rows.flatMap(({ newest }) => newest ?? []))
  const isEmpty = page?.isEmpty === true && troubles.lines.length === 0
  return (
    <>
      <PageHeader title={title} actions={starts && page && !isEmpty && !noService && <NewExport />}>
        {about}
      </PageHeader>
      <ReadState
        query={{ ...query, data: page }}
        waiting={<Loading className="grid gap-2" lines={['h-12 w-full', 'h-12 w-full', 'h-12 w-full']} />}
      />
      {page && isEmpty && (
        <div className="panel">
          <FirstExport domains={local?.domains ?? []} />
        </div>
      )}
      {page && !isEmpty && (
        <>
          <Attention troubles={troubles} />
          <SiteTable page={page} search={search} onSearch={setSearch} />
        </>
      )}
      {(page || query.error) && <ChoosePasswordHint />}
    </>
  )
}
