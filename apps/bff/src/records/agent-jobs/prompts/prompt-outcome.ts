import { and, eq, inArray, isNull, lte, notLike, or } from 'drizzle-orm'
import type { AgentJobSnapshot } from '#service/admin-api/admin-api.ts'
import type { AdminApiError } from '#ground/errors/app-error.ts'
import { listJobEvents } from '#records/agent-jobs/agent-jobs.history.ts'
import {
  addPromptToJob,
  countJobChange,
  insertJob,
  isJob,
  type JobKey,
  createUnreadJobRow,
  recordJobEvents,
} from '#records/agent-jobs/agent-jobs.rows.ts'
import {
  afterAnswer,
  type AgentJobRow,
  selectWritableColumns,
  addAcceptedPrompt,
} from '#records/agent-jobs/agent-jobs.state.ts'
import { agentJobs } from '#records/agent-jobs/agent-jobs.table.ts'
import type { Actor } from '#ground/identity/identity.ts'
import type { Tx, Database } from '#ground/db/database.ts'
import { bumpRevision } from '#ground/db/revision.ts'
import type { NewEvent } from '#service/history/history.ts'
import type { Clock } from '#service/polling/schedule.ts'
import { agentPrompts } from './agent-prompts.table.ts'
import { type AgentPromptRow, isPrompt } from './agent-prompts.state.ts'

/** Marks prompts without an answer as `unknown`: those older than any call and, with `orphans`, those of every other process. */
export const endTimedOutPrompts = async (
  db: Database,
  clock: Clock,
  orphans?: { owner: string; connectionId: string },
): Promise<void> => {
  const over =
    orphans === undefined
      ? lte(agentPrompts.leaseUntil, new Date(clock.now))
      : and(
          eq(agentPrompts.connectionId, orphans.connectionId),
          or(isNull(agentPrompts.leaseOwner), notLike(agentPrompts.leaseOwner, `${orphans.owner}/%`)),
        )
  const rows = await db
    .select({ requestId: agentPrompts.requestId })
    .from(agentPrompts)
    .where(and(eq(agentPrompts.state, 'sending'), over))
  for (const { requestId } of rows)
    await db.transaction((tx) =>
      storePromptOutcome(tx, requestId, { state: 'unknown', error: null }, { by: null, clock, only: ['sending'] }),
    )
}

/** `unknown`: the prompt may have arrived; `error` is null when no outcome was recorded. */
export type PromptOutcome =
  | { state: 'accepted'; jobId: string; snapshot: AgentJobSnapshot }
  | { state: 'refused'; error: AdminApiError }
  | { state: 'unknown'; error: AdminApiError | null }

/** A service needs at most this long to reopen a finished job. Milliseconds. */
const settlesWithinMs = 5_000

const unrecorded: Record<AgentPromptRow['kind'], string> = {
  creation: 'Docket got no response, so the job may or may not exist. Check the service before you create it again.',
  message:
    'Docket got no response, so the message may or may not have arrived. Check the job before you send it again.',
}

const toPromptChanges = (row: AgentPromptRow, outcome: PromptOutcome, at: Date) => {
  const over = { state: outcome.state, leaseOwner: null, leaseUntil: null, answeredAt: at }
  if (outcome.state === 'accepted') return { ...over, jobId: outcome.jobId, reason: null, code: null }
  const { error } = outcome
  return { ...over, reason: error?.message ?? unrecorded[row.kind], code: error?.code ?? null }
}

/** Without a status in the answer, the job is due for a read at once. */
export const applyPromptAnswer = (row: AgentJobRow, snapshot: AgentJobSnapshot, clock: Clock): AgentJobRow =>
  snapshot.status === null ? { ...row, nextCheckAt: new Date(clock.now) } : afterAnswer(row, snapshot, clock)

