import { z } from 'zod'
import { ErrorCode } from '#ground/api-error.ts'
import { RecordKey } from './history.ts'

/** Operations of the Admin API (§4), and optional ones: two for prompts, the list of agent jobs, four of the embedded service. */
export const Operation = z.enum([
  'getAgentJob',
  'listAgentJobs',
  'createAgentJob',
  'sendAgentMessage',
  'cancelAgentJob',
  'archiveAgentJob',
  'readAgentJobLog',
  'startStaticExport',
  'getStaticExport',
  'cancelStaticExport',
  'generateBundle',
])
export type Operation = z.infer<typeof Operation>

/** The budget of calls, over all Dockets on this database. */
export const CallBudget = z.object({
  /** Calls an hour; 0: nothing is polled, only clicks make calls. */
  callsPerHour: z.int().nonnegative(),
  /** Calls of the last sixty minutes. */
  spent: z.object({ polls: z.int(), clicks: z.int() }),
  /** Calls left in the current hour. */
  left: z.int().nonnegative(),
  /** Calls reserved for clicks. */
  reserve: z.int().nonnegative(),
  /** When polling may make its next call. Null when it may now, or never. ISO 8601, UTC. */
  nextPollAt: z.iso.datetime().nullable(),
})
export type CallBudget = z.infer<typeof CallBudget>

/** A kind of calls that the circuit breaker stops, with reason and end. */
export const OpenCircuit = z.object({
  calls: z.enum(['static_exports', 'agent_jobs', 'agent_prompts']),
  code: ErrorCode,
  /** Cause and remedy for the reader. */
  message: z.string(),
  since: z.iso.datetime(),
  /** When the next call probes the service. ISO 8601, UTC. */
  until: z.iso.datetime(),
  /** Wait that the service requested, if longer than Docket's maximum of an hour. Milliseconds. */
  askedMs: z.number().positive().optional(),
})
export type OpenCircuit = z.infer<typeof OpenCircuit>

/** Report on the connection to the Admin API. All times ISO 8601, UTC. */
export const ConnectionReport = z.object({
  budget: CallBudget,
  gates: z.array(OpenCircuit),
  /** The last answer of each operation that was ever called. */
  operations: z.array(
    z.object({
      operation: Operation,
      lastAt: z.iso.datetime(),
      lastOkAt: z.iso.datetime().nullable(),
      /** Null when the last answer was good. */
      failure: z.object({ code: ErrorCode, message: z.string() }).nullable(),
      /** Duration of the last call. Milliseconds. */
      lastMs: z.number().nonnegative(),
    }),
  ),
  /** Calls of the last 24 hours, oldest first, one entry an hour; hours without calls are left out. */
  hours: z.array(
    z.object({
      hour: z.iso.datetime(),
      polls: z.int(),
      clicks: z.int(),
      /** Answers 429. */
      rateLimited: z.int(),
      /** Calls without a good answer, 429 included. */
      failed: z.int(),
    }),
  ),
  /** Overdue reads, and the reason; the reason is null when unknown. */
  late: z.object({ count: z.int(), byMs: z.number().nonnegative(), why: z.string().nullable() }),
  /** The next reads, at most ten. */
  nextChecks: z.array(z.object({ key: RecordKey, title: z.string(), nextCheckAt: z.iso.datetime() })),
  /** Events older than this are deleted. Days. */
  retentionDays: z.object({ staticExports: z.int(), agentJobs: z.int() }),
})
export type ConnectionReport = z.infer<typeof ConnectionReport>
