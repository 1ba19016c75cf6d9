import { createHash } from 'node:crypto'
import { SendAgentMessage, maxPromptLength } from '@docket/api-types/agent-prompts'
import type { AuditAction } from '@docket/api-types/audit'
import type {
  ChangePrompt,
  SavedPrompt,
  SavedPromptResult,
  SavedPromptRun,
  SavePrompt,
} from '@docket/api-types/saved-prompts'
import { and, eq, ne, sql } from 'drizzle-orm'
import { createJob } from '#records/agent-jobs/prompts/send-prompt.ts'
import type { JobsCtx } from '#records/agent-jobs/jobs-ctx.ts'
import type { Ctx } from '#ground/ctx.ts'
import { recordAudit } from '#ground/audit/audit.ts'
import { type Tx, takeTurn } from '#ground/db/database.ts'
import { AppError, refusedFieldError } from '#ground/errors/app-error.ts'
import type { TokenScope } from '#ground/http/access/token-scope.ts'
import type { Actor } from '#ground/identity/identity.ts'
import { savedPrompts } from './saved-prompts.table.ts'

// Code in a prompt, such as `{{ $t('title') }}`, is not a placeholder.
const placeholder = /\{\{([\p{L}\p{N}_ -]{1,50})\}\}/gu

/** Returns each name once, in the order of the text. */
export const findPlaceholders = (text: string): string[] => [
  ...new Set([...text.matchAll(placeholder)].map(([, name]) => name!.trim()).filter((name) => name !== '')),
]

const invalidValueError = (message: string) => refusedFieldError('values', message)

/** Braces in a value stay text. Throws `invalid_request` for a missing or unknown value, or if the result is too long. */
export const fillPlaceholders = (text: string, values: Readonly<Record<string, string>>): string => {
  const names = findPlaceholders(text)
  const given = new Map(Object.entries(values).map(([name, value]) => [name, value.trim()]))
  const missing = names.find((name) => !given.get(name))
  if (missing !== undefined) throw invalidValueError(`Fill in “${missing}”.`)
  const unknown = [...given.keys()].find((name) => !names.includes(name))
  if (unknown !== undefined) throw invalidValueError(`The prompt has no placeholder “${unknown}”. Reload the page.`)
  const filled = text.replaceAll(placeholder, (all, name: string) => given.get(name.trim()) ?? all)
  if (filled.length > maxPromptLength)
    throw invalidValueError(`The prompt is longer than ${maxPromptLength} characters. Shorten it.`)
  return filled
}

const maxPrompts = 200
const maxPlaceholders = 20

type Row = typeof savedPrompts.$inferSelect

/** `version` is the version that the caller saw. */
type Run = {
  promptId: string
  values: Readonly<Record<string, string>>
  connectionId?: string | undefined
  projectIds: readonly string[]
  version?: number | undefined
  requestId: string
  by: Actor
  scope: TokenScope
}

const toSavedPrompt = ({ changedAt, ...row }: Row): SavedPrompt => ({
  ...row,
  placeholders: findPlaceholders(row.text),
  changedAt: changedAt.toISOString(),
})

const savedPromptNotFoundError = () => new AppError('not_found', 'This saved prompt no longer exists.')

const ensureVersion = (row: Row, version: number | undefined): void => {
  if (version !== undefined && version !== row.version)
    throw new AppError('conflict', `${row.changedBy} changed this prompt meanwhile. Check its text, then try again.`)
}

const checkPromptText = (text: string): void => {
  if (findPlaceholders(text).length > maxPlaceholders)
    throw refusedFieldError('text', `Use at most ${maxPlaceholders} placeholders.`)
}

