import type { SiteRow as Row } from '@docket/api-types/site-rows'
import type { StaticExport } from '@docket/api-types/static-exports'
import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { Globe, Send, Undo2 } from 'lucide-react'
import { memo, useState, type ReactNode } from 'react'
import { comparedQuery } from '#features/bundles/comparison/comparisons.queries.ts'
import { ExportAction } from '#features/records/static-exports/actions/export-action.tsx'
import { ExportBar } from '#features/records/static-exports/export-progress.tsx'
import {
  buildExportLink,
  describeExportState,
  isRunningExport,
  isStoringBundle,
  labelWorstFindings,
} from '#features/records/static-exports/export-state.ts'
import { ExportMenu } from '#features/records/static-exports/list/export-menu.tsx'
import { useRollBackQuestion } from '#features/releases/sites/channels/use-roll-back-question.tsx'
import { PublishDialog } from '#features/releases/sites/lazy-dialogs.ts'
import { describePageChange, getShownNumber, isNewerWaiting } from '#features/releases/sites/site-labels.ts'
import { siteQuery } from '#features/releases/sites/sites.queries.ts'
import { isolateDomain, formatLeft, formatPlural } from '#lib/text/format.ts'
import { Button } from '#ui/buttons/button.tsx'
import { ConnectionMark } from '#ui/connections/connections.tsx'
import { Link } from '#ui/links/link.tsx'
import { Ago, TickingText, usePaused } from '#ui/live/ticking.tsx'
import { StateLabel, toneText } from '#ui/marks/state-mark.tsx'
import { MenuItem, Menu } from '#ui/overlays/menu.tsx'

/** Grid of a row: one line with a column each, or two lines on narrow screens. */
const columns = {
  live: '@3xl:grid-cols-[minmax(0,1.1fr)_minmax(0,1fr)_minmax(0,1.5fr)_9.5rem_2rem]',
  none: '@3xl:grid-cols-[minmax(0,1.1fr)_minmax(0,1.5fr)_9.5rem_2rem]',
}
export const siteGrid = (hasLive: boolean): string =>
  `grid grid-cols-[minmax(0,1fr)_auto_auto] items-center gap-x-3 px-4 @3xl:gap-x-5 ${hasLive ? columns.live : columns.none}`

const quietLink = 'inline-block min-h-6 leading-6 underline-offset-2 hover:underline'

/** Joins parts by dots, each in an element of its own. */
const Parts = ({ children }: { children: readonly ReactNode[] }) =>
  children.filter(Boolean).map((part, nth) => (
    <span key={nth} className="not-first:before:content-['·'] not-first:before:mx-1.5">
      {part}
    </span>
  ))

const isStored = (row: StaticExport) => row.artifact?.state === 'stored'

/** Whether publishing is the next step: nobody rolled back from the newest export. */
const isNext = ({ live, newest }: Row) =>
  live !== null &&
  typeof newest?.artifact?.sha256 === 'string' &&
  isNewerWaiting({ sha256: newest.artifact.sha256, exportedAt: newest.startedAt }, live)

const isLive = ({ live, newest }: Row) =>
  live !== null && newest !== null && (newest.exportId === live.exportId || newest.artifact?.sha256 === live.sha256)

/** Pages that differ from what is live; counted by the server when it stored the bundle, or now. */
const useChange = (row: Row): string | null => {
  const { live, newest } = row
  const change = newest?.artifact?.change
  const isKnown = live === null || change?.against === live.exportId
  const { data } = useQuery({
    ...comparedQuery(newest?.exportId ?? '', live?.exportId ?? ''),
    enabled: !isKnown && newest !== null && isStored(newest) && !isLive(row),
    retry: false,
  })
  if (live === null || isLive(row)) return null
  return describePageChange(isKnown && change ? change : (data?.counts ?? null))
}

const Running = ({ row }: { row: StaticExport }) => {
  const { word } = describeExportState(row)
  const { expectedAt } = row
  return (
    <span className="flex min-w-0 items-center gap-3">
      <span className="w-20 shrink-0">
        <ExportBar row={row} />
      </span>
      <Link {...buildExportLink(row.exportId)} className={`min-w-0 truncate leading-6 text-muted ${quietLink}`}>
        <Parts>
          {[
            row.progress === null ? word : `${Math.floor(row.progress)} %`,
            row.pageCount !== null && formatPlural(row.pageCount, 'page'),
            expectedAt !== null && <TickingText text={(now) => formatLeft(expectedAt, now)} />,
          ]}
        </Parts>
      </Link>
    </span>
  )
}

