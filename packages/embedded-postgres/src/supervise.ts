import { setTimeout as sleep } from 'node:timers/promises'
import { startServer, type Server, type ServerOptions } from './server.ts'
import { stopSurvivors } from './survivors.ts'

const maxPauseMs = 30_000
const steadyAfterMs = 60_000

/**
 * Keeps one server running on a cluster and restarts it on the same socket: at once the first time, then with pauses that double up to
 * 30 s. Rejects when the first start fails.
 */
export const supervise = async (options: ServerOptions): Promise<{ stop(): Promise<void> }> => {
  const stopping = new AbortController()
  const start = async (): Promise<Server> => {
    await stopSurvivors(options.directory)
    return startServer(options)
  }
  let server = await start()
  let startedAt = performance.now()
  let failures = 0

  const again = async (): Promise<void> => {
    if (performance.now() - startedAt > steadyAfterMs) failures = 0
    const pauseMs = failures === 0 ? 0 : Math.min(maxPauseMs, 250 * 2 ** failures)
    failures += 1
    await sleep(pauseMs, undefined, { signal: stopping.signal })
    startedAt = performance.now()
    server = await start()
    options.log.warn('The embedded PostgreSQL runs again.')
  }

  const keepRunning = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await server.ended
      if (stopping.signal.aborted) return
      options.log.error('The embedded PostgreSQL ended unexpectedly; starting it again.')
      await again().catch((error: unknown) => {
        if (!stopping.signal.aborted) options.log.error(error instanceof Error ? error.message : String(error))
      })
    }
  }
  const loop = keepRunning()

  return {
    stop: async () => {
      stopping.abort()
      await server.stop()
      await loop
      // A restart that was under way may have replaced the server.
      await server.stop()
    },
  }
}
