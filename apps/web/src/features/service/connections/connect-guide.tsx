import type { Status } from '@docket/api-types/status'
import { Link } from '#ui/links/link.tsx'

const command = `ADMIN_API_URL=https://api.example.com \\
ADMIN_API_KEY_FILE=/run/secrets/admin-api-key \\
npm start`

export const ConnectGuide = ({ local, mayAdd }: { local: NonNullable<Status['local']>; mayAdd: boolean }) => (
  <section aria-labelledby="connect-heading" className="panel p-5">
    <h2 id="connect-heading" className="mb-1 text-base font-semibold">
      Connect your own service
    </h2>
    <p className="max-w-prose text-sm text-muted">
      Docket runs on its embedded service: real exports and agent jobs on folders of this computer.{' '}
      {mayAdd && (
        <>
          <Link to="/settings/connections" className="text-accent underline underline-offset-2">
            Add a connection
          </Link>{' '}
          to your own service, or start Docket with its address and a key:
        </>
      )}
      {!mayAdd && 'Start Docket with the address of your Admin API and a key.'}
    </p>
    <pre
      className="mt-3 overflow-x-auto rounded-md border border-line bg-sunken p-3 font-mono text-sm"
      tabIndex={0}
      aria-label="Command"
    >
      {command}
    </pre>
    <p className="mt-3 text-sm text-muted">
      Sites you can export here:{' '}
      {local.domains.map((domain, index) => (
        <span key={domain}>
          {index > 0 && ', '}
          <code className="font-mono text-text">{domain}</code>
        </span>
      ))}
      . Pull requests of agent jobs are under{' '}
      <Link to="/agent-jobs/pulls" className="text-accent underline decoration-1 underline-offset-2 hover:decoration-2">
        Agent jobs
      </Link>
      .
    </p>
  </section>
)
