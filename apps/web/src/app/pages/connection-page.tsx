import { ConnectGuide } from '#features/connection/connect-guide.tsx'
import { ConnectionDetails } from '#features/connection/connection-details.tsx'
import { useStatus } from '#features/connection/connection.queries.ts'
import { PageHeader } from '#ui/page-header.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { PauseSwitch } from '#app/pause-switch.tsx'
import { ThemeSwitch } from '#app/theme-switch.tsx'

/** Health of the connection, and the settings of this browser. */
export const ConnectionPage = () => {
  const { data, error } = useStatus()
  return (
    <>
      <PageHeader title="Connection">Between Docket and the documentation service.</PageHeader>
      <div className="max-w-3xl space-y-4">
        {data && <ConnectionDetails status={data} />}
        {!data && !error && <Skeleton className="h-72 w-full" />}
        {data?.local && <ConnectGuide local={data.local} />}
        <section aria-labelledby="browser-heading" className="panel p-5">
          <h2 id="browser-heading" className="mb-3 text-base font-semibold">
            This browser
          </h2>
          <div className="flex flex-wrap items-center gap-x-8 gap-y-3 text-sm">
            <span className="inline-flex items-center gap-3">
              <span className="text-muted">Theme</span>
              <ThemeSwitch />
            </span>
            <span className="inline-flex items-center gap-2">
              <span className="text-muted">Refreshing</span>
              <PauseSwitch />
            </span>
          </div>
        </section>
      </div>
    </>
  )
}
