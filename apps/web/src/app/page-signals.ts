import { useEffect } from 'react'
import { useStatus } from '#features/connection/connection.queries.ts'
import { connectionWords } from '#features/connection/connection-state.ts'
import { polling } from '#lib/polling.ts'

const iconOf = (running: number, trouble: boolean) => {
  if (trouble) return '/favicon-attention.svg'
  return running > 0 ? '/favicon-busy.svg' : '/favicon.svg'
}

/** Title and icon of the tab tell what runs; the embedded service is read faster, because it is on this machine. */
export const usePageSignals = (title: string): void => {
  const { data, error } = useStatus()
  const running = data ? data.active.staticExports + data.active.agentJobs : 0
  const trouble = error !== null || (data !== undefined && connectionWords(data).trouble)
  const local = data?.mode === 'local'
  useEffect(() => {
    document.title = [running > 0 ? `${running} running` : null, title, 'Docket'].filter(Boolean).join(' · ')
  }, [running, title])
  useEffect(() => {
    document.querySelector('#favicon')?.setAttribute('href', iconOf(running, trouble))
  }, [running, trouble])
  useEffect(() => polling.set({ liveMs: local ? 1000 : 2500 }), [local])
}
