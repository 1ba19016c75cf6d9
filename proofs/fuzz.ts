import { playSamples } from './harness/play-tests.ts'
import type { Fault } from './harness/plant.ts'
import type { Proof } from './harness/proof.ts'

/** A forged place in a list reaches the database. */
const fault: Fault = {
  file: 'ground/db/pages.ts',
  instead: '  } catch {\n',
  write: '  } catch (error) {\n    throw error\n',
}

/** Requests that almost fit, as everybody who may ask, at every route, while the Admin API fails in every way it can. */
export const proof: Proof = {
  name: 'fuzz',
  bar: 'of 2,000 fuzzed requests none leaks a canary, gets a 5xx that is not the service’s, hangs, or is answered without the headers of every answer',
  fault,
  run: playSamples(['apps/bff/src/ground/http/fuzz.test.ts'], 2_000, fault),
}
