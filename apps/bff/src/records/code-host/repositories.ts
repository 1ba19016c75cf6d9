import type { AuditAction } from '@docket/api-types/audit'
import type { CodeHostAction } from '@docket/api-types/code-host'
import { recordAudit } from '#ground/audit/audit.ts'
import type { JobKey } from '#records/agent-jobs/agent-jobs.rows.ts'
import { withDeadline } from '#ground/db/deadline.ts'
import { isDatabaseUnavailable } from '#ground/db/unavailable.ts'
import type { JobsHere } from '#records/agent-jobs/jobs-ctx.ts'
import type { PerConnection } from '#service/connections/per-connection.ts'
import type { Ctx } from '#ground/ctx.ts'
import { AppError } from '#ground/errors/app-error.ts'
import { ensureOperates, isWithin, type TokenScope } from '#ground/http/access/token-scope.ts'
import type { Actor } from '#ground/identity/identity.ts'
import type { CloneRequest, CodeHost, PullKey } from './code-host.ts'

export type RepositoriesCtx = Ctx & {
  connections: PerConnection<{ jobs: JobsHere }>
  /** Null when this process runs no embedded service. */
  codeHost: CodeHost | null
  /** Connection of the embedded service. Null before its first start. */
  findEmbedded: () => string | null
  /** One request waits at most this long for the database. Milliseconds. */
  databaseWaitMs: number
}

const actions: Readonly<Record<CodeHostAction, AuditAction>> = {
  merge: 'pull_request.merged',
  close: 'pull_request.closed',
  reopen: 'pull_request.reopened',
  'delete-branch': 'pull_request.branch_deleted',
}

/** Rolls back the audit row of a change that did not happen. */
class NothingChanged extends Error {}

const notFoundError = (noun: string) => new AppError('not_found', `There is no such ${noun} on the embedded code host.`)

/** Throws the same error for something outside the scope as for something that does not exist. */
const requireFound = <T>(value: T | null, noun: string): T => {
  if (value === null) throw notFoundError(noun)
  return value
}

// The reader can only fix a missing git. Other messages may contain names of files on the server.
const rethrowReadableError = (error: unknown): never => {
  if (error instanceof AppError || isDatabaseUnavailable(error)) throw error
  const sentence = error instanceof Error && error.message.startsWith('git is not installed') ? error.message : null
  throw new AppError(
    'upstream_unavailable',
    sentence ?? 'The embedded code host can’t read the repository. Docket’s log has the reason.',
    { cause: error },
  )
}

const openCodeHost = ({ codeHost, findEmbedded }: RepositoriesCtx, { connectionIds }: TokenScope): CodeHost => {
  if (codeHost === null || (connectionIds !== null && !connectionIds.includes(findEmbedded() ?? '')))
    throw new AppError('not_found', 'This Docket has no embedded code host.')
  return codeHost
}

const openProject = (ctx: RepositoriesCtx, scope: TokenScope, projectId: string): CodeHost => {
  const codeHost = openCodeHost(ctx, scope)
  if (!isWithin(scope.projectIds, projectId)) throw notFoundError('project')
  return codeHost
}

const openProjectToChange = (ctx: RepositoriesCtx, scope: TokenScope, projectId: string): CodeHost => {
  const codeHost = openProject(ctx, scope, projectId)
  const connectionId = ctx.findEmbedded()
  if (connectionId !== null) ensureOperates(scope, connectionId)
  return codeHost
}

/** Audits the change in the same transaction. Null when nothing had to change. */
const makeAuditedChange = <T extends { changed: boolean; refused: string | null }>(
  { db, now, databaseWaitMs }: RepositoriesCtx,
  row: Omit<Parameters<typeof recordAudit>[2], 'at'>,
  by: Actor,
  run: () => Promise<T>,
): Promise<T | null> => {
  let hasBegun = false
  const inTransaction = () =>
    db.transaction(async (tx) => {
      await recordAudit(tx, by, { ...row, at: new Date(now()) })
      hasBegun = true
      const outcome = await run()
      if (outcome.refused !== null) throw new AppError('conflict', outcome.refused)
      if (!outcome.changed) throw new NothingChanged()
      return outcome
    })
  // Once the change has begun, wait longer for its audit row.
  return withDeadline(databaseWaitMs, () => hasBegun, inTransaction).catch((error: unknown) => {
    if (error instanceof NothingChanged) return null
    if (!isDatabaseUnavailable(error)) throw error
    const next = hasBegun ? 'Reload this page before you repeat the change.' : 'Nothing changed. Try again.'
    throw new AppError('database_unavailable', `Docket can’t reach its database right now. ${next}`, { cause: error })
  })
}

