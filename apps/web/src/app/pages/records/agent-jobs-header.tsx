import type { ReactNode } from 'react'
import { headings } from '#app/titles/headings.ts'
import { useLocalService, usePromptsAllowed } from '#features/service/connections/connection.queries.ts'
import { isActiveConnection } from '#lib/connections/connections.ts'
import { useConnections } from '#ui/connections/connections.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { tabClass, Tabs } from '#ui/layout/tabs.tsx'
import { NavLink } from '#ui/links/link.tsx'

/** True while a connection accepts new agent jobs; before that is known, as it was last time. */
export const useJobsAllowed = (): boolean => {
  const before = usePromptsAllowed()
  return useConnections()?.some((one) => isActiveConnection(one) && one.agentJobCreation) ?? before
}

/** Heading of all pages about agent jobs. Has tabs only where there is more than jobs. */
export const AgentJobsHeader = ({ children, actions }: { children: ReactNode; actions?: ReactNode }) => {
  const hasPulls = Boolean(useLocalService())
  const hasPrompts = useJobsAllowed()
  return (
    <>
      <PageHeader title={headings['/agent-jobs'].title} actions={actions}>
        {children}
      </PageHeader>
      {(hasPulls || hasPrompts) && (
        <Tabs label="Agent jobs">
          <NavLink to="/agent-jobs" only className={tabClass}>
            Jobs
          </NavLink>
          {hasPulls && (
            <NavLink to="/agent-jobs/pulls" className={tabClass}>
              Pull requests
            </NavLink>
          )}
          {hasPrompts && (
            <NavLink to="/agent-jobs/prompts" className={tabClass}>
              Prompts
            </NavLink>
          )}
        </Tabs>
      )}
    </>
  )
}
