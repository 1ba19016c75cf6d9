import type { ApiToken, CreateApiToken } from '@docket/api-types/tokens'
import {
  and,
  desc,
  eq,
  getTableColumns,
  gt,
  isNull,
  or,
  sql,
  type InferSelectModel,
  type SQL,
  inArray,
} from 'drizzle-orm'
import type { z } from 'zod'
import { recordAudit } from '#ground/audit/audit.ts'
import type { Actor } from '#ground/identity/identity.ts'
import type { Ctx } from '#ground/ctx.ts'
import type { Tx } from '#ground/db/database.ts'
import { normaliseDomain } from '#ground/domain.ts'
import { AppError, refusedFieldError } from '#ground/errors/app-error.ts'
import { hasAccess } from '#ground/identity/rights.ts'
import { apiTokens, isUnrevoked } from './api-tokens.table.ts'
import { toHint, generateToken } from './token-text.ts'
import { hashKey } from '#ground/secret/encrypted-text.ts'
import type { TokenSite } from '@docket/api-types/grants'
import { channels, sites } from '#ground/db/sites.table.ts'

/** Removes duplicates, and channels whose whole site is in the list. */
const removeDuplicateSites = (some: readonly TokenSite[] | null): TokenSite[] | null => {
  if (some === null) return null
  const whole = new Set(some.flatMap(({ siteId, channelId }) => (channelId === null ? siteId.toLowerCase() : [])))
  const known = new Map<string, TokenSite>()
  for (const one of some) {
    const siteId = one.siteId.toLowerCase()
    const channelId = whole.has(siteId) ? null : (one.channelId?.toLowerCase() ?? null)
    known.set(`${siteId} ${channelId}`, { siteId, channelId })
  }
  return [...known.values()]
}

/** Names sites and channels for the audit, such as `docs-example-com handbook/staging`. Throws `invalid_request` for an unknown one. */
const nameSites = async (tx: Tx, some: readonly TokenSite[]): Promise<string> => {
  const siteIds = some.map(({ siteId }) => siteId)
  const found = await tx
    .select({ siteId: sites.siteId, label: sites.label })
    .from(sites)
    .where(and(inArray(sites.siteId, siteIds), isNull(sites.joinedInto)))
    .orderBy(sites.siteId)
    // Nobody removes them meanwhile.
    .for('share')
  const labels = new Map(found.map(({ siteId, label }) => [siteId, label]))
  const rows = await tx
    .select({ channelId: channels.channelId, siteId: channels.siteId, name: channels.name })
    .from(channels)
    .where(inArray(channels.siteId, siteIds))
  const names = some.map(({ siteId, channelId }) => {
    const label = labels.get(siteId)
    const channel = rows.find((row) => row.channelId === channelId && row.siteId === siteId)
    if (label === undefined || !rows.some((row) => row.siteId === siteId))
      throw refusedFieldError('sites', 'One of the sites no longer exists. Choose again.')
    if (channelId !== null && channel === undefined)
      throw refusedFieldError('sites', `The site ${label} no longer has one of the channels. Choose again.`)
    return channel === undefined ? label : `${label}/${channel.name}`
  })
  return names.join(' ')
}

/** Maximum number of working tokens: the list shows all of them, and admins have to manage them. */
const maxTokens = 500
const dayMs = 86_400_000

const toIsoText = (date: Date | null) => date?.toISOString() ?? null

type Row = InferSelectModel<typeof apiTokens>
type Owner = { userId: string; name: string; hasAccess: boolean }

// Reads the table of users by name, like the query for the rights of the owner.
const owner = sql<Owner | null>`(
  select json_build_object('userId', u.id, 'name', u.name, 'hasAccess', ${hasAccess})
  from users u where u.id = api_tokens.created_by)`

/** Condition for tokens that an admin has to manage: they work, or would work with another owner. */
const needsCare = (at: Date) => and(isUnrevoked, or(isNull(apiTokens.expiresAt), gt(apiTokens.expiresAt, at)))

const isRevoked = ({ revokedAt, pausedAt }: Row) => revokedAt !== null && pausedAt === null
const isExpired = ({ expiresAt }: Row, now: number) => expiresAt !== null && expiresAt.getTime() <= now

const toState = (row: Row & { owner: Owner | null }, now: number): ApiToken['state'] => {
  if (isRevoked(row)) return 'revoked'
  if (isExpired(row, now)) return 'expired'
  return row.pausedAt === null && row.owner?.hasAccess === true ? 'active' : 'paused'
}

const toApiToken = (row: Row & { owner: Owner | null }, now: number): ApiToken => ({
  tokenId: row.tokenId,
  name: row.name,
  scope: row.scope,
  hint: row.hint,
  domains: row.domains,
  projectIds: row.projectIds,
  connectionIds: row.connectionIds,
  sites: row.sites,
  mayPrompt: row.scope === 'operate' && row.mayPrompt,
  createdBy: row.createdByName,
  createdAt: row.createdAt.toISOString(),
  expiresAt: toIsoText(row.expiresAt),
  lastUsedAt: toIsoText(row.lastUsedAt),
  revokedAt: isRevoked(row) ? toIsoText(row.revokedAt) : null,
  owner: row.owner,
  state: toState(row, now),
})

const removeDuplicates = (names: readonly string[] | null): string[] | null => names && [...new Set(names)]

const parseDomain = (text: string): string => {
  try {
    return normaliseDomain(text).domain
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    throw refusedFieldError('domains', `${text}: ${error.message}`)
  }
}

