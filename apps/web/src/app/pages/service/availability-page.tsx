import { AvailabilityMatrix } from '#features/service/connections/availability-matrix.tsx'
import { useStatus } from '#features/service/connections/connection.queries.ts'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { BackLink } from '#ui/links/link.tsx'

export const AvailabilityPage = () => {
  const { data } = useStatus()
  return (
    <>
      <BackLink to="/settings/connections">← Connections</BackLink>
      <PageHeader title="Availability">Features by kind of deployment.</PageHeader>
      <AvailabilityMatrix own={data?.deploymentKind ?? null} />
      <div className="mt-4 max-w-prose space-y-1.5 text-sm text-muted">
        <p>
          <strong className="font-medium text-text">Configurable</strong> features depend on how the environment is set
          up. Air-gapped deployments have no outbound network access.
        </p>
        <p>
          Your deployment kind comes from <code className="font-mono text-text">DEPLOYMENT_KIND</code>.
        </p>
      </div>
    </>
  )
}
