import { Button } from '#ui/buttons/button.tsx'
import { useReadOnly, useRecordRefusal } from '#ui/connections/use-connections.ts'
import { toastEnd } from '#ui/live/use-write.ts'

const meanings = ['completed', 'ended', 'running'] as const

type UnknownStatusProps = {
  record: { connectionId?: string | undefined; status: string | null }
  treat: { mutateAsync: (as: (typeof meanings)[number]) => Promise<unknown>; isPending: boolean }
}

/** Says that Docket doesn't know the status of a record, and lets a person say what it means. */
export const UnknownStatus = ({ record, treat }: UnknownStatusProps) => {
  const general = useRecordRefusal(record)
  const refused = useReadOnly(record) ?? general
  return (
    <div className="text-sm">
      <p className="max-w-[70ch] wrap-anywhere">
        Docket doesn’t know the status “<bdi>{record.status}</bdi>” and keeps checking. Say what it means, and Docket
        remembers it for this connection.
      </p>
      <div className="mt-3 flex flex-wrap gap-2">
        {meanings.map((as) => (
          <Button
            key={as}
            refused={refused}
            busy={treat.isPending}
            onClick={() => toastEnd(treat.mutateAsync(as), 'Saved.', 'Couldn’t save the meaning.')}
          >
            Treat as {as}
          </Button>
        ))}
      </div>
    </div>
  )
}
