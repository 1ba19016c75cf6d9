import { z } from 'zod'
import { Changes, Commit, Diff } from './changes.ts'

export const CodeHostProjects = z.object({
  projects: z.array(
    z.object({
      projectId: z.string(),
      /** Null before the first use of the project, which makes its repository. */
      openPulls: z.int().nullable(),
    }),
  ),
})
export type CodeHostProjects = z.infer<typeof CodeHostProjects>

export const CodeHostPullState = z.enum(['open', 'merged', 'closed'])
export type CodeHostPullState = z.infer<typeof CodeHostPullState>

export const CodeHostPullsQuery = z.object({
  state: z.enum([...CodeHostPullState.options, 'all']).default('open'),
  /** Lists only lower numbers. Pass `next` of the previous page. */
  before: z.coerce.number<number>().int().min(1).max(1_000_000_000).optional(),
})

const pullSummary = {
  number: z.int(),
  title: z.string(),
  branch: z.string(),
  state: CodeHostPullState,
  /** ISO 8601, UTC. */
  openedAt: z.string(),
  /** When it was merged or closed; also null when a crash prevented recording it. ISO 8601, UTC. */
  endedAt: z.string().nullable(),
}

/** The folder that a repository was imported from, beside the main branch. */
export const CodeHostFolder = z.object({
  /** Commit of the main branch; an update has to name it. */
  main: z.string(),
  /** Commits of the main branch that the folder lacks. */
  behind: z.int(),
  /** State in words. Untrusted plain text, since it may name files. */
  sentence: z.string(),
  isUpToDate: z.boolean(),
  canUpdate: z.boolean(),
})
export type CodeHostFolder = z.infer<typeof CodeHostFolder>

/** A project's pull requests, newest first, 50 at a time. All texts are untrusted plain text. */
export const CodeHostPulls = z.object({
  projectId: z.string(),
  /** Path for `git clone`, below Docket's own address. */
  clonePath: z.string(),
  counts: z.object({ open: z.int(), merged: z.int(), closed: z.int() }),
  pulls: z.array(z.object(pullSummary)),
  next: z.int().nullable(),
  /** Null when the project is no folder of the server; an earlier server does not send it. */
  folder: CodeHostFolder.nullish(),
})
export type CodeHostPulls = z.infer<typeof CodeHostPulls>

export const CodeHostAction = z.enum(['merge', 'close', 'reopen', 'delete-branch'])
export type CodeHostAction = z.infer<typeof CodeHostAction>

/** Reason why an action isn't possible now; null when it is. */
const refusal = z.string().nullable()

/** One pull request. All texts are untrusted plain text. */
export const CodeHostPull = z.object({
  projectId: z.string(),
  ...pullSummary,
  body: z.string(),
  /** Head commit; an action has to name it. */
  head: z.string(),
  /** Effect of a merge, in words. Null unless the pull request is open. */
  mergeability: z.object({ canMerge: z.boolean(), sentence: z.string() }).nullable(),
  refusals: z.object({ merge: refusal, close: refusal, reopen: refusal, 'delete-branch': refusal }),
  changes: Changes,
  /** The agent job that works on the branch. */
  job: z.object({ connectionId: z.string().nullable(), id: z.string(), title: z.string() }).nullable(),
})
export type CodeHostPull = z.infer<typeof CodeHostPull>

/** An action on a pull request at a known head commit. */
export const ActOnPull = z.object({
  /** Head commit that the person saw. 409 when the branch moved on. */
  head: z.string().regex(/^[0-9a-f]{40}$/),
})

/** An update of the folder from a known commit of the main branch. */
export const UpdateFolder = z.object({
  /** `folder.main` as the person saw it. 409 when the main branch moved on. */
  main: z.string().regex(/^[0-9a-f]{40}$/),
})

/** One commit with its changes against its first parent. All texts are untrusted plain text. */
export const CodeHostCommit = Commit.extend({
  projectId: z.string(),
  parents: z.array(z.string()),
  message: z.string(),
  diff: Diff,
})
export type CodeHostCommit = z.infer<typeof CodeHostCommit>
