import { headings } from '#app/titles/headings.ts'
import { AvailabilityMatrix } from '#features/service/availability/availability-matrix.tsx'
import { useStatus } from '#features/service/connections/connection.queries.ts'
import { PageHeader } from '#ui/layout/page-header.tsx'

const { title, about } = headings['/availability']

export const AvailabilityPage = () => {
  const { data } = useStatus()
  return (
    <>
      <PageHeader title={title}>{about}</PageHeader>
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
