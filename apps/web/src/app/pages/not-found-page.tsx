import { Link } from '#ui/links/link.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'

/** Page for unknown addresses. */
export const NotFoundPage = () => (
  <>
    <PageHeader title="Page not found" />
    <p className="text-sm text-muted">
      The address may be mistyped. Go to the{' '}
      <Link to="/" className="text-accent underline underline-offset-2">
        overview
      </Link>
      ,{' '}
      <Link to="/exports" className="text-accent underline underline-offset-2">
        exports
      </Link>{' '}
      or{' '}
      <Link to="/agent-jobs" className="text-accent underline underline-offset-2">
        agent jobs
      </Link>
      .
    </p>
  </>
)
