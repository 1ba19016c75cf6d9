import type { ConnectionSettings } from '@docket/api-types/connections'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { isolate } from '#lib/text/bidi.ts'
import { Button } from '#ui/buttons/button.tsx'
import { Dialog } from '#ui/overlays/dialog.tsx'
import { AddCodeHostForm } from './add-code-host-form.tsx'
import { CodeHostItem } from './code-host-item.tsx'

/** Lists the code hosts whose pull requests Docket reads for the jobs of a connection. */
export const CodeHostsDialog = ({ connection, onClose }: { connection: ConnectionSettings; onClose: () => void }) => {
  const { connectionId, name } = connection
  const codeHosts = connection.codeHosts ?? []
  const [adding, setAdding] = useState(codeHosts.length === 0)
  return (
    <Dialog open onClose={onClose} title={`Code hosts of ${isolate(name)}`}>
      <div className="grid gap-4">
        <p className="text-sm text-muted">
          With a token, Docket checks whether pull requests were merged or closed. It only reads.
        </p>
        {codeHosts.length > 0 && (
          <ul className="grid gap-3">
            {codeHosts.map((codeHost) => (
              <CodeHostItem key={codeHost.codeHostId} {...{ connectionId, codeHost }} />
            ))}
          </ul>
        )}
        {adding ? (
          <AddCodeHostForm connectionId={connectionId} onDone={() => setAdding(false)} />
        ) : (
          <Button className="justify-self-start" onClick={() => setAdding(true)}>
            <Plus className="size-4" aria-hidden="true" />
            Add a code host
          </Button>
        )}
      </div>
    </Dialog>
  )
}
