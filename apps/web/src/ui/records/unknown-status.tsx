import { Button } from '#ui/buttons/button.tsx'
import { useReadOnly, useRecordRefusal } from '#ui/connections/connections.tsx'
import { toastEnd } from '#ui/live/use-write.ts'

const labels = { completed: 'Treat as completed', ended: 'Treat as ended', running: 'Treat as running' }

type Meaning = keyof typeof labels

type UnknownStatusProps = {
  record: { connectionId?: string | undefined; status: string | null }
  treat: { mutateAsync: (as: Meaning) => Promise<unknown>; isPending: boolean }
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
        {(Object.keys(labels) as Meaning[]).map((as) => (
          <Button
            key={as}
            refused={refused}
            busy={treat.isPending}
            onClick={() => toastEnd(treat.mutateAsync(as), 'Saved.', 'Couldn’t save the meaning.')}
          >
            {labels[as]}
          </Button>
        ))}
      </div>
    </div>
  )
}
