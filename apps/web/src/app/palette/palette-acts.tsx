import type { Connection } from '@docket/api-types/connections'
import { useQuery } from '@tanstack/react-query'
import { Command } from 'cmdk'
import { Download, PackagePlus } from 'lucide-react'
import { useDownloadLatest } from '#features/records/static-exports/download/download-latest.ts'
import { useStartExport } from '#features/records/static-exports/start/start-context.tsx'
import { exportFiltersQuery } from '#features/records/static-exports/static-exports.queries.ts'
import { useLocalService } from '#features/service/connections/connection.queries.ts'
import { findConnection, offerConnections } from '#lib/connections/connections.ts'
import { ConnectionName, useChosenConnection, useConnections, useStartRefusal } from '#ui/connections/connections.tsx'
import { toast } from '#ui/messages/toast.ts'
import { PaletteItem } from './palette-item.tsx'
import { findDomains, type PaletteRequest } from './palette-request.ts'
import type { PaletteSearch } from './palette-search.queries.ts'

/** Connections to export on: the page's connection, or each available one, because the palette asks for none. `several`: more than one is available. */
const useExportTargets = () => {
  const connections = useConnections() ?? []
  const offered = offerConnections(connections)
  const chosen = findConnection(offered, useChosenConnection())
  const targets = chosen ? [chosen] : offered.length === 0 ? [null] : offered
  return { targets, names: connections.length > 1, several: offered.length > 1 }
}

type PaletteActsProps = {
  request: PaletteRequest
  found: Pick<PaletteSearch, 'exports'>
  onRun: (action: () => unknown) => () => void
}

export const PaletteActs = ({ request: { verb, search }, found, onRun }: PaletteActsProps) => {
  const connection = useChosenConnection()
  const { data: filters } = useQuery({ ...exportFiltersQuery(connection), enabled: search !== '' })
  const { start, busyWith } = useStartExport()
  const { targets, names, several } = useExportTargets()
  const startRefusal = useStartRefusal()
  const downloadLatest = useDownloadLatest()
  const sites = useLocalService()?.domains ?? []
  const domains = findDomains(search, found.exports, [...(filters?.domains ?? []), ...sites])
  const listTargets = (domain: string) => {
    const rows = found.exports.filter((row) => row.domain === domain && row.state !== 'refused')
    const homes = rows.map((row) => row.connectionId)
    const isSite = sites.includes(domain)
    // A domain without exports may belong to any connection, but Enter must not start on production by default.
    const isNew = homes.length === 0 && !isSite
    const fits = ({ connectionId, kind, production }: Connection) =>
      isNew ? !production || !several : homes.includes(connectionId) || (isSite && kind === 'embedded')
    return targets.filter((one) => one === null || fits(one))
  }
  const refused = startRefusal ?? (busyWith === null ? null : 'Another export is being started.')
  const exportIt = (domain: string, connectionId: string | undefined) => {
    toast(`Starting the export of ${domain}.`)
    start({ connectionId, domain, version: null, paths: null, from: 'palette', opens: true })
  }
  const exports =
    verb === 'download' ? [] : domains.flatMap((one) => listTargets(one.domain).map((target) => ({ ...one, target })))
  const downloads = verb === 'export' ? [] : domains.filter(({ isKnown }) => isKnown || verb === 'download')
  if (exports.length + downloads.length === 0) return null
  return (
    <Command.Group heading="Actions">
      {exports.map(({ domain, label, target }) => (
        <PaletteItem
          key={`${domain} ${target?.connectionId}`}
          id={`export ${domain} ${target?.connectionId}`}
          icon={<PackagePlus />}
          refused={refused}
          onSelect={onRun(() => exportIt(domain, several ? target?.connectionId : undefined))}
        >
          <span className="min-w-0 wrap-anywhere">
            Export <bdi>{label}</bdi>
          </span>
          {names && target && <ConnectionName {...target} className="shrink-0 text-xs text-muted" />}
        </PaletteItem>
      ))}
      {downloads.map(({ domain, label }) => (
        <PaletteItem
          key={domain}
          id={`download ${domain}`}
          icon={<Download />}
          onSelect={onRun(() => downloadLatest({ domain, label, connection }))}
        >
          <span className="min-w-0 wrap-anywhere">
            Download the latest bundle of <bdi>{label}</bdi>
          </span>
        </PaletteItem>
      ))}
    </Command.Group>
  )
}
