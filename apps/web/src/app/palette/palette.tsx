import { useNavigate } from '@tanstack/react-router'
import { Command } from 'cmdk'
import { RotateCw } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { toJobId, buildJobLink } from '#features/records/agent-jobs/agent-jobs.queries.ts'
import { describeJobState, formatJobTitle } from '#features/records/agent-jobs/job-state.ts'
import { buildExportLink, describeExportState, formatDomain } from '#features/records/static-exports/export-state.ts'
import { toMessage } from '#lib/api/api-error.ts'
import { findConnection } from '#lib/connections/connections.ts'
import { useChosenConnection, useConnections, ConnectionMark } from '#ui/connections/connections.tsx'
import { Ago } from '#ui/live/ticking.tsx'
import { StateMark, type Tone } from '#ui/marks/state-mark.tsx'
import { Dialog } from '#ui/overlays/dialog.tsx'
import { PaletteActs } from './palette-acts.tsx'
import { usePaletteCommands } from './palette-commands.tsx'
import { PaletteItem } from './palette-item.tsx'
import { isSiteVerb, parseRequest } from './palette-request.ts'
import { usePaletteSearch, type PaletteSearch } from './palette-search.queries.ts'
import { useSiteCommands } from './site-commands.tsx'

type RecordItemProps = {
  id: string
  tone: Tone
  name: string
  word: string
  at: string
  record: { connectionId?: string | undefined }
  onSelect: () => void
}

const RecordItem = ({ id, tone, name, word, at, record, onSelect }: RecordItemProps) => (
  <PaletteItem
    id={id}
    icon={
      <span className="flex">
        <StateMark tone={tone} />
      </span>
    }
    onSelect={onSelect}
  >
    <bdi className="min-w-0 flex-1 truncate">{name}</bdi>
    <ConnectionMark record={record} className="max-w-2/5" />
    <span className="shrink-0 text-xs text-muted">
      {word} · <Ago at={at} />
    </span>
  </PaletteItem>
)

type PaletteRecordsProps = {
  found: Pick<PaletteSearch, 'exports' | 'jobs'>
  onOpen: (open: () => unknown) => () => void
}

const PaletteRecords = ({ found: { exports, jobs }, onOpen }: PaletteRecordsProps) => {
  const navigate = useNavigate()
  return (
    <>
      {exports.length > 0 && (
        <Command.Group heading="Exports">
          {exports.map((row) => (
            <RecordItem
              key={row.exportId}
              id={row.exportId}
              name={formatDomain(row)}
              {...describeExportState(row)}
              at={row.startedAt}
              record={row}
              onSelect={onOpen(() => navigate(buildExportLink(row.exportId)))}
            />
          ))}
        </Command.Group>
      )}
      {jobs.length > 0 && (
        <Command.Group heading="Agent jobs">
          {jobs.map((job) => {
            const { tone, word } = describeJobState(job)
            return (
              <RecordItem
                key={toJobId(job)}
                id={toJobId(job)}
                name={formatJobTitle(job)}
                tone={tone}
                word={word}
                at={job.createdAt ?? job.followedAt}
                record={job}
                onSelect={onOpen(() => navigate(buildJobLink(job)))}
              />
            )
          })}
        </Command.Group>
      )}
    </>
  )
}

const title = 'Search or run a command'

const stateClass = 'border-t border-line px-4.5 py-2.5 text-sm text-muted wrap-anywhere empty:hidden'

const SearchState = ({ search, found }: { search: string; found: PaletteSearch }) => {
  const connection = findConnection(useConnections() ?? [], useChosenConnection())
  const { exports, jobs, searching, error } = found
  const where = `all exports and agent jobs${connection ? ` on ${connection.name}` : ''}`
  const say = () => {
    if (search === '') return null
    if (searching) return 'Searching…'
    if (error) return `Could not search ${where}: ${toMessage(error)}`
    return exports.length + jobs.length === 0 ? `No match for “${search}” in ${where}.` : null
  }
  return (
    <p role="status" className={stateClass}>
      {say()}
    </p>
  )
}

export const Palette = ({ onClose, onKeys }: { onClose: () => void; onKeys: () => void }) => {
  const [text, setText] = useState('')
  const request = parseRequest(text)
  const found = usePaletteSearch(request.search)
  const [dialog, setDialog] = useState<ReactNode>(null)
  const groups = usePaletteCommands({ text, sites: useSiteCommands(request, onClose), onKeys })
  const run = (action: () => unknown) => () => {
    onClose()
    // The dialog restores the focus when it closes.
    requestAnimationFrame(() => void action())
  }
  const ask = async (open: () => ReactNode | Promise<ReactNode>) => setDialog((await open()) ?? null)
  // A site that is found later would not be selected below a record.
  const records = !isSiteVerb(request.verb)
  const acts = records && <PaletteActs request={request} found={found} onRun={run} />
  if (dialog) return dialog
  return (
    <Dialog onClose={onClose} title={title} bare>
      <Command label={title} loop shouldFilter={false} className="flex max-h-[60dvh] flex-col">
        <Command.Input
          value={text}
          onValueChange={setText}
          maxLength={200}
          placeholder={title}
          className="h-12 w-full shrink-0 border-b border-line bg-transparent px-4 text-lg outline-none"
        />
        <Command.List className="overflow-y-auto p-2 empty:hidden has-[>:empty]:hidden [&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:text-muted">
          {groups.map(({ heading, commands }) => (
            <Command.Group key={heading} heading={heading}>
              {commands.map(({ name, id = name, icon: Icon, keys = [], refused = null, run: action, ask: open }) => (
                <PaletteItem
                  key={id}
                  id={id}
                  icon={<Icon />}
                  keys={keys}
                  refused={refused}
                  onSelect={open ? () => void ask(open) : run(action)}
                >
                  {name}
                </PaletteItem>
              ))}
            </Command.Group>
          ))}
          {request.verb !== null && acts}
          {records && <PaletteRecords found={found} onOpen={run} />}
          {records && found.error !== null && (
            <PaletteItem id="search again" icon={<RotateCw />} onSelect={found.retry}>
              Search again
            </PaletteItem>
          )}
          {/* Placed after the records, so that Enter opens a record rather than starting another export. */}
          {request.verb === null && !found.searching && acts}
        </Command.List>
        {records ? (
          <SearchState search={request.search} found={found} />
        ) : (
          <p role="status" className={stateClass}>
            {groups.length === 0 && `No site matches “${request.search}”.`}
          </p>
        )}
      </Command>
    </Dialog>
  )
}
