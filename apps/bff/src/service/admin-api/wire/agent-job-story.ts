import { z } from 'zod'
import { findProse } from './sentence.ts'
import { count, instant, knownWord, prose, words } from './wire-values.ts'

const maxCount = 2_147_483_647
/** Longest text of a report or a reason that is kept. */
const maxProse = 20_000

const noPullRequest = { number: null, title: null, state: null, checks: null, mergeable: null }

const DiffStatWire = z.object({ files: count(maxCount), added: count(maxCount), removed: count(maxCount) })

const UsageWire = z.object({
  inputTokens: count(Number.MAX_SAFE_INTEGER),
  outputTokens: count(Number.MAX_SAFE_INTEGER),
  costUsd: z.number().min(0).max(1_000_000).nullable().catch(null),
})

const PullRequestWire = z.object({
  number: count(maxCount),
  title: words(300),
  state: knownWord('draft', 'open', 'merged', 'closed'),
  checks: knownWord('passing', 'failing', 'pending'),
  mergeable: z.boolean().nullable().catch(null),
})

/** The fields beyond Admin API §2.1, each null when missing or mistyped. */
export const agentJobStory = {
  title: words(300),
  report: prose(maxProse),
  error: z.preprocess(findProse, prose(maxProse)),
  startedAt: instant,
  queuePosition: count(1_000_000),
  lastLine: prose(500),
  diffStat: DiffStatWire.nullable().catch(null),
  usage: UsageWire.nullable().catch(null),
  pullRequest: PullRequestWire.nullable().catch(null),
}

type Story = z.output<z.ZodObject<typeof agentJobStory>>

/** Converts them for the snapshot of the job in `body`. */
export const toStory = (body: Record<string, unknown>, status: string | null, story: Story) => {
  const { title, diffStat, usage, pullRequest, queuePosition, startedAt, ...texts } = story
  const { files = null, added = null, removed = null } = diffStat ?? {}
  const { number, state, checks, mergeable, title: pullRequestTitle } = pullRequest ?? noPullRequest
  const place = queuePosition === 0 ? null : queuePosition
  // Only null says that work has not begun; a service that leaves the field out says nothing.
  const hasNotBegun = Object.hasOwn(body, 'startedAt') && body.startedAt === null
  return {
    ...texts,
    serviceTitle: title,
    startedAt,
    queuePosition: status === 'active' ? place : null,
    isDetailed: Object.keys(agentJobStory).some((field) => Object.hasOwn(body, field)),
    isWaiting: status === 'active' && (place !== null || hasNotBegun),
    diffStat: files === null || added === null || removed === null ? null : { files, added, removed },
    usage: usage === null || Object.values(usage).every((value) => value === null) ? null : usage,
    pullRequestNumber: number,
    pullRequestTitle,
    pullRequestState: state,
    pullRequestChecks: checks,
    pullRequestMergeable: mergeable,
  }
}
