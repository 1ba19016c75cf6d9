import { Notice } from '#ui/messages/notice.tsx'
import { useReadOnly, type Belonging } from './connections.tsx'

/** Shows, in place of a record's buttons, why Docket makes no calls about it. */
export const ReadOnlyReason = ({ reason, className = '' }: { reason: string; className?: string }) => (
  <p dir="auto" className={`line-clamp-2 text-xs text-muted ${className}`} title={reason}>
    {reason}
  </p>
)

/** Shows the same reason on the page of a record. Renders nothing while the service can be asked. */
export const ReadOnlyNotice = ({ record }: { record: Belonging }) => {
  const reason = useReadOnly(record)
  return (
    reason !== null && (
      <Notice tone="idle" title="Read-only">
        {reason}
      </Notice>
    )
  )
}
