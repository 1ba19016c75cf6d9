import { createHash, randomBytes } from 'node:crypto'
import type { OpenedHostedSite } from '@docket/api-types/hosted-sites'
import { and, desc, eq, gt, inArray, isNull, lt } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import { recordAudit } from '#audit/audit.ts'
import type { Database } from '#db/database.ts'
import { AppError } from '#errors/app-error.ts'
import type { Actor } from '#identity/actor.ts'
import type { PersonIdentity } from '#identity/identity.ts'
import { maySeeChannel } from '#identity/site-rights.ts'
import type { HostedChannel, HostedChannels } from './hosted-channels.ts'
import type { HostedHosts } from './hosted-hosts.ts'
import { readers } from './readers.table.ts'

const ticketMs = 60_000
const lifetimeMs = 8 * 3_600_000
/** Hostnames that one session reads; opening one more ends the oldest. */
const maxPerSession = 64
/** How long a reader counts as checked. Milliseconds. */
const checkedMs = 1_000

// Tickets and keys have 192 random bits, so nobody can guess one from its hash.
const hash = (key: string) => createHash('sha256').update(key).digest('hex')
const randomKey = () => randomBytes(24).toString('base64url')

/** Path and query of an address within a site, encoded. Null for anything that leads elsewhere. */
export const readPath = (address: string): string | null => {
  const url = URL.parse(address, 'http://site.invalid')
  return url?.origin === 'http://site.invalid' && !url.pathname.startsWith('//') ? url.pathname + url.search : null
}

const readPort = (host: string) => /:\d{1,5}$/.exec(host)?.[0] ?? ''

/** Lets people into hosted channels. `findPerson` is null once a session has ended. */
export const hostedSiteService = (deps: {
  db: Database
  hosts: HostedHosts
  channels: HostedChannels
  findPerson: (sessionId: string) => Promise<PersonIdentity | null>
  now: () => number
}) => {
  const { db, hosts, channels, findPerson, now } = deps
  const checked = new LRUCache<string, { person: PersonIdentity | null; at: number }>({ max: 10_000 })

  /** Readers are bound to the host as a browser sends it, and one address has one host. */
  const hostAt = (host: string) => new URL(hosts.findOrigin(host)).host
  const mayRead = (person: PersonIdentity | null, { site, channelId }: HostedChannel): boolean =>
    maySeeChannel(person, site, channelId)

  const findReader = async (key: string, host: string): Promise<PersonIdentity | null> => {
    const name = `${key} ${host}`
    const known = checked.get(name)
    if (known !== undefined && now() - known.at < checkedMs) return known.person
    const [row] = await db
      .select({ sessionId: readers.sessionId })
      .from(readers)
      .where(
        and(eq(readers.keyHash, hash(key)), eq(readers.hostname, hostAt(host)), gt(readers.expiresAt, new Date(now()))),
      )
    const person = row === undefined ? null : await findPerson(row.sessionId)
    checked.set(name, { person, at: now() })
    return person
  }

  return {
    hosts,
    /**
     * Makes the address at which a person reads a hosted channel; it works once, within a minute. `host` is Docket's own. Throws `not_found`
     * where nothing is hosted that they may see.
     */
    open: async (
      { hostname, path }: { hostname: string; path: string },
      { person, host, by }: { person: PersonIdentity; host: string; by: Actor },
    ): Promise<OpenedHostedSite> => {
      const name = hosts.read(hostname)
      const channel = name && (await channels.find(name))
      // At another port of this computer, another program would get the ticket.
      const isElsewhere = /^[^:]*\.localhost(:|$)/i.test(hostname) && readPort(hostname) !== readPort(host)
      if (channel === null || isElsewhere || !mayRead(person, channel))
        throw new AppError('not_found', 'No site that you may read is hosted at this address.')
      const origin = hosts.findOrigin(hostname)
      const ticket = randomKey()
      const at = new Date(now())
      await db.transaction(async (tx) => {
        await tx.insert(readers).values({
          sessionId: person.sessionId,
          hostname: new URL(origin).host,
          ticketHash: hash(ticket),
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
      const query = new URLSearchParams({ ticket, path: readPath(path) ?? '/' })
      return { url: `${origin}/.docket/open?${query.toString()}` }
    },
    /** Uses a ticket up. Returns the key for the reader's cookie, or null. */
    redeem: async (ticket: string, host: string, channel: HostedChannel): Promise<string | null> => {
      const key = randomKey()
      const [row] = await db
        .update(readers)
        .set({ keyHash: hash(key) })
        .where(
          and(
            eq(readers.ticketHash, hash(ticket)),
            eq(readers.hostname, hostAt(host)),
            isNull(readers.keyHash),
            gt(readers.ticketExpiresAt, new Date(now())),
          ),
        )
        .returning({ sessionId: readers.sessionId })
      if (row === undefined) return null
      return mayRead(await findPerson(row.sessionId), channel) ? key : null
    },
    /** The person of a reader's cookie while they may read the channel. A change of their rights counts within a second. */
    findReader: async (key: string | null, host: string, channel: HostedChannel): Promise<PersonIdentity | null> => {
      const person = key === null ? null : await findReader(key, host)
      return mayRead(person, channel) ? person : null
    },
  }
}

/** Lets people into hosted channels. */
export type HostedSiteService = ReturnType<typeof hostedSiteService>

/** Deletes readers that have expired. */
export const deleteEndedReaders = async (db: Database, now: number): Promise<void> => {
  await db.delete(readers).where(lt(readers.expiresAt, new Date(now)))
}
