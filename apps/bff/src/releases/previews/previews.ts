import { randomBytes } from 'node:crypto'
import type { Preview } from '@docket/api-types/previews'
import { readOwnAddress } from '@docket/site-bundle/locator/addresses'
import { and, desc, eq, gt, inArray, isNotNull, isNull, lt, type SQL } from 'drizzle-orm'
import { recordAudit } from '#ground/audit/audit.ts'
import type { Database, Tx } from '#ground/db/database.ts'
import { AppError } from '#ground/errors/app-error.ts'
import { toAuditTarget } from '#service/history/history.ts'
import { readScope, seesEverything } from '#ground/http/access/token-scope.ts'
import type { Actor } from '#ground/identity/identity.ts'
import type { PreviewsCtx } from '#releases/releases-ctx.ts'
import { includesRole } from '@docket/api-types/roles'
import { hashKey, makeRandomKey } from '#ground/secret/encrypted-text.ts'
import { sandboxFolder } from './preview-hosts.ts'
import { previews } from './previews.table.ts'
import type { Violation } from './violations.ts'

export type PreviewRow = typeof previews.$inferSelect

type PreviewKey = { previewId: string; exportId: string; sessionId: string }

const ticketMs = 60_000
const lifetimeMs = 8 * 3_600_000
/** Maximum number of previews of one session; opening another one ends the oldest. */
const maxPerSession = 32

const previewGoneError = () => new AppError('not_found', 'This preview has ended. Open it again.')

/** True while the session exists and its user may see the export. */
const mayOpenPreview = async (
  { findPerson, ensureInScope }: PreviewsCtx,
  { sessionId, exportId }: PreviewRow,
): Promise<boolean> => {
  const person = await findPerson(sessionId)
  if (person === null || !includesRole(person.role, 'viewer')) return false
  const scope = readScope(person)
  return (
    seesEverything(scope) ||
    ensureInScope(exportId, scope).then(
      () => true,
      (error: unknown) => {
        if (error instanceof AppError) return false
        throw error
      },
    )
  )
}

const ensureAllowed = async (ctx: PreviewsCtx, row: PreviewRow | undefined) =>
  row !== undefined && (await mayOpenPreview(ctx, row)) ? row : null

/** The preview of a host or of a sandbox, which has no label. */
const isPreviewAt = (label: string | null): SQL => (label === null ? isNull(previews.label) : eq(previews.label, label))

const belongsToSession = ({ previewId, exportId, sessionId }: PreviewKey) =>
  and(eq(previews.previewId, previewId), eq(previews.exportId, exportId), eq(previews.sessionId, sessionId))

/** Creates a preview for a browser that uses Docket at `host`. Its ticket works once, within a minute. */
export const openPreview = async (
  { db, hosts, artifacts, now }: PreviewsCtx,
  exportId: string,
  { path, sessionId, host, by }: { path: string; sessionId: string; host: string; by: Actor },
): Promise<Preview> => {
  const { sha256 } = await artifacts.find(exportId)
  const [ticket, key] = [makeRandomKey(), makeRandomKey()]
  const label = `p${randomBytes(10).toString('hex')}`
  const place = hosts.place(host, label)
  const isOwnHost = place.isolation === 'own_host'
  const page = readOwnAddress(path) ?? '/'
  const at = new Date(now())
  const expiresAt = new Date(at.getTime() + lifetimeMs)
  const previewId = await db.transaction(async (tx) => {
    const [row] = await tx
      .insert(previews)
      .values({
        exportId,
        sha256,
        sessionId,
        isolation: place.isolation,
        label: isOwnHost ? label : null,
        framedBy: hosts.findOrigin(host),
        page,
        ticketHash: hashKey(ticket),
        ticketExpiresAt: new Date(at.getTime() + ticketMs),
        keyHash: isOwnHost ? null : hashKey(key),
        createdAt: at,
        expiresAt,
      })
      .returning({ previewId: previews.previewId })
    const oldest = tx
      .select({ previewId: previews.previewId })
      .from(previews)
      .where(eq(previews.sessionId, sessionId))
      .orderBy(desc(previews.createdAt))
      .offset(maxPerSession)
    await tx.delete(previews).where(inArray(previews.previewId, oldest))
    const target = await toAuditTarget(tx, { type: 'static_export', exportId })
    await recordAudit(tx, by, { action: 'preview.opened', at, target, details: { page } })
    return row!.previewId
  })
  const base = isOwnHost ? place.origin : `${sandboxFolder}${key}`
  return {
    previewId,
    url: `${base}/.docket/open?ticket=${ticket}`,
    base,
    isolation: place.isolation,
    reason: isOwnHost ? null : place.reason,
    expiresAt: expiresAt.toISOString(),
  }
}

