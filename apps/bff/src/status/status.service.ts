import type { Status } from '@docket/api-types/status'
import { sharedReads } from '#http/polled/shared-reads.ts'

/** What stays the same while the server runs. */
export type StatusFacts = Pick<Status, 'version' | 'mode' | 'deploymentKind' | 'bundleDelivery' | 'local'>

/** Reads what the shell shows: how the Admin API behaves, what is watched, and what this installation is. */
export type StatusService = { read(): Promise<Status> }

export const statusService = (deps: {
  facts: StatusFacts
  /** How the Admin API behaves, and whether reads are held back, over all Dockets. */
  report: () => Promise<Pick<Status, 'connection' | 'watching'>>
  /** Jobs that are being watched right now. */
  active: () => Promise<Status['active']>
  now: () => number
}): StatusService => ({
  // Every open page asks.
  read: sharedReads(async () => ({
    ...deps.facts,
    ...(await deps.report()),
    active: await deps.active(),
    now: new Date(deps.now()).toISOString(),
  })),
})
