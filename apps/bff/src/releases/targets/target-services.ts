import type { KeyRing } from '#ground/secret/encrypted-text.ts'
import { deliveryService } from './deliveries.service.ts'
import { deliveryWork } from './delivery-work.ts'
import { targetOpener } from './open-target.ts'
import { targetSecrets } from './target-secrets.ts'
import { targetTester } from './target-tests.ts'
import { targetService } from './targets.service.ts'

/** Name of the queue of targets with deliveries to make. */
const queue = 'docket-deliveries'
/** Targets that one process asks for at a time. */
const maxAsked = 100
/** Deliveries of one process at a time. */
const atOnce = 4
const soonMs = 200

/** Everything about targets and deliveries. Nothing is delivered before `tick` is called. */
export const targetServices = (
  deps: Omit<Parameters<typeof targetService>[0], 'open' | 'secrets'> &
    Pick<Parameters<typeof deliveryService>[0], 'hold'> &
    Pick<Parameters<typeof deliveryWork>[0], 'log'> & {
      instance: KeyRing
      /** Secrets that the log hides. Grows. */
      secrets: Set<string>
      /** Asks for work on a record in a queue. */
      request: (queue: string, key: string) => Promise<void>
    },
) => {
  const secrets = targetSecrets(deps.instance, deps.secrets)
  const shared = { ...deps, secrets, open: targetOpener(deps.machine) }
  const work = deliveryWork(shared)
  const requestWaiting = async () => {
    for (const targetId of await work.listWaiting(maxAsked)) await deps.request(queue, targetId)
  }
  // The transaction that asks for the work has yet to commit.
  const wake = () => {
    setTimeout(() => {
      requestWaiting().catch((error: unknown) => deps.log.debug({ err: error }, 'deliveries wait for the next look'))
    }, soonMs).unref()
  }
  const deliveries = deliveryService({ ...shared, wake })
  return {
    targets: targetService(shared),
    tester: targetTester(shared),
    deliveries,
    onReleased: deliveries.onReleased,
    records: [{ name: queue, run: work.run, atOnce }],
    /** Called every few seconds. */
    tick: requestWaiting,
  }
}

export type TargetServices = ReturnType<typeof targetServices>
