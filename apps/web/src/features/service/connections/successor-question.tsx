import type { Connection } from '@docket/api-types/connections'
import { useState } from 'react'
import { findConnection } from '#lib/connections/connections.ts'
import { isolateText } from '#lib/text/bidi.ts'
import { Button } from '#ui/buttons/button.tsx'
import { Notice } from '#ui/messages/notice.tsx'
import { toastEnd } from '#ui/live/use-write.ts'
import { lazyDialog } from '#ui/overlays/lazy.tsx'
import { useChangeConnection } from './settings/connections.queries.ts'

const MoveRecordsDialog = lazyDialog(async () => (await import('./settings/connection-dialogs.tsx')).MoveRecordsDialog)

type SuccessorQuestionProps = { connection: Connection; connections: readonly Connection[] }

/** Asks an admin whether the service at a new `ADMIN_API_URL` is the one at the old address. */
export const SuccessorQuestion = ({ connection, connections }: SuccessorQuestionProps) => {
  const [isOpen, setIsOpen] = useState(false)
  const { mutateAsync, isPending } = useChangeConnection()
  const { connectionId, name, successorId } = connection
  const next = findConnection(connections, successorId ?? undefined)
  if (next === null) return null
  const settle = () =>
    toastEnd(mutateAsync({ connectionId, sameService: false }), `The records of ${isolateText(name)} stay read-only.`)
  return (
    <Notice tone="attention" title="ADMIN_API_URL changed" role="status">
      <p>
        Is {isolateText(next.name)} the same service as {isolateText(name)}? Until you say so, the records of{' '}
        {isolateText(name)} stay read-only.
      </p>
      <div className="mt-2 flex flex-wrap gap-2">
        <Button onClick={() => setIsOpen(true)}>The same service moved…</Button>
        <Button busy={isPending} onClick={settle}>
          Another service
        </Button>
      </div>
      {isOpen && <MoveRecordsDialog {...{ connection, connections }} onClose={() => setIsOpen(false)} />}
    </Notice>
  )
}
