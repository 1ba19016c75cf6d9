import type { Tx } from '#ground/db/database.ts'
import type { RecordKind } from '#service/polling/read-interval.ts'
import type { RecordName } from '#service/polling/viewers.ts'
import { codeHostSettings } from './code-hosts.service.ts'
import { codeHostOpener } from './open-code-hosts.ts'
import type { PullRequestsOfJobs, PullRequestWatcher, ReadOutcome } from './pull-request-watcher.ts'

type HearRead = (outcome: ReadOutcome, kind: string) => void

/** Reads pull requests from code hosts, with tokens that admins enter. */
export const pullRequestService = (
  deps: Omit<Parameters<typeof codeHostSettings>[0], 'open' | 'readAgain' | 'forget'> &
    Omit<Parameters<typeof codeHostOpener>[0], 'ring'> & {
      jobs: PullRequestsOfJobs & { forget: (tx: Tx, connectionId: string, url: string) => Promise<void> }
      /** Finds the watcher of an active connection. */
      findWatcher: (connectionId: string) => PullRequestWatcher | undefined
    },
) => {
  const { jobs, own, findWatcher } = deps
  const { readAgain, forget } = jobs
  const open = codeHostOpener(deps)
  const listeners: HearRead[] = []
  return {
    /** What the watcher of every connection needs. */
    watching: {
      jobs,
      open,
      own,
      onRead: (...read: Parameters<HearRead>) => listeners.forEach((hear) => hear(...read)),
    },
    settings: codeHostSettings({ ...deps, open, readAgain, forget }),
    /** Calls `hear` after every read. */
    onRead: (hear: HearRead) => void listeners.push(hear),
    /** Notes records that a page just showed. */
    noteViewed: (kind: RecordKind, names: readonly RecordName[]) => {
      if (kind !== 'agent_jobs') return
      for (const [connectionId = '', projectId = '', id = ''] of names)
        findWatcher(connectionId)?.note([{ projectId, id }])
    },
  }
}
