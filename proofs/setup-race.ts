import { playSamples } from './harness/play-tests.ts'
import type { Fault } from './harness/plant.ts'
import type { Proof } from './harness/proof.ts'

const fault: Fault = {
  file: 'people/accounts/setup.ts',
  instead: `    await lockFirstAccount(tx)
    if (!(await needsSetup(tx))) throw alreadySetUpError()
    if ((await lockLink(tx, token, 'setup', now)) === null) throw deadLinkError()
    if (password === undefined`,
  write: `    if (!(await needsSetup(tx))) throw alreadySetUpError()
    if ((await findLink(tx as never, token, now)) === null) throw deadLinkError()
    if (password === undefined`,
}

/** Several people open the printed links at once, on two replicas that share a database. */
export const proof: Proof = {
  name: 'setup-race',
  bar: 'of 40 attempts at once with two setup links on two replicas exactly one makes an admin',
  fault,
  run: playSamples(['apps/bff/src/people/accounts/first-start/first-admin.test.ts'], 40, fault),
}
