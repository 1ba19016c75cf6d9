import { z } from 'zod'
import { ErrorCode } from '#ground/api-error.ts'
import { typedLine, typedText } from '#ground/text.ts'
import { connectionChoice } from '#service/connections.ts'
import { UpstreamId } from './agent-jobs.ts'
import { maxPromptLength } from './agent-prompts.ts'

const title = typedLine(100, 'Enter a title.')
/** Text with placeholders such as `{{page}}`: a name of letters, digits, spaces, `_` and `-`. */
const text = typedText(maxPromptLength, 'Say what the agent should do.')

/** A prompt saved for the team. Every user with a role can see it. */
export const SavedPrompt = z.object({
  promptId: z.uuid(),
  title: z.string(),
  text: z.string(),
  /** Names of the placeholders, in the order of the text, each once. */
  placeholders: z.array(z.string()),
  /** Grows with every change. */
  version: z.int().positive(),
  /** Name of the person or token that changed it last. */
  changedBy: z.string(),
  changedAt: z.iso.datetime(),
})
export type SavedPrompt = z.infer<typeof SavedPrompt>

/** The team’s prompts, by title. */
export const SavedPrompts = z.object({ items: z.array(SavedPrompt) })
export type SavedPrompts = z.infer<typeof SavedPrompts>

/** Save a prompt; at most 200. A title is unique, ignoring case (`conflict`). */
export const SavePrompt = z.object({ title, text })
export type SavePrompt = z.infer<typeof SavePrompt>

/** Change a prompt. `version` is the one that the change is based on; `conflict` when there is a later one. */
export const ChangePrompt = z.object({ title: title.optional(), text: text.optional(), version: z.int().positive() })
export type ChangePrompt = z.infer<typeof ChangePrompt>

/** Fill in a prompt and create an agent job in each project. The same `requestId` never creates a second job in a project. */
export const RunPrompt = z.object({
  requestId: z.uuid(),
  ...connectionChoice,
  projectIds: z.array(UpstreamId).min(1, 'Choose a project.').max(20, 'Choose at most 20 projects.'),
  /** A value for each placeholder. */
  values: z.record(z.string().max(50), z.string().max(maxPromptLength)).default({}),
  /** The version that the reader saw; `conflict` when there is a later one. */
  version: z.int().positive().optional(),
})
export type RunPrompt = z.input<typeof RunPrompt>

/** Outcome of the prompt in one project. `not_sent`: Docket refused it, and the same request may be repeated. */
export const SavedPromptResult = z.object({
  projectId: z.string(),
  connectionId: z.uuid().nullish(),
  requestId: z.uuid(),
  state: z.enum(['sending', 'accepted', 'refused', 'unknown', 'not_sent']),
  jobId: z.string().nullable(),
  /** Plain text; null when it was accepted. */
  reason: z.string().nullable(),
  code: ErrorCode.nullable(),
})
export type SavedPromptResult = z.infer<typeof SavedPromptResult>

/** One result for each project, in the order of the request. */
export const SavedPromptRun = z.object({ results: z.array(SavedPromptResult) })
export type SavedPromptRun = z.infer<typeof SavedPromptRun>
