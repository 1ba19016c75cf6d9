import type { Fault } from '#proofs/harness/plant.ts'

/** Page text is not escaped. */
export const fault: Fault = {
  file: 'markdown/allow-list.ts',
  instead: 'svg.restore(sanitize(tree, schema) as Root)',
  write: 'svg.restore(tree)',
}
