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
