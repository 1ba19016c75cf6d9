import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Command } from 'cmdk'
import { jobsQuery, toJobId } from '#features/agent-jobs/agent-jobs.queries.ts'
import { jobLink } from '#features/agent-jobs/job-link.ts'
import { jobState } from '#features/agent-jobs/job-state.ts'
import { exportLink } from '#features/static-exports/export-link.ts'
import { formatDomain, exportState } from '#features/static-exports/export-state.ts'
import { exportsQuery } from '#features/static-exports/static-exports.queries.ts'
import { ConnectionMark } from '#ui/connections/connection-mark.tsx'
import { useChosenConnection } from '#ui/connections/use-connections.ts'
import { StateMark, type Tone } from '#ui/state-mark.tsx'

type RecordItemProps = {
  value: string
  tone: Tone
  name: string
  word: string
  record: { connectionId?: string | undefined }
  onSelect: () => void
}

const RecordItem = ({ value, tone, name, word, record, onSelect }: RecordItemProps) => (
  <Command.Item
    value={value}
    onSelect={onSelect}
    className="flex h-9 cursor-pointer items-center gap-2.5 rounded-md px-2.5 data-[selected=true]:bg-hover"
  >
    <StateMark tone={tone} />
    <span dir="auto" className="min-w-0 flex-1 truncate text-left">
      {name}
    </span>
    <ConnectionMark record={record} className="max-w-2/5" />
    <span className="text-xs text-muted">{word}</span>
  </Command.Item>
)

/** Newest exports and jobs in the palette. */
export const PaletteRecords = ({ onOpen }: { onOpen: (open: () => unknown) => () => void }) => {
  const navigate = useNavigate()
  const connection = useChosenConnection()
  // Read once, when the palette opens.
  const exports = useQuery(exportsQuery({ connection }, true)).data?.items.slice(0, 20) ?? []
  const jobs = useQuery(jobsQuery({ connection }, true)).data?.items.slice(0, 20) ?? []
  return (
    <>
      {exports.length > 0 && (
        <Command.Group heading="Exports">
          {exports.map((row) => (
            <RecordItem
              key={row.exportId}
              value={`${formatDomain(row)} ${row.exportId}`}
              name={formatDomain(row)}
              {...exportState(row)}
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
                value={`${job.projectId}/${job.id} ${job.connectionId ?? ''}`}
                name={`${job.projectId}/${job.id}`}
                tone={tone}
                word={word}
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
