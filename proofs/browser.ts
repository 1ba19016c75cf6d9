import { playBrowserTests } from './harness/play-tests.ts'
import type { Proof } from './harness/proof.ts'

/** Everything that people do in a browser, of which `npm test` plays the stories. */
export const proof: Proof = {
  name: 'browser',
  bar: 'every browser test passes',
  fault: null,
  run: playBrowserTests,
}