/** Every function here throws `not_found` outside the scope, as for something that does not exist. */
export const listProjects = async (ctx: RepositoriesCtx, scope: TokenScope) => {
  const projects = await openCodeHost(ctx, scope).listProjects().catch(rethrowReadableError)
  return { projects: projects.filter(({ projectId }) => isWithin(scope.projectIds, projectId)) }
}

export const listPulls = async (
  ctx: RepositoriesCtx,
  projectId: string,
  query: Parameters<CodeHost['listPulls']>[1],
  scope: TokenScope,
) => {
  const pulls = await openProject(ctx, scope, projectId).listPulls(projectId, query).catch(rethrowReadableError)
  return { projectId, clonePath: `/git/${encodeURIComponent(projectId)}.git`, ...requireFound(pulls, 'project') }
}

export const readPull = async (ctx: RepositoriesCtx, { projectId, number }: PullKey, scope: TokenScope) => {
  const codeHost = openProject(ctx, scope, projectId)
  const pull = requireFound(await codeHost.readPull(projectId, number).catch(rethrowReadableError), 'pull request')
  return { projectId, ...pull, job: pull.job && { ...pull.job, connectionId: ctx.findEmbedded() } }
}

export const readCommit = async (
  ctx: RepositoriesCtx,
  { projectId, hash }: { projectId: string; hash: string },
  scope: TokenScope,
) => {
  const commit = await openProject(ctx, scope, projectId).readCommit(projectId, hash).catch(rethrowReadableError)
  return { projectId, ...requireFound(commit, 'commit') }
}

/** Reads the job of a changed pull request, so that its card is updated at once. Never rejects. */
const refreshJob = async ({ connections, log }: RepositoriesCtx, job: JobKey) => {
  const reading = connections.find(job.connectionId)?.jobs.readNow(job, null)
  await reading?.catch((error: unknown) => log.debug({ err: error }, 'a job was not read after its pull request'))
}

/**
 * Merges, closes or reopens a pull request, or deletes its branch, and audits it in a transaction around the change. A database failure
 * after the change loses the audit row; the repository still shows the change. Throws `conflict` with the reason when the change is not
 * possible or the branch has new commits.
 */
export const actOnPull = async (
  ctx: RepositoriesCtx,
  action: CodeHostAction,
  request: PullKey & { head: string },
  { by, scope }: { by: Actor; scope: TokenScope },
) => {
  const { projectId, number, head } = request
  const codeHost = openProjectToChange(ctx, scope, projectId)
  const target = { type: 'pull_request', name: `${projectId}#${number}` }
  const outcome = await makeAuditedChange(ctx, { action: actions[action], target, details: { head } }, by, async () =>
    requireFound(await codeHost.runAction(action, request).catch(rethrowReadableError), 'pull request'),
  )
  const [id, connectionId] = [outcome?.job?.id, ctx.findEmbedded()]
  if (id !== undefined && connectionId !== null) await refreshJob(ctx, { connectionId, projectId, id })
  return readPull(ctx, request, scope)
}

/** Audits the change. Throws `conflict` with the reason when nothing was written. */
export const updateFolder = async (
  ctx: RepositoriesCtx,
  { projectId, main }: { projectId: string; main: string },
  { by, scope }: { by: Actor; scope: TokenScope },
) => {
  const codeHost = openProjectToChange(ctx, scope, projectId)
  const target = { type: 'repository', name: projectId }
  await makeAuditedChange(ctx, { action: 'code_host.folder_updated', target, details: { main } }, by, async () =>
    requireFound(await codeHost.updateFolder(projectId, main).catch(rethrowReadableError), 'project'),
  )
  const { folder } = await listPulls(ctx, projectId, { state: 'open' }, scope)
  if (!folder) throw notFoundError('folder')
  return folder
}

export const serveClone = async (ctx: RepositoriesCtx, projectId: string, request: CloneRequest, scope: TokenScope) => {
  const answer = await openProject(ctx, scope, projectId).serveClone(projectId, request).catch(rethrowReadableError)
  if (answer === 'busy')
    throw new AppError('busy', 'Too many clones are under way. Try again in a moment.', { retryAfterMs: 5_000 })
  return requireFound(answer, 'project')
}
