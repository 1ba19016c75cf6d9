import { useLocation } from '@tanstack/react-router'
import { buildRecordLink } from '#app/address/record-link.ts'
import { ProjectsSection } from '#features/records/agent-jobs/projects/projects-section.tsx'
import { ConnectGuide } from '#features/service/connections/connect-guide.tsx'
import { ConnectionDetails } from '#features/service/connections/connection-details.tsx'
import { ConnectionReport } from '#features/service/connections/connection-report.tsx'
import { useStatus } from '#features/service/connections/connection.queries.ts'
import { NoService } from '#features/service/connections/no-service.tsx'
import { ConnectionsList } from '#features/service/connections/settings/connections-list.tsx'
import { findConnection, isActiveConnection } from '#lib/connections/connections.ts'
import { useChosenConnection, useNoService } from '#ui/connections/use-connections.ts'
import { useRefusal } from '#ui/forms/use-refusal.ts'
import { Skeleton } from '#ui/layout/skeleton.tsx'
import { Link } from '#ui/links/link.tsx'

/** State, calls and checks of the chosen connection, or of the first. */
const OneConnection = ({ besideCards }: { besideCards: boolean }) => {
  const { data, error } = useStatus()
  const chosen = useChosenConnection()
  const noService = useNoService()
  const connections = data?.connections ?? []
  const connection = findConnection(connections, chosen) ?? connections.find(isActiveConnection) ?? connections[0]
  return (
    <div className="space-y-4">
      {data && connection && <ConnectionDetails connection={connection} status={data} />}
      {!data && !error && <Skeleton className="h-72 w-full" />}
      {data && !connection && (
        <div className="panel">
          <NoService />
        </div>
      )}
      {(!connection || isActiveConnection(connection)) && !noService && (
        <ConnectionReport connectionId={chosen} linkTo={buildRecordLink} besideCards={besideCards} />
      )}
    </div>
  )
}

export const ConnectionsPage = () => {
  const { data } = useStatus()
  const isAdmin = useRefusal('admin') === null
  const hash = useLocation({ select: (location) => location.hash })
  return (
    <div className="max-w-3xl space-y-8">
      {isAdmin ? (
        <>
          <ConnectionsList />
          <ProjectsSection />
          <details key={hash} id="calls" open={hash === 'calls'}>
            <summary className="mb-3 cursor-pointer py-1 text-base font-semibold">Calls and checks</summary>
            <OneConnection besideCards />
          </details>
        </>
      ) : (
        <OneConnection besideCards={false} />
      )}
      {data?.mode === 'local' && data.local && <ConnectGuide local={data.local} mayAdd={isAdmin} />}
      <p className="text-sm">
        <Link to="/availability" className="text-accent underline underline-offset-2">
          Features by kind of deployment
        </Link>
      </p>
    </div>
  )
}
