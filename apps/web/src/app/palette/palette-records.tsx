import { useNavigate } from '@tanstack/react-router'
import { Command } from 'cmdk'
import { toJobId } from '#features/records/agent-jobs/agent-jobs.queries.ts'
import { jobLink } from '#features/records/agent-jobs/job-link.ts'
import { jobState, formatJobTitle } from '#features/records/agent-jobs/job-state.ts'
import { exportLink } from '#features/records/static-exports/export-link.ts'
import { exportState, formatDomain } from '#features/records/static-exports/export-state.ts'
import { ConnectionMark } from '#ui/connections/connection-mark.tsx'
import { StateMark, type Tone } from '#ui/marks/state-mark.tsx'
import { Ago } from '#ui/live/ticking.tsx'
import { PaletteItem } from './palette-item.tsx'
import type { PaletteSearch } from './palette-search.queries.ts'

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

export const PaletteRecords = ({ found: { exports, jobs }, onOpen }: PaletteRecordsProps) => {
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
              {...exportState(row)}
              at={row.startedAt}
              record={row}
              onSelect={onOpen(() => navigate(exportLink(row.exportId)))}
            />
          ))}
        </Command.Group>
      )}
      {jobs.length > 0 && (
        <Command.Group heading="Agent jobs">
          {jobs.map((job) => {
            const { tone, word } = jobState(job)
            return (
              <RecordItem
                key={toJobId(job)}
                id={toJobId(job)}
                name={formatJobTitle(job)}
                tone={tone}
                word={word}
                at={job.createdAt ?? job.followedAt}
                record={job}
                onSelect={onOpen(() => navigate(jobLink(job)))}
              />
            )
          })}
        </Command.Group>
      )}
    </>
  )
}
