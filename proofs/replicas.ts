import { playSamples } from './harness/play-tests.ts'
import type { Fault } from './harness/plant.ts'
import type { Proof } from './harness/proof.ts'

const fault: Fault = {
  file: 'service/polling/claim.ts',
  instead: '.where(and(which, sql`${table.leaseOwner} = ${lease}`))',
  write: '.where(which)',
}

/** Replicas claim, read, and write back the same records in every order, while they are killed and replaced. */
export const proof: Proof = {
  name: 'replicas',
  bar: 'in 2,000 orders of claims, answers, clicks and deaths, and while 20 of three processes are killed, no record is lost, read twice or set back',
  fault,
  run: playSamples(['src/polling/replicas.', 'src/polling/claim.races.'], 2_000, fault),
}
