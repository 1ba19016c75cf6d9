import { Unplug } from 'lucide-react'
import { useRefusal } from '#ui/forms/use-refusal.ts'
import { EmptyState } from '#ui/layout/page.tsx'
import { Link } from '#ui/links/link.tsx'

export const NoServiceAdvice = () =>
  useRefusal('admin') === null ? (
    <>
      Docket can’t start or check anything.{' '}
      <Link to="/settings/connections" className="text-accent underline underline-offset-2">
        Connect a service in Settings
      </Link>
      .
    </>
  ) : (
    'Docket can’t start or check anything. Ask an admin to connect one.'
  )

export const NoService = () => (
  <EmptyState icon={<Unplug strokeWidth={1.5} />} title="No service is connected">
    <NoServiceAdvice />
  </EmptyState>
)
