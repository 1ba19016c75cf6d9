import { playSamples } from './harness/play-tests.ts'
import type { Fault } from './harness/plant.ts'
import type { Proof } from './harness/proof.ts'

/** Limited tokens reach what concerns everything. */
const fault: Fault = {
  file: 'ground/http/access/access.ts',
  instead: "return tokens === 'whole' ? !isRestricted(identity) : tokens !== 'none'",
  write: "return tokens !== 'none'",
}

/** Everybody at every route, about every record that is theirs or not, and every way for a page elsewhere to ask for a change. */
export const proof: Proof = {
  name: 'access',
  bar: 'at every route each kind of person and token comes exactly as far as the tables say, and no page elsewhere changes anything',
  fault,
  run: playSamples(['access/access.test.', 'access/connection-rights.', 'access/same-origin.'], 1, fault),
}
