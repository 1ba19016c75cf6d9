import { useEffect, useSyncExternalStore } from 'react'
import { useStatus } from '#features/service/connections/connection.queries.ts'
import { labelConnection } from '#features/service/connections/connection-state.ts'
import { isNotSignedIn } from '#lib/api/api-error.ts'
import { currentConnections, explainDown, isActive } from '#lib/connections/connections.ts'
import { polling } from '#lib/polling/polling.ts'
import { currentWatching } from '#lib/polling/watching.ts'
import { recordTitle } from './page-title.ts'

const chooseIcon = (running: number, trouble: boolean) => {
  if (trouble) return '/favicon-attention.svg'
  return running > 0 ? '/favicon-busy.svg' : '/favicon.svg'
}

/**
 * Shows the record of the page, or how many run, in the tab's title, and whether any run in its icon. Polls the embedded service
 * faster, because it is local.
 */
export const usePageSignals = (title: string): void => {
  const { data, error } = useStatus()
  const running = data ? data.active.staticExports + data.active.agentJobs : 0
  const trouble =
    (error !== null && !isNotSignedIn(error)) ||
    (data?.connections.some((one) => labelConnection(one).trouble) ?? false)
  const active = data?.connections.filter(isActive)
  const local = active !== undefined && active.length > 0 && active.every(({ kind }) => kind === 'embedded')
  const record = useSyncExternalStore(recordTitle.subscribe, recordTitle.get)
  useEffect(() => {
    const names = record === null ? [running > 0 && `${running} running`, title] : [record]
    document.title = [...names, 'Docket'].filter(Boolean).join(' · ')
  }, [running, title, record])
  useEffect(() => {
    document.querySelector('#favicon')?.setAttribute('href', chooseIcon(running, trouble))
  }, [running, trouble])
  useEffect(() => polling.set({ liveMs: local ? 1000 : 2500 }), [local])
  useEffect(() => {
    if (!data) return
    const first = data.connections.find(isActive)
    currentWatching.set({ ...data.watching, down: first ? explainDown(first) : null })
    currentConnections.set(data.connections)
  }, [data])
}
