import type { OpenedHostedSite } from '@docket/api-types/sites'
import { readOwnAddress } from '@docket/site-bundle/locator/addresses'
import { and, desc, eq, gt, inArray, isNull, lt } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import { recordAudit } from '#ground/audit/audit.ts'
import type { Database } from '#ground/db/database.ts'
import { AppError } from '#ground/errors/app-error.ts'
import { readPort } from '#ground/http/access/own-hosts.ts'
import type { Actor, PersonIdentity } from '#ground/identity/identity.ts'
import { maySeeChannel } from '#ground/identity/site-rights.ts'
import { hashKey, makeRandomKey } from '#ground/secret/encrypted-text.ts'
import type { HostingCtx } from '#releases/releases-ctx.ts'
import type { HostedChannel } from './hosted-channels.ts'
import { readers } from './readers.table.ts'

const ticketMs = 60_000
const lifetimeMs = 8 * 3_600_000
/** Maximum number of hostnames that one session can read; opening another one ends the oldest. */
const maxPerSession = 64
/** Time for which the check of a reader is reused. Milliseconds. */
const checkedMs = 1_000

/** A reader's ticket and cookie are bound to the host as a browser sends it. */
const findBrowserHost = ({ hosts }: Pick<HostingCtx, 'hosts'>, host: string) => new URL(hosts.findOrigin(host)).host

const mayRead = (person: PersonIdentity | null, { site, channelId }: HostedChannel): boolean =>
  maySeeChannel(person, site, channelId)

/**
 * Creates the address that opens a hosted channel for a person. It works once, within a minute. `host` is Docket's own. Throws `not_found`
 * unless a channel is hosted that they may see.
 */
export const openHostedSite = async (
  ctx: HostingCtx,
  { hostname, path }: { hostname: string; path: string },
  { person, host, by }: { person: PersonIdentity; host: string; by: Actor },
): Promise<OpenedHostedSite> => {
  const name = ctx.hosts.read(hostname)
  const channel = name && (await ctx.channels.find(name))
  // At another port of this computer, another program would receive the ticket.
  const isElsewhere = /^[^:]*\.localhost(:|$)/i.test(hostname) && readPort(hostname) !== readPort(host)
  if (channel === null || isElsewhere || !mayRead(person, channel))
    throw new AppError('not_found', 'No site that you may read is hosted at this address.')
  const origin = ctx.hosts.findOrigin(hostname)
  const ticket = makeRandomKey()
  const at = new Date(ctx.now())
  await ctx.db.transaction(async (tx) => {
    await tx.insert(readers).values({
      sessionId: person.sessionId,
      hostname: new URL(origin).host,
      ticketHash: hashKey(ticket),
      ticketExpiresAt: new Date(at.getTime() + ticketMs),
      createdAt: at,
      expiresAt: new Date(at.getTime() + lifetimeMs),
    })
    const oldest = tx
      .select({ readerId: readers.readerId })
      .from(readers)
      .where(eq(readers.sessionId, person.sessionId))
      .orderBy(desc(readers.createdAt))
      .offset(maxPerSession)
    await tx.delete(readers).where(inArray(readers.readerId, oldest))
    const target = { type: 'channel', id: channel.channelId, name: `${channel.site.name} · ${channel.name}` }
    await recordAudit(tx, by, { action: 'hosted_site.opened', at, target })
  })
  const query = new URLSearchParams({ ticket, path: readOwnAddress(path) ?? '/' })
  return { url: `${origin}/.docket/open?${query.toString()}` }
}

/** Redeems a ticket. Returns the key for the reader's cookie, or null. */
export const redeemTicket = async (
  ctx: HostingCtx,
  ticket: string,
  host: string,
  channel: HostedChannel,
): Promise<string | null> => {
  const key = makeRandomKey()
  const [row] = await ctx.db
    .update(readers)
    .set({ keyHash: hashKey(key) })
    .where(
      and(
        eq(readers.ticketHash, hashKey(ticket)),
        eq(readers.hostname, findBrowserHost(ctx, host)),
        isNull(readers.keyHash),
        gt(readers.ticketExpiresAt, new Date(ctx.now())),
      ),
    )
    .returning({ sessionId: readers.sessionId })
  if (row === undefined) return null
  return mayRead(await ctx.findPerson(row.sessionId), channel) ? key : null
}

/** Finds the person of a reader's cookie while they may read the channel. A change of their rights counts within a second. */
export const createReaderFinder = (ctx: Omit<HostingCtx, 'findReader'>) => {
  const checked = new LRUCache<string, { person: PersonIdentity | null; at: number }>({ max: 10_000 })
  const find = async (key: string, host: string): Promise<PersonIdentity | null> => {
    const name = `${key} ${host}`
    const known = checked.get(name)
    if (known !== undefined && ctx.now() - known.at < checkedMs) return known.person
    const [row] = await ctx.db
      .select({ sessionId: readers.sessionId })
      .from(readers)
      .where(
        and(
          eq(readers.keyHash, hashKey(key)),
          eq(readers.hostname, findBrowserHost(ctx, host)),
          gt(readers.expiresAt, new Date(ctx.now())),
        ),
      )
    const person = row === undefined ? null : await ctx.findPerson(row.sessionId)
    checked.set(name, { person, at: ctx.now() })
    return person
  }
  return async (key: string | null, host: string, channel: HostedChannel): Promise<PersonIdentity | null> => {
    const person = key === null ? null : await find(key, host)
    return mayRead(person, channel) ? person : null
  }
}

export const deleteEndedReaders = async (db: Database, now: number): Promise<void> => {
  await db.delete(readers).where(lt(readers.expiresAt, new Date(now)))
}