type Choice = 'revoke' | 'hand_over'
type Acts = { by: Actor; now: number }

/** Revokes tokens, or makes the acting admin their owner. Either way, they are no longer paused. */
const settleTokens = async (tx: Tx, which: SQL | undefined, choice: Choice, { by, now }: Acts): Promise<void> => {
  const at = new Date(now)
  const [action, change] =
    choice === 'revoke'
      ? (['api_token.revoked', { revokedAt: at, pausedAt: null }] as const)
      : (['api_token.handed_over', { createdBy: by.id, revokedAt: null, pausedAt: null }] as const)
  const rows = await tx.update(apiTokens).set(change).where(and(isUnrevoked, which)).returning()
  for (const { tokenId, name } of rows)
    await recordAudit(tx, by, { action, at, target: { type: 'api_token', id: tokenId, name } })
}

const lockToken = async (tx: Tx, tokenId: string) => {
  const [row] = await tx.select().from(apiTokens).where(eq(apiTokens.tokenId, tokenId)).for('update')
  if (row === undefined) throw new AppError('not_found', 'This token does not exist.')
  return row
}

/** Lists working and paused tokens first, then the others, each newest first. */
export const listTokens = async ({ db, now }: Ctx) => {
  const rows = await db
    .select({ ...getTableColumns(apiTokens), owner })
    .from(apiTokens)
    .orderBy(desc(sql`${needsCare(new Date(now()))}`), desc(apiTokens.createdAt), apiTokens.tokenId)
    .limit(maxTokens)
  return { items: rows.map((row) => toApiToken(row, now())) }
}

/**
 * Creates a token and returns its text, which is not stored. Throws `invalid_request` for a wrong domain and an unknown site or channel,
 * and `conflict` when there are too many tokens. A token limited to sites has only the domains and projects that were named with them, so
 * replicas of an earlier version give it no access.
 */
export const createToken = ({ db, now }: Ctx, request: z.output<typeof CreateApiToken>, by: Actor) => {
  const { name, scope, mayPrompt, expiresInDays } = request
  const domains = removeDuplicates(request.domains?.map(parseDomain) ?? null)
  const projectIds = removeDuplicates(request.projectIds)
  const connectionIds = removeDuplicates(request.connectionIds?.map((id) => id.toLowerCase()) ?? null)
  const tokenSites = removeDuplicateSites(request.sites)
  const token = generateToken()
  return db.transaction(async (tx) => {
    const at = new Date(now())
    const places = tokenSites && (await nameSites(tx, tokenSites))
    const [row] = await tx
      .insert(apiTokens)
      .values({
        name,
        tokenHash: hashKey(token),
        hint: toHint(token),
        scope,
        ...(tokenSites === null ? { domains, projectIds } : { domains: domains ?? [], projectIds: projectIds ?? [] }),
        connectionIds,
        sites: tokenSites,
        mayPrompt,
        createdBy: by.kind === 'person' ? by.id : null,
        createdByName: by.name,
        createdAt: at,
        expiresAt: expiresInDays === null ? null : new Date(at.getTime() + expiresInDays * dayMs),
      })
      .returning({ ...getTableColumns(apiTokens), owner })
    if ((await tx.$count(apiTokens, needsCare(at))) > maxTokens)
      throw new AppError('conflict', `There are already ${maxTokens} active tokens. Revoke one first.`)
    await recordAudit(tx, by, {
      action: 'api_token.created',
      at,
      target: { type: 'api_token', id: row!.tokenId, name },
      details: {
        scope,
        domains: domains?.join(' ') ?? null,
        projects: projectIds?.join(' ') ?? null,
        ...(scope === 'operate' && !mayPrompt && { mayPrompt }),
        ...(connectionIds && { connections: connectionIds.join(' ') }),
        ...(places && { sites: places }),
        expiresInDays,
      },
    })
    return { token, apiToken: toApiToken(row!, at.getTime()) }
  })
}

/** Ends a token in every replica at once. Throws `not_found`. */
export const revokeToken = ({ db, now }: Ctx, tokenId: string, by: Actor) =>
  db.transaction(async (tx) => {
    await lockToken(tx, tokenId)
    await settleTokens(tx, eq(apiTokens.tokenId, tokenId), 'revoke', { by, now: now() })
  })

/** Makes an admin the owner of a token, which then works within their rights. Throws `not_found`, and `conflict` for one that has ended. */
export const handOverToken = ({ db, now }: Ctx, tokenId: string, by: Actor) =>
  db.transaction(async (tx) => {
    const row = await lockToken(tx, tokenId)
    if (isRevoked(row) || isExpired(row, now()))
      throw new AppError('conflict', 'This token was revoked or has expired. Create a new one.')
    const isMine = row.createdBy === by.id && row.pausedAt === null
    if (!isMine) await settleTokens(tx, eq(apiTokens.tokenId, tokenId), 'hand_over', { by, now: now() })
  })

/** Revokes or hands over the tokens of a person whose account is deleted in this transaction. */
export const settleOwnedTokens = (tx: Tx, ownerId: string, choice: Choice, acts: Acts) =>
  settleTokens(tx, and(eq(apiTokens.createdBy, ownerId), needsCare(new Date(acts.now))), choice, acts)

/** Counts tokens without an owner, which an admin has to revoke or hand over. */
export const countOrphanTokens = async ({ db, now }: Ctx): Promise<number> =>
  db.$count(apiTokens, and(needsCare(new Date(now())), sql`${owner} is null`))
