import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore, type ReactNode } from 'react'
import { connectivity } from '#lib/api/connectivity.ts'
import { ConnectivityContext } from '#ui/live/connectivity-context.ts'

/**
 * Tells the page whether Docket is reachable. Checks at once when the browser goes offline or online, because only an
 * answer proves anything about a server on the same machine. Repeats failed reads before it reports Docket as reachable.
 */
export const ConnectivityProvider = ({ children }: { children: ReactNode }) => {
  const client = useQueryClient()
  const failure = useSyncExternalStore(connectivity.subscribe, connectivity.get)
  const [shown, setShown] = useState(failure)
  if (failure !== null && failure !== shown) setShown(failure)
  useEffect(() => {
    if (failure !== null) return
    const failed = {
      type: 'active',
      predicate: ({ state }: { state: { error: unknown } }) => state.error !== null,
    } as const
    void client.refetchQueries(failed).then(() => connectivity.get() === null && setShown(null))
  }, [client, failure])
  useEffect(() => {
    const ask = () => void client.refetchQueries({ type: 'active' })
    for (const sign of ['offline', 'online']) addEventListener(sign, ask)
    return () => {
      for (const sign of ['offline', 'online']) removeEventListener(sign, ask)
    }
  }, [client])
  return <ConnectivityContext value={shown}>{children}</ConnectivityContext>
}
