import { readdirSync, readFileSync } from 'node:fs'
import { runInSandbox } from '#agent-jobs/sandbox/run-in-sandbox.ts'

/** Why this machine cannot make a sandbox, or null when it can. */
export const whyNoSandbox = (): Promise<string | null> =>
  runInSandbox(
    { words: ['/bin/true'], folder: '/tmp', network: false, hidden: [], input: '' },
    AbortSignal.timeout(20_000),
  ).then(
    () => null,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )

/** Numbers of the processes of this machine whose command line holds `marker`. */
export const processesWith = (marker: string): string[] =>
  readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false
    try {
      return readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(marker)
    } catch {
      return false
    }
  })
