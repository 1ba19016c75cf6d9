import { playProveFiles } from './harness/play-tests.ts'
import type { Proof } from './harness/proof.ts'

/** Tests beside the code that start whole processes, in files named `*.prove.ts`. */
export const proof: Proof = {
  name: 'processes',
  bar: 'every test in a *.prove.ts passes',
  fault: null,
  run: playProveFiles,
}
