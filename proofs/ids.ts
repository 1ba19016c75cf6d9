import { playSamples } from './harness/play-tests.ts'
import type { Proof } from './harness/proof.ts'
import type { Fault } from './harness/plant.ts'

const fault: Fault = {
  file: 'transport/upstream-path.ts',
  instead: 'return encodeURIComponent(id)',
  write: 'return id',
}

/** Every pair of hostile ids, through the real client against a server that writes down raw request lines. */
export const proof: Proof = {
  name: 'ids',
  bar: 'of 8,000 hostile pairs of ids none leaves the four path templates',
  fault,
  run: playSamples(['apps/bff/src/service/admin-api/http-admin-api.ids.test.ts'], 8_000, fault),
}
