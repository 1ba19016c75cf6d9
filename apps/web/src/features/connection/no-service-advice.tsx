import { useRefusal } from '#ui/forms/use-refusal.ts'
import { Link } from '#ui/link.tsx'

/** Next step of a Docket without a service, by role. */
export const NoServiceAdvice = () =>
  useRefusal('admin') === null ? (
    <>
      Nothing can be started or checked.{' '}
      <Link to="/settings/connections" className="text-accent underline underline-offset-2">
        Connect a service in Settings
      </Link>
      .
    </>
  ) : (
    'Nothing can be started or checked. Ask an admin of this Docket to connect one.'
  )
