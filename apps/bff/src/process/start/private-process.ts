import { url as debuggerAddress } from 'node:inspector'

/**
 * Makes new files 0600 and new folders 0700, in child processes too. Call it before anything else. Throws a sentence for the operator
 * when a debugger listens, because a debugger gives away every secret.
 */
export const makeProcessPrivate = (): void => {
  process.umask(0o077)
  // Node's crash report would contain the whole environment.
  process.report.excludeEnv = true
  if (debuggerAddress() !== undefined)
    throw new Error(
      'Node was started with a debugger (--inspect, perhaps in NODE_OPTIONS), and a debugger gives away every secret. Start Docket without it.',
    )
}
