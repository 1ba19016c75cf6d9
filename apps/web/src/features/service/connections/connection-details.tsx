import type { Connection } from '@docket/api-types/connections'
import type { Status } from '@docket/api-types/status'
import { LifeBuoy } from 'lucide-react'
import { explainReadOnly, isActiveConnection } from '#lib/connections/connections.ts'
import { formatPlural } from '#lib/text/format.ts'
import { Button } from '#ui/buttons/button.tsx'
import { copyForSupport } from '#ui/copying/copy.ts'
import { ConnectionName } from '#ui/connections/connection-mark.tsx'
import { Fact, Facts } from '#ui/records/facts.tsx'
import { Panel } from '#ui/layout/panel.tsx'
import { StateLabel } from '#ui/marks/state-mark.tsx'
import { Ago, Instant } from '#ui/live/ticking.tsx'
import { deploymentKindLabels, labelConnection } from './connection-state.ts'

const delivery = {
  stream: 'streamed through Docket',
  redirect: 'directly from the service’s storage',
}

const copyConnectionFacts = (
  { state, since, kind, deploymentKind }: Connection,
  { connection, version, bundleDelivery, watching, active }: Status,
) =>
  copyForSupport('connection', {
    version,
    kind,
    'deployment kind': deploymentKind,
    downloads: bundleDelivery,
    state,
    since,
    'last successful call': connection.lastOkAt,
    polls: watching.polls ? 'yes' : 'no',
    'held back': watching.heldBack,
    'held back until': watching.until,
    'watched now': `${active.staticExports} exports, ${active.agentJobs} agent jobs`,
  })

export const ConnectionDetails = ({ connection, status }: { connection: Connection; status: Status }) => {
  const labels = labelConnection(connection)
  const several = status.connections.length > 1
  // The status contains the address of the first active connection only.
  const first = connection === status.connections.find(isActiveConnection) ? status.connection : null
  return (
    <Panel
      title="Service"
      action={
        <Button variant="quiet" className="-my-1.5 -mr-2" onClick={() => void copyConnectionFacts(connection, status)}>
          <LifeBuoy className="size-3.5" aria-hidden="true" />
          Copy for support
        </Button>
      }
    >
      <Facts>
        <Fact name="Name">{several && <ConnectionName {...connection} />}</Fact>
        <Fact name="State">
          <StateLabel tone={labels.tone}>{labels.word}</StateLabel>
        </Fact>
        <Fact name="Read-only">{explainReadOnly(connection)}</Fact>
        <Fact name="Address">
          {first && (
            <>
              <code className="font-mono">{first.origin}</code>
              {connection.kind === 'embedded' && <span className="text-muted"> (embedded, on this machine)</span>}
            </>
          )}
        </Fact>
        <Fact name="Since">{connection.since && <Instant at={connection.since} />}</Fact>
        <Fact name="Last successful call">{first && (first.lastOkAt ? <Ago at={first.lastOkAt} /> : 'None yet')}</Fact>
        <Fact name="Watched now">
          {!several &&
            `${formatPlural(status.active.staticExports, 'export')}, ${formatPlural(status.active.agentJobs, 'agent job')}`}
        </Fact>
        <Fact name="Deployment kind">{deploymentKindLabels[connection.deploymentKind]}</Fact>
        <Fact name="Downloads">{delivery[status.bundleDelivery]}</Fact>
        <Fact name="Docket">version {status.version}</Fact>
      </Facts>
    </Panel>
  )
}