const storeCreatedJob = async (
  tx: Tx,
  key: JobKey,
  { prompt, snapshot }: { prompt: AgentPromptRow; snapshot: AgentJobSnapshot },
  { by, clock }: PromptContext,
) => {
  const at = new Date(clock.now)
  // The answer to a prompt does not prove that reads find the job.
  const job = {
    ...applyPromptAnswer(addAcceptedPrompt(createUnreadJobRow(key, at), prompt), snapshot, clock),
    foundAt: null,
  }
  // A person who saw the job at the service may already follow it.
  if (!(await insertJob(tx, job))) await addPromptToJob(tx, key, prompt)
  await recordJobEvents(tx, key, [{ kind: 'created', at, ...(by && { by }), to: snapshot.status }])
}

type PromptContext = { by: Actor | null; clock: Clock }

const storeMessageOutcome = async (
  tx: Tx,
  key: JobKey,
  { prompt, outcome, reason }: { prompt: AgentPromptRow; outcome: PromptOutcome; reason: string | null },
  { clock }: PromptContext,
) => {
  const at = new Date(clock.now)
  const [job] = await tx
    .select()
    .from(agentJobs)
    .where(and(isJob(key), isNull(agentJobs.removedAt)))
    .for('update')
  if (job === undefined) return bumpRevision(tx, 'agent_jobs')
  const answered =
    outcome.state === 'accepted' ? applyPromptAnswer(addAcceptedPrompt(job, prompt), outcome.snapshot, clock) : job
  const takenUp = outcome.state === 'accepted' && answered.finishedAt === null
  // Read the job soon: it is about to change, or Docket's snapshot of it is wrong.
  const look = new Date(clock.now + (outcome.state === 'accepted' ? settlesWithinMs : 0))
  const { viewedUntil, ...changes } = selectWritableColumns(takenUp ? answered : { ...answered, nextCheckAt: look })
  // A read in progress began before the message, and loses its lease so that it cannot write its older answer.
  await tx
    .update(agentJobs)
    .set({ ...changes, leaseOwner: null, leaseUntil: null })
    .where(isJob(key))
  await countJobChange(tx, key)
  const moment = { now: clock.now, runningSince: clock.now }
  const events: Record<PromptOutcome['state'], () => NewEvent[]> = {
    accepted: () => listJobEvents(job, answered, moment),
    refused: () => [{ kind: 'refused', at, to: reason }],
    unknown: () => [{ kind: 'answer_lost', at, to: reason }],
  }
  return recordJobEvents(tx, key, events[outcome.state]())
}

/**
 * Stores the outcome of a prompt, and follows its job from then on. Does nothing when the outcome was already decided, for example by a
 * person who attached the job. A late answer still decides a prompt that was marked `unknown`.
 */
export const storePromptOutcome = async (
  tx: Tx,
  requestId: string,
  outcome: PromptOutcome,
  context: PromptContext & { only?: readonly AgentPromptRow['state'][] },
): Promise<void> => {
  const { only = ['sending', 'unknown'] } = context
  const [row] = await tx
    .select()
    .from(agentPrompts)
    .where(and(isPrompt(requestId), inArray(agentPrompts.state, [...only])))
    .for('update')
  if (row === undefined) return
  const at = new Date(context.clock.now)
  const changes = toPromptChanges(row, outcome, at)
  await tx.update(agentPrompts).set(changes).where(eq(agentPrompts.requestId, requestId))
  const { connectionId, projectId, jobId } = row
  if (jobId !== null)
    await storeMessageOutcome(
      tx,
      { connectionId, projectId, id: jobId },
      { prompt: row, outcome, reason: changes.reason },
      context,
    )
  else if (outcome.state === 'accepted')
    await storeCreatedJob(
      tx,
      { connectionId, projectId, id: outcome.jobId },
      { prompt: row, snapshot: outcome.snapshot },
      context,
    )
  else {
    // A refused prompt replaces nothing, so the earlier request is open again.
    if (outcome.state === 'refused')
      await tx.update(agentPrompts).set({ replacedBy: null }).where(eq(agentPrompts.replacedBy, requestId))
    await bumpRevision(tx, 'agent_jobs')
  }
}