const Ended = ({ row, newest }: { row: Row; newest: StaticExport }) => {
  const change = useChange(row)
  const { exportId, artifact } = newest
  const { tone, word } = describeExportState(newest)
  const worst = artifact?.check ? labelWorstFindings(artifact.check.findings) : null
  const pages = newest.pageCount ?? artifact?.pages ?? null
  const link = (content: ReactNode) => (
    <Link {...buildExportLink(exportId)} className={quietLink}>
      {content}
    </Link>
  )
  const ago = <Ago at={newest.finishedAt ?? newest.startedAt} />
  if (newest.state !== 'completed')
    return (
      <span className="flex min-w-0 items-center gap-1.5" title={newest.reason ?? undefined}>
        <StateLabel tone={tone}>{word}</StateLabel>
        <span className="truncate text-muted">{link(ago)}</span>
      </span>
    )
  return (
    <Parts>
      {[
        link(ago),
        isStoringBundle(newest) && 'saving',
        isLive(row) && 'live',
        change !== null && row.live !== null && (
          <Link
            to="/exports/$exportId/changes"
            params={{ exportId }}
            search={{ against: row.live.exportId }}
            className={`text-accent ${quietLink}`}
          >
            {change}
          </Link>
        ),
        change === null && pages !== null && formatPlural(pages, 'page'),
        worst && (
          <Link
            to="/exports/$exportId/findings"
            params={{ exportId }}
            className={`${toneText[worst.tone]} ${quietLink}`}
          >
            {worst.word}
          </Link>
        ),
      ]}
    </Parts>
  )
}

type PublishProps = { siteId: string; channelId: string; exportId: string; onClose: () => void }

const Publish = ({ siteId, channelId, exportId, onClose }: PublishProps) => {
  const { data } = useQuery(siteQuery(siteId, usePaused()))
  return data && <PublishDialog site={data} channelId={channelId} exportId={exportId} onClose={onClose} />
}

const SiteMenu = ({ row, onPublish }: { row: Row; onPublish: (() => void) | null }) => {
  const { siteId, newest, live, mayRollBack } = row
  const router = useRouter()
  const rollBack = useRollBackQuestion(siteId ?? '')
  const name = isolateDomain(row.name)
  const commands = (
    <>
      {siteId !== null && (
        <MenuItem icon={<Globe />} onSelect={() => void router.navigate({ to: '/sites/$siteId', params: { siteId } })}>
          Open site page
        </MenuItem>
      )}
      {onPublish && (
        <MenuItem icon={<Send />} onSelect={onPublish}>
          Publish…
        </MenuItem>
      )}
      {siteId !== null && live !== null && mayRollBack && (
        <MenuItem icon={<Undo2 />} onSelect={rollBack.ask}>
          Roll back…
        </MenuItem>
      )}
    </>
  )
  return (
    <>
      {newest ? (
        <ExportMenu row={newest} name={name} className="-mr-2">
          {commands}
        </ExportMenu>
      ) : (
        <Menu label={`More for ${name}`} className="-mr-2">
          {commands}
        </Menu>
      )}
      {rollBack.dialog}
    </>
  )
}

/** One line: what is live, what is new, and the next step. */
export const SiteRow = memo(({ row, hasLive }: { row: Row; hasLive: boolean }) => {
  const { siteId, channelId, name, live, newest } = row
  const [publishing, setPublishing] = useState(false)
  const shown = isolateDomain(name)
  const mayPublish = row.mayPublish && newest !== null && isStored(newest) && !isLive(row)
  const title = `min-w-0 truncate leading-6 font-semibold ${quietLink}`
  return (
    <div role="row" aria-label={shown} className={`${siteGrid(hasLive)} min-h-12 py-1.5 text-sm`}>
      <span role="rowheader" className="col-span-2 flex min-w-0 items-center gap-2 @3xl:col-span-1">
        {siteId === null ? (
          <Link to="/exports" search={{ domain: row.domain }} className={title} title={row.domain}>
            {shown}
          </Link>
        ) : (
          <Link to="/sites/$siteId" params={{ siteId }} className={title} title={row.domain}>
            {shown}
          </Link>
        )}
        <ConnectionMark record={row} />
        {live && <span className="shrink-0 text-xs text-muted @3xl:hidden">Release {getShownNumber(live)}</span>}
      </span>
      {hasLive && (
        <span role="cell" className="hidden min-w-0 truncate text-muted @3xl:block">
          {live ? (
            <Parts>
              {[`Release ${getShownNumber(live)}`, <Ago key="at" at={live.at} />, <bdi key="by">{live.by}</bdi>]}
            </Parts>
          ) : (
            '–'
          )}
        </span>
      )}
      <span role="cell" className="col-start-1 row-start-2 min-w-0 truncate @3xl:col-auto @3xl:row-auto">
        {newest === null ? (
          '–'
        ) : isRunningExport(newest) ? (
          <Running row={newest} />
        ) : (
          <Ended row={row} newest={newest} />
        )}
      </span>
      <span role="cell" className="col-start-2 row-start-2 flex justify-end @3xl:col-auto @3xl:row-auto">
        {mayPublish && isNext(row) ? (
          <Button variant="primary" onClick={() => setPublishing(true)}>
            Publish<span className="sr-only"> {shown}</span>
          </Button>
        ) : (
          newest && <ExportAction row={newest} />
        )}
      </span>
      <span role="cell" className="col-start-3 row-span-2 row-start-1 @3xl:col-auto @3xl:row-span-1 @3xl:row-auto">
        <SiteMenu row={row} onPublish={mayPublish && !isNext(row) ? () => setPublishing(true) : null} />
        {publishing && siteId !== null && channelId !== null && newest && (
          <Publish
            siteId={siteId}
            channelId={channelId}
            exportId={newest.exportId}
            onClose={() => setPublishing(false)}
          />
        )}
      </span>
    </div>
  )
})
