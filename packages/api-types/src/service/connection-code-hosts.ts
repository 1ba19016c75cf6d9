import { z } from 'zod'

export const CodeHostKind = z.enum(['github', 'gitlab', 'gitea'])
export type CodeHostKind = z.infer<typeof CodeHostKind>

/** A code host whose pull requests Docket reads for the jobs of one connection. Its token is never read back. */
export const ConnectionCodeHost = z.object({
  codeHostId: z.uuid(),
  kind: CodeHostKind,
  /** Origin, and a path where the service lives below one. Links must begin with exactly it. */
  url: z.string(),
  /** Source of the token: Settings, or `LOCAL_CODE_HOST_TOKEN`. */
  from: z.enum(['stored', 'environment']),
  /** When it last accepted the token. ISO 8601, UTC; null before the first call. */
  answeredAt: z.iso.datetime().nullable(),
  /** Why the last call failed, with a remedy; null after a good one. */
  problem: z.string().nullable(),
  /** Docket makes no calls before this time. ISO 8601, UTC; null without a pause. */
  pausedUntil: z.iso.datetime().nullable(),
  /** Null for the environment's. */
  addedBy: z.string().nullable(),
  addedAt: z.iso.datetime(),
})
export type ConnectionCodeHost = z.infer<typeof ConnectionCodeHost>

const token = z
  .string()
  .trim()
  .min(1, 'Enter a token.')
  .max(1024)
  .regex(/^[\u0021-\u007e]*$/, 'A token has no spaces or line breaks.')

export const AddCodeHost = z.object({
  kind: CodeHostKind,
  url: z.string().trim().min(1, 'Enter an address.').max(500),
  token,
})
export type AddCodeHost = z.input<typeof AddCodeHost>

/** Replace the token of a code host. Its address stays, so that no one can redirect a token to another host. */
export const ReplaceCodeHostToken = z.object({ token })
export type ReplaceCodeHostToken = z.input<typeof ReplaceCodeHostToken>

/** Test of a token: `accepted` · `rejected` by the code host · `unclear` without a conclusive answer. */
export const CodeHostCheck = z.object({ outcome: z.enum(['accepted', 'rejected', 'unclear']), message: z.string() })
export type CodeHostCheck = z.infer<typeof CodeHostCheck>
