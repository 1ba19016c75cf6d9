import { z } from 'zod'
import { ErrorCode } from '#ground/api-error.ts'
import { recordConnection } from '#ground/list.ts'
import { typedText } from '#ground/text.ts'
import { connectionChoice } from '#service/connections.ts'
import { AgentJob, UpstreamId } from './agent-jobs.ts'
import { MaintenanceOrder } from './maintenance-orders.ts'

/** Maximum length of a prompt. UTF-16 units, as JavaScript counts. */
export const maxPromptLength = 10_000

const Prompt = typedText(maxPromptLength, 'Say what the agent should do.')

/** Create an agent job with a prompt, or with a maintenance order that Docket puts into words. The same `requestId` never creates a second one. */
export const CreateAgentJob = z
  .object({
    /** The browser creates one per intent, so that a double click or a repeated request sends nothing twice. */
    requestId: z.uuid(),
    ...connectionChoice,
    projectId: UpstreamId,
    /** Not needed with `maintenance`, which goes to the built-in runner of the embedded service. */
    prompt: Prompt.optional(),
    maintenance: MaintenanceOrder.optional(),
    /** The `unknown` creation that this one replaces ("create it again"). */
    replaces: z.uuid().optional(),
  })
  .refine(({ prompt, maintenance }) => prompt !== undefined || maintenance !== undefined, {
    path: ['prompt'],
    error: 'Say what the agent should do.',
  })
export type CreateAgentJob = z.input<typeof CreateAgentJob>

/** Send a follow-up message to a followed job. The same `requestId` never sends it twice. */
export const SendAgentMessage = z.object({ requestId: z.uuid(), prompt: Prompt })
export type SendAgentMessage = z.input<typeof SendAgentMessage>

/** Send the latest prompt of a job to it again. The same `requestId` never sends it twice. */
export const RetryAgentJob = z.object({ requestId: z.uuid() })
export type RetryAgentJob = z.infer<typeof RetryAgentJob>

/** Assign the id of a job, which a person found in the project, to an `unknown` creation. */
export const AttachAgentJob = z.object({ id: UpstreamId })
export type AttachAgentJob = z.infer<typeof AttachAgentJob>

/**
 * State of a prompt: `sending` the intent is written, the call is under way · `accepted` · `refused` nothing happened, as the
 * service said or the connection proves · `unknown` it may have arrived, because no answer came or none that proves the contrary; a person
 * decides what to do.
 */
export const AgentPromptState = z.enum(['sending', 'accepted', 'refused', 'unknown'])
export type AgentPromptState = z.infer<typeof AgentPromptState>

/** A prompt sent from Docket: it creates a job, or follows up on one. */
export const AgentPrompt = z.object({
  ...recordConnection,
  requestId: z.uuid(),
  kind: z.enum(['creation', 'message']),
  projectId: z.string(),
  /** The prompt's job; null while a creation has no response. */
  jobId: z.string().nullable(),
  prompt: z.string(),
  /** The maintenance order from which Docket wrote the prompt; null for a free prompt. */
  maintenance: MaintenanceOrder.nullish(),
  state: AgentPromptState,
  /** Reason of a refusal, or the open question. Plain text. */
  reason: z.string().nullable(),
  /** The kind of the failure; null without one. */
  code: ErrorCode.nullable(),
  /** Name of the person or token that sent it. */
  sentBy: z.string(),
  sentAt: z.iso.datetime(),
  /** When Docket recorded the outcome. ISO 8601, UTC. */
  answeredAt: z.iso.datetime().nullable(),
  /** The creation that replaced this `unknown` one. */
  replacedBy: z.uuid().nullable(),
})
export type AgentPrompt = z.infer<typeof AgentPrompt>

/** Outcome of a prompt, and its job when one is known. */
export const SentAgentPrompt = z.object({ prompt: AgentPrompt, job: AgentJob.nullable() })
export type SentAgentPrompt = z.infer<typeof SentAgentPrompt>

/** Prompts: those of a job oldest first, at most the latest 500; or creations that have no job yet, newest first, at most 20. */
export const AgentPromptList = z.object({ prompts: z.array(AgentPrompt) })
export type AgentPromptList = z.infer<typeof AgentPromptList>
