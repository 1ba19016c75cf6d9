import { Undo2 } from 'lucide-react'
import { formatInstant, formatUtc } from '#lib/text/format.ts'
import { Button } from '#ui/buttons/button.tsx'
import { useRecordRefusal, ConnectionMark } from '#ui/connections/connections.tsx'
import { Ago } from '#ui/live/ticking.tsx'
import { toastEnd } from '#ui/live/use-write.ts'

type RemovedRowProps = {
  record: {
    connectionId?: string | undefined
    removedAt?: string | null | undefined
    deletedAfter?: string | null | undefined
  }
  /** Names the record, such as `Export of docs.example.com`. */
  label: string
  name: string
  busy: boolean
  restore: () => Promise<unknown>
}

export const RemovedRow = ({ record, label, name, busy, restore }: RemovedRowProps) => {
  const { removedAt, deletedAfter } = record
  const onRestore = () => toastEnd(restore(), `Restored ${name}.`, `Could not restore ${name}.`)
  return (
    <article aria-label={label} className="flex min-h-12 items-center gap-x-4 px-4 py-1">
      <div className="min-w-0 flex-1">
        <h3 className="flex min-w-0 items-baseline gap-x-2 leading-5 font-semibold">
          <bdi className="truncate">{name}</bdi>
          <ConnectionMark record={record} />
        </h3>
        <p className="truncate text-xs text-muted">
          Removed {removedAt && <Ago at={removedAt} />}
          {deletedAfter && (
            <span title={formatUtc(deletedAfter)}> · deleted for good after {formatInstant(deletedAfter)}</span>
          )}
        </p>
      </div>
      <Button icon={Undo2} busy={busy} refused={useRecordRefusal(record)} onClick={onRestore}>
        Restore<span className="sr-only"> {name}</span>
      </Button>
    </article>
  )
}
