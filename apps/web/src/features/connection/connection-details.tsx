import type { Status } from '@docket/api-types/status'
import { LifeBuoy } from 'lucide-react'
import { formatPlural } from '#lib/format.ts'
import { Button } from '#ui/button.tsx'
import { copyForSupport } from '#ui/copy-for-support.ts'
import { Fact, Facts } from '#ui/records/facts.tsx'
import { Panel } from '#ui/panel.tsx'
import { StateLabel } from '#ui/state-mark.tsx'
import { Ago, Instant } from '#ui/ticking.tsx'
import { labelConnection } from './connection-state.ts'

const delivery = {
  stream: 'streamed through Docket',
  redirect: 'straight from the service’s storage',
}

const kinds = { cloud: 'Cloud', 'client-hosted': 'Client-hosted', 'air-gapped': 'Air-gapped' }

const copyFacts = ({ connection, mode, version, deploymentKind, bundleDelivery, watching, active }: Status) =>
  copyForSupport('connection', {
    version,
    mode,
    'deployment kind': deploymentKind,
    downloads: bundleDelivery,
    state: connection.state,
    since: connection.since,
    'last good answer': connection.lastOkAt,
    polls: watching.polls ? 'yes' : 'no',
    'held back': watching.heldBack,
    'held back until': watching.until,
    'watched now': `${active.staticExports} exports, ${active.agentJobs} agent jobs`,
  })

/** State and settings of the connection. */
export const ConnectionDetails = ({ status }: { status: Status }) => {
  const { connection, active } = status
  const labels = labelConnection(status)
  return (
    <Panel
      title="Service"
      action={
        <Button variant="quiet" className="-my-1.5 -mr-2" onClick={() => void copyFacts(status)}>
          <LifeBuoy className="size-3.5" aria-hidden="true" />
          Copy for support
        </Button>
      }
    >
      <Facts>
        <Fact name="State">
          <StateLabel tone={labels.tone}>{labels.word}</StateLabel>
        </Fact>
        <Fact name="Address">
          <code className="font-mono">{connection.origin}</code>
          {status.mode === 'local' && <span className="text-muted"> (embedded, on this machine)</span>}
        </Fact>
        <Fact name="Since">{connection.since && <Instant at={connection.since} />}</Fact>
        <Fact name="Last good answer">{connection.lastOkAt ? <Ago at={connection.lastOkAt} /> : 'none yet'}</Fact>
        <Fact name="Watched now">
          {formatPlural(active.staticExports, 'export')}, {formatPlural(active.agentJobs, 'agent job')}
        </Fact>
        <Fact name="Deployment kind">{kinds[status.deploymentKind]}</Fact>
        <Fact name="Downloads">{delivery[status.bundleDelivery]}</Fact>
        <Fact name="Docket">version {status.version}</Fact>
      </Facts>
    </Panel>
  )
}
