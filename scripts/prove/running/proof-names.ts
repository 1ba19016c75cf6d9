import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Files of `scripts/prove` that hold no proof. What proofs share otherwise is in folders of their own. */
const helpers = new Set(['proof.ts', 'prove.ts', 'client.ts'])

/** Names of all proofs, in the order in which they are played. */
export const proofNames = (): string[] =>
  readdirSync(join(import.meta.dirname, '..'), { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !helpers.has(entry.name))
    .map((entry) => entry.name.slice(0, -'.ts'.length))
    .toSorted()
