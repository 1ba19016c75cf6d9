import type { ReactNode } from 'react'
import { ConnectGuide } from '#features/service/connections/connect-guide.tsx'
import { ConnectionDetails } from '#features/service/connections/connection-details.tsx'
import { ConnectionReport } from '#features/service/connections/connection-report.tsx'
import { useStatus } from '#features/service/connections/connection.queries.ts'
import { NoService } from '#features/service/connections/no-service.tsx'
import { findConnection, isActiveConnection } from '#lib/connections/connections.ts'
import { useChosenConnection, useNoService } from '#ui/connections/use-connections.ts'
import { useRefusal } from '#ui/forms/use-refusal.ts'
import { Link } from '#ui/links/link.tsx'
import { Panel } from '#ui/layout/panel.tsx'
import { Skeleton } from '#ui/layout/skeleton.tsx'
import { NotificationSwitch } from '#app/activity/notification-switch.tsx'
import { PauseSwitch } from '#app/frame/pause-switch.tsx'
import { buildRecordLink } from '#app/address/record-link.ts'
import { SingleKeysSwitch } from '#app/keys/single-keys-switch.tsx'
import { ThemeSwitch } from '#app/theme/theme-switch.tsx'

const SettingChoice = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="flex flex-wrap items-center gap-x-5 gap-y-1 sm:grid sm:grid-cols-[6.5rem_1fr] sm:items-baseline">
    <span className="text-muted">{name}</span>
    <div className="min-w-0">{children}</div>
  </div>
)

export const SettingsPage = () => {
  const { data, error } = useStatus()
  const chosen = useChosenConnection()
  const noService = useNoService()
  const isAdmin = useRefusal('admin') === null
  const connections = data?.connections ?? []
  const connection = findConnection(connections, chosen) ?? connections.find(isActiveConnection) ?? connections[0]
  return (
    <div className="max-w-3xl space-y-4">
      {isAdmin && (
        <nav aria-label="Back" className="text-sm">
          <Link to="/settings/connections" className="inline-flex h-6 items-center text-muted hover:text-text">
            ← All connections
          </Link>
        </nav>
      )}
      {data && connection && <ConnectionDetails connection={connection} status={data} />}
      {!data && !error && <Skeleton className="h-72 w-full" />}
      {data && !connection && (
        <div className="panel">
          <NoService />
        </div>
      )}
      {(!connection || isActiveConnection(connection)) && !noService && (
        <ConnectionReport connectionId={chosen} linkTo={buildRecordLink} />
      )}
      {data?.mode === 'local' && data.local && <ConnectGuide local={data.local} mayAdd={isAdmin} />}
      <Panel title="This browser">
        <div className="space-y-3 text-sm">
          <SettingChoice name="Theme">
            <ThemeSwitch />
          </SettingChoice>
          <SettingChoice name="Refreshing">
            <PauseSwitch />
          </SettingChoice>
          <SettingChoice name="Keyboard">
            <SingleKeysSwitch />
          </SettingChoice>
          <SettingChoice name="Notifications">
            <NotificationSwitch />
          </SettingChoice>
        </div>
      </Panel>
    </div>
  )
}
