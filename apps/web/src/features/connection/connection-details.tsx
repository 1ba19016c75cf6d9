import type { Status } from '@docket/api-types/status'
import { formatPlural } from '#lib/format.ts'
import { Fact, Facts } from '#ui/facts.tsx'
import { StateLabel } from '#ui/state-mark.tsx'
import { Ago, Instant } from '#ui/ticking.tsx'
import { connectionWords } from './connection-state.ts'

const delivery = {
  stream: 'streamed through Docket',
  redirect: 'straight from the service’s storage',
}

const kinds = { cloud: 'Cloud', 'client-hosted': 'Client-hosted', 'air-gapped': 'Air-gapped' }

/** Health of the connection in full: what is known, since when, and the remedy. */
export const ConnectionDetails = ({ status }: { status: Status }) => {
  const { connection, active } = status
  const words = connectionWords(status)
  return (
    <section aria-labelledby="connection-heading" className="panel p-5">
      <h2 id="connection-heading" className="mb-4 text-base font-semibold">
        Service
      </h2>
      <Facts>
        <Fact name="State">
          <StateLabel tone={words.tone}>{words.word}</StateLabel>
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
    </section>
  )
}
