import { playSamples } from './harness/play-tests.ts'
import type { Fault } from './harness/plant.ts'
import type { Proof } from './harness/proof.ts'

const fault: Fault = {
  file: 'mdx-language/src/patterns.ts',
  instead: '  if (isFields(owner)) return owner.get(String(key))\n',
  write: '  if (isFields(owner)) return (owner as never)[key]\n',
}

/** Generated programs of MDX, Astro and Vue, most of them reaching for what the language does not have. */
export const proof: Proof = {
  name: 'mdx-language',
  bar: 'of 40,000 generated programs none reaches a value or function of the host, throws, or takes more than its steps',
  fault,
  run: playSamples(['packages/mdx-language/src/language.test.ts'], 40_000, fault),
}