/** Returns a UUID (version 8): always the same one for the same request and project. */
const deriveRequestId = (requestId: string, projectId: string): string => {
  const hex = createHash('sha256').update(`${requestId.toLowerCase()} ${projectId}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** Lets only one request at a time check titles and the limit. */
const lockSavedPrompts = (tx: Tx) => takeTurn(tx, 'saved prompts')

const requireFreeTitle = async (tx: Tx, title: string, promptId: string): Promise<void> => {
  const [other] = await tx
    .select({ promptId: savedPrompts.promptId })
    .from(savedPrompts)
    .where(and(sql`lower(${savedPrompts.title}) = lower(${title})`, ne(savedPrompts.promptId, promptId)))
  if (other !== undefined)
    throw new AppError('conflict', 'There is a saved prompt with this title already.', { field: 'title' })
}

const auditSavedPrompt = (
  tx: Tx,
  { promptId, title, text }: Row,
  { action, at, by, projects }: { action: AuditAction; at: Date; by: Actor; projects?: number },
) =>
  recordAudit(tx, by, {
    action,
    at,
    target: { type: 'saved_prompt', id: promptId, name: title },
    details: { characters: text.length, ...(projects !== undefined && { projects }) },
  })

const matchesSavedPrompt = (promptId: string) => eq(savedPrompts.promptId, promptId)

export const listPrompts = async ({ db }: Ctx): Promise<{ items: SavedPrompt[] }> => {
  const rows = await db
    .select()
    .from(savedPrompts)
    .orderBy(sql`lower(${savedPrompts.title})`, savedPrompts.promptId)
  return { items: rows.map(toSavedPrompt) }
}

/** Throws `conflict` when the title is taken or the limit of saved prompts is reached. */
export const savePrompt = ({ db, now }: Ctx, { title, text }: SavePrompt, by: Actor): Promise<SavedPrompt> =>
  db.transaction(async (tx) => {
    checkPromptText(text)
    await lockSavedPrompts(tx)
    const promptId = crypto.randomUUID()
    await requireFreeTitle(tx, title, promptId)
    if ((await tx.$count(savedPrompts)) >= maxPrompts)
      throw new AppError('conflict', `There are ${maxPrompts} saved prompts already. Delete one first.`)
    const at = new Date(now())
    const value = { promptId, title, text, changedBy: by.name, changedAt: at }
    const [row] = await tx.insert(savedPrompts).values(value).returning()
    await auditSavedPrompt(tx, row!, { action: 'saved_prompt.created', at, by })
    return toSavedPrompt(row!)
  })

/** Throws `not_found`, and `conflict` when the title is taken or the prompt was changed in the meantime. */
export const changePrompt = (
  { db, now }: Ctx,
  promptId: string,
  { version, ...changes }: ChangePrompt,
  by: Actor,
): Promise<SavedPrompt> =>
  db.transaction(async (tx) => {
    await lockSavedPrompts(tx)
    const [before] = await tx.select().from(savedPrompts).where(matchesSavedPrompt(promptId))
    if (before === undefined) throw savedPromptNotFoundError()
    ensureVersion(before, version)
    const { title = before.title, text = before.text } = changes
    checkPromptText(text)
    await requireFreeTitle(tx, title, promptId)
    const at = new Date(now())
    const value = { title, text, version: version + 1, changedBy: by.name, changedAt: at }
    const [row] = await tx.update(savedPrompts).set(value).where(matchesSavedPrompt(promptId)).returning()
    await auditSavedPrompt(tx, row!, { action: 'saved_prompt.changed', at, by })
    return toSavedPrompt(row!)
  })

/** Throws `not_found`. */
export const removePrompt = ({ db, now }: Ctx, promptId: string, by: Actor): Promise<void> =>
  db.transaction(async (tx) => {
    const [row] = await tx.delete(savedPrompts).where(matchesSavedPrompt(promptId)).returning()
    if (row === undefined) throw savedPromptNotFoundError()
    await auditSavedPrompt(tx, row, { action: 'saved_prompt.deleted', at: new Date(now()), by })
  })

const sendToProject = async (ctx: JobsCtx, projectId: string, prompt: string, run: Run): Promise<SavedPromptResult> => {
  const { connectionId, by, scope } = run
  const requestId = deriveRequestId(run.requestId, projectId)
  try {
    const sent = await createJob(ctx, { requestId, connectionId, projectId, prompt }, by, scope)
    const { state, jobId, reason, code } = sent.prompt
    return { projectId, connectionId: sent.prompt.connectionId, requestId, state, jobId, reason, code }
  } catch (error) {
    // After any other failure the request may be repeated unchanged: projects with a sent prompt are skipped.
    if (!(error instanceof AppError)) throw error
    return { projectId, requestId, state: 'not_sent', jobId: null, reason: error.message, code: error.code }
  }
}

/**
 * Fills in a prompt and creates a job in each project. Idempotent by `requestId` for each project, so a caller without an answer can repeat
 * the request. Throws before anything is sent: `not_found`, `conflict` for an outdated version, `invalid_request` for invalid values.
 */
export const runPrompt = async (ctx: JobsCtx, run: Run): Promise<SavedPromptRun> => {
  const projectIds = [...new Set(run.projectIds)]
  const prompt = await ctx.db.transaction(async (tx) => {
    const [row] = await tx.select().from(savedPrompts).where(matchesSavedPrompt(run.promptId))
    if (row === undefined) throw savedPromptNotFoundError()
    ensureVersion(row, run.version)
    const filled = SendAgentMessage.shape.prompt.safeParse(fillPlaceholders(row.text, run.values))
    if (!filled.success) throw refusedFieldError('values', filled.error.issues[0]!.message)
    const { by } = run
    await auditSavedPrompt(tx, row, {
      action: 'saved_prompt.run',
      at: new Date(ctx.now()),
      by,
      projects: projectIds.length,
    })
    return filled.data
  })
  const settled = await Promise.allSettled(projectIds.map((projectId) => sendToProject(ctx, projectId, prompt, run)))
  return {
    results: settled.map((result) => {
      if (result.status === 'rejected') throw result.reason
      return result.value
    }),
  }
}
