import { z } from 'zod'

/** All checks of a commit together. Null when it has none, or the token may not see them. */
export type Checks = 'passing' | 'failing' | 'pending' | null

/** Combines groups of checks: one that fails decides, then one that is pending. */
export const combineChecks = (groups: readonly Checks[]): Checks =>
  (['failing', 'pending', 'passing'] as const).find((checks) => groups.includes(checks)) ?? null

/** A commit id, which becomes a part of an address. */
export const CommitId = z.string().regex(/^[0-9a-f]{40,64}$/)

/** Combined status of a commit on GitHub and Gitea. Without a status, GitHub calls it pending. */
export const CombinedStatus = z.object({ state: z.string().catch(''), total_count: z.int().catch(0) })

const states: Readonly<Record<string, Checks>> = {
  success: 'passing',
  warning: 'passing',
  skipped: 'passing',
  failure: 'failing',
  error: 'failing',
  pending: 'pending',
}

export const toChecks = ({ state, total_count: count }: z.infer<typeof CombinedStatus>): Checks =>
  count === 0 ? null : (states[state] ?? null)