export const closePreview = async ({ db }: PreviewsCtx, which: PreviewKey): Promise<void> => {
  await db.delete(previews).where(belongsToSession(which))
}

/** Requests that were blocked in a preview, and its current page. Throws `not_found` once the preview has ended. */
export const readPreview = async ({ db, violations, now }: PreviewsCtx, which: PreviewKey) => {
  const [row] = await db
    .select()
    .from(previews)
    .where(and(belongsToSession(which), gt(previews.expiresAt, new Date(now()))))
  if (row === undefined) throw previewGoneError()
  return { page: row.openedAt === null ? null : row.page, violations: await violations.list(row.sha256) }
}

/** Redeems a ticket. Returns the preview and the key for its cookie, or null. `key` is that of a sandbox, whose path contains it. */
export const redeemPreview = async (
  ctx: PreviewsCtx,
  ticket: string,
  at: { label: string | null; key: string | null },
): Promise<{ row: PreviewRow; key: string } | null> => {
  const key = at.key ?? makeRandomKey()
  const [row] = await ctx.db
    .update(previews)
    .set({ openedAt: new Date(ctx.now()), keyHash: hashKey(key) })
    .where(
      and(
        eq(previews.ticketHash, hashKey(ticket)),
        isPreviewAt(at.label),
        at.key === null ? isNull(previews.keyHash) : eq(previews.keyHash, hashKey(at.key)),
        isNull(previews.openedAt),
        gt(previews.ticketExpiresAt, new Date(ctx.now())),
      ),
    )
    .returning()
  const allowed = await ensureAllowed(ctx, row)
  return allowed && { row: allowed, key }
}

/** The opened preview with this key, while its session exists. */
export const findOpenPreview = async (
  ctx: PreviewsCtx,
  key: string,
  label: string | null,
): Promise<PreviewRow | null> => {
  const [row] = await ctx.db
    .select()
    .from(previews)
    .where(
      and(
        eq(previews.keyHash, hashKey(key)),
        isPreviewAt(label),
        isNotNull(previews.openedAt),
        gt(previews.expiresAt, new Date(ctx.now())),
      ),
    )
  return ensureAllowed(ctx, row)
}

export const recordPage = async ({ db }: PreviewsCtx, { previewId }: PreviewRow, page: string): Promise<void> => {
  await db
    .update(previews)
    .set({ page: page.slice(0, 4000) })
    .where(eq(previews.previewId, previewId))
}

export const recordViolation = async (
  { violations, recount, now }: PreviewsCtx,
  { sha256 }: PreviewRow,
  violation: Violation,
): Promise<void> => {
  if (await violations.record(sha256, violation, new Date(now()))) await recount(sha256)
}

export const endPreviews = async (tx: Tx, exportId: string): Promise<void> => {
  await tx.delete(previews).where(eq(previews.exportId, exportId))
}

export const deleteEndedPreviews = async (db: Database, now: number): Promise<void> => {
  await db.delete(previews).where(lt(previews.expiresAt, new Date(now)))
}
