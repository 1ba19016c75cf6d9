import type { Status } from '@docket/api-types/status'
import { useEffect } from 'react'
import { useStatus } from '#features/connection/connection.queries.ts'
import { labelConnection } from '#features/connection/connection-state.ts'
import { isNotSignedIn } from '#lib/api-error.ts'
import { polling } from '#lib/polling.ts'
import { currentWatching } from '#lib/watching.ts'

const chooseIcon = (running: number, trouble: boolean) => {
  if (trouble) return '/favicon-attention.svg'
  return running > 0 ? '/favicon-busy.svg' : '/favicon.svg'
}

/** States in which no record can be read. A refusal may concern one operation only, and a 429 only slows down. */
const downStates = new Set<Status['connection']['state']>(['unreachable', 'key_rejected', 'unexpected'])

const explainDown = (status: Status): string | null => {
  if (!downStates.has(status.connection.state)) return null
  const { title, remedy } = labelConnection(status)
  return remedy ?? title
}

/** Shows running records in the tab's title and icon. Polls the embedded service faster, because it is local. */
export const usePageSignals = (title: string): void => {
  const { data, error } = useStatus()
  const running = data ? data.active.staticExports + data.active.agentJobs : 0
  const trouble = (error !== null && !isNotSignedIn(error)) || (data !== undefined && labelConnection(data).trouble)
  const local = data?.mode === 'local'
  useEffect(() => {
    document.title = [running > 0 ? `${running} running` : null, title, 'Docket'].filter(Boolean).join(' · ')
  }, [running, title])
  useEffect(() => {
    document.querySelector('#favicon')?.setAttribute('href', chooseIcon(running, trouble))
  }, [running, trouble])
  useEffect(() => polling.set({ liveMs: local ? 1000 : 2500 }), [local])
  useEffect(() => {
    if (data) currentWatching.set({ ...data.watching, down: explainDown(data) })
  }, [data])
}
