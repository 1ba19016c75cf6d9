import type { Site } from '@docket/api-types/sites'
import { useSyncExternalStore } from 'react'
import { permissions } from '#lib/people/permissions.ts'
import { useConnections } from '#ui/connections/connections.tsx'

/** True when the reader may open the exports of a site, not only its channels. */
export const useSeesExports = ({ feeds }: Pick<Site, 'feeds'>): boolean => {
  const role = useSyncExternalStore(permissions.subscribe, permissions.get)
  const connections = useConnections()
  if (role === 'none') return false
  return (
    connections === null ||
    feeds.some(({ connectionId }) => connections.some((connection) => connection.connectionId === connectionId))
  )
}
