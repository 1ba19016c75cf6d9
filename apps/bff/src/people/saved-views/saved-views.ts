import { AgentJobListQuery } from '@docket/api-types/agent-jobs'
import type { AuditAction } from '@docket/api-types/audit'
import type { ChangeView, SavedView, SavedViewList, SaveView } from '@docket/api-types/saved-views'
import { StaticExportListQuery } from '@docket/api-types/static-exports'
import { and, eq, ne, sql } from 'drizzle-orm'
import { z } from 'zod'
import { users } from '#people/accounts/accounts.table.ts'
import { recordAudit } from '#ground/audit/audit.ts'
import type { Tx } from '#ground/db/database.ts'
import { AppError, refusedFieldError } from '#ground/errors/app-error.ts'
import type { Actor } from '#ground/identity/identity.ts'
import { savedViews } from '#people/saved-views/saved-views.table.ts'
import type { Ctx } from '#ground/ctx.ts'

const maxPerList = 50

const position = { cursor: true, until: true, limit: true } as const
/** Days in the address of a list, as people choose them. The page converts them to instants. */
const dates = z
  .string()
  .max(100)
  .regex(/^[\w.-]*$/)
  .optional()
/** Query of each list without its paging parameters. */
const queries = {
  exports: z.strictObject({ ...StaticExportListQuery.omit(position).shape, dates }),
  'agent-jobs': z.strictObject({ ...AgentJobListQuery.omit(position).shape, dates }),
} satisfies Record<SavedViewList, z.ZodType>

/** Formats a query with one value for each name. Throws `invalid_request` for parameters that the list does not support. */
const parseQuery = (list: SavedViewList, query: string): string => {
  const values = Object.fromEntries(new URLSearchParams(query))
  if (Object.keys(values).length === 0 || !queries[list].safeParse(values).success)
    throw refusedFieldError('query', 'query: The list does not understand these filters.')
  return new URLSearchParams(values).toString()
}

const columns = {
  viewId: savedViews.viewId,
  list: savedViews.list,
  name: savedViews.name,
  query: savedViews.query,
}

/** Serializes the requests of a person that check names and the limit. */
const lockPerson = (tx: Tx, userId: string) =>
  tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update')

const requireFreeName = async (
  tx: Tx,
  { viewId, userId, list, name }: Omit<SavedView, 'query'> & { userId: string },
) => {
  const [other] = await tx
    .select({ viewId: savedViews.viewId })
    .from(savedViews)
    .where(
      and(
        eq(savedViews.userId, userId),
        eq(savedViews.list, list),
        sql`lower(${savedViews.name}) = lower(${name})`,
        ne(savedViews.viewId, viewId),
      ),
    )
  if (other !== undefined) throw new AppError('conflict', 'You have a view with this name already.', { field: 'name' })
}

const auditView = (tx: Tx, by: Actor, action: AuditAction, { viewId, name, list }: SavedView, at: Date) =>
  recordAudit(tx, by, {
    action,
    at,
    target: { type: 'saved_view', id: viewId, name },
    details: { list },
  })

const isOwnView = (userId: string, viewId: string) => and(eq(savedViews.userId, userId), eq(savedViews.viewId, viewId))
const viewGoneError = () => new AppError('not_found', 'This view does not exist any more.')

export const listViews = async ({ db }: Ctx, userId: string): Promise<{ items: SavedView[] }> => ({
  items: await db
    .select(columns)
    .from(savedViews)
    .where(eq(savedViews.userId, userId))
    .orderBy(sql`lower(${savedViews.name})`, savedViews.viewId),
})

/** Throws `conflict` when the name is taken or the person has too many views. */
export const saveView = ({ db, now }: Ctx, request: SaveView, userId: string, by: Actor): Promise<SavedView> =>
  db.transaction(async (tx) => {
    await lockPerson(tx, userId)
    const { list, name } = request
    const query = parseQuery(list, request.query)
    const viewId = crypto.randomUUID()
    await requireFreeName(tx, { viewId, userId, list, name })
    const count = await tx.$count(savedViews, and(eq(savedViews.userId, userId), eq(savedViews.list, list)))
    if (count >= maxPerList) throw new AppError('conflict', `A list has at most ${maxPerList} views. Delete one first.`)
    const view = { viewId, list, name, query }
    await tx.insert(savedViews).values({ ...view, userId, createdAt: new Date(now()) })
    await auditView(tx, by, 'saved_view.created', view, new Date(now()))
    return view
  })

/** Throws `not_found`, and `conflict` when the name is taken. */
export const changeView = (
  { db, now }: Ctx,
  viewId: string,
  { name, query }: ChangeView,
  userId: string,
  by: Actor,
): Promise<SavedView> =>
  db.transaction(async (tx) => {
    await lockPerson(tx, userId)
    const [view] = await tx.select(columns).from(savedViews).where(isOwnView(userId, viewId))
    if (view === undefined) throw viewGoneError()
    const changed = {
      ...view,
      ...(name !== undefined && { name }),
      ...(query !== undefined && { query: parseQuery(view.list, query) }),
    }
    await requireFreeName(tx, { ...changed, userId })
    await tx.update(savedViews).set({ name: changed.name, query: changed.query }).where(isOwnView(userId, viewId))
    await auditView(tx, by, 'saved_view.changed', changed, new Date(now()))
    return changed
  })

/** Throws `not_found`. */
export const removeView = ({ db, now }: Ctx, viewId: string, userId: string, by: Actor): Promise<void> =>
  db.transaction(async (tx) => {
    const [view] = await tx.delete(savedViews).where(isOwnView(userId, viewId)).returning(columns)
    if (view === undefined) throw viewGoneError()
    await auditView(tx, by, 'saved_view.deleted', view, new Date(now()))
  })
