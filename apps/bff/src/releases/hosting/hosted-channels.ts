import { setTimeout as delay } from 'node:timers/promises'
import type { ChannelAccess, ChannelHeader } from '@docket/api-types/sites'
import { sql } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import type { Database } from '#ground/db/database.ts'
import type { Log } from '#ground/log/log.ts'
import { buildHostedHeaders } from './channel-headers.ts'
import type { HostedName } from './hosted-hosts.ts'

/** A release that readers may still see. `endedAt` is null for the current one. Milliseconds since the epoch. */
export type HostedRelease = {
  number: number
  sha256: string
  at: number
  endedAt: number | null
  by: string
  note: string | null
}

/** A channel that is hosted. Its releases begin with the current one. */
export type HostedChannel = {
  site: { siteId: string; label: string; name: string; connectionIds: string[] }
  channelId: string
  name: string
  access: Exclude<ChannelAccess, 'private'>
  /** Of everything in it. Every cache revalidates with the cookies of its reader, so the ETag alone distinguishes releases. */
  headers: Readonly<Record<string, string>>
  accessLog: boolean
  releases: [HostedRelease, ...HostedRelease[]]
}

export const toScope = ({ access }: Pick<HostedChannel, 'access'>) => (access === 'public' ? 'public' : 'private')

type Row = Omit<HostedChannel, 'site' | 'headers' | 'releases'> &
  HostedChannel['site'] & { headers: ChannelHeader[]; releases: Omit<HostedRelease, 'endedAt'>[] }

/** Maximum number of earlier releases whose files are still served, and for how long after they ended. */
const maxEarlier = 5
const overlapMs = 3_600_000

const readChannel = async (db: Database, name: HostedName): Promise<HostedChannel | null> => {
  // A site that was joined into another keeps its addresses, which show the channels of the other site.
  const which =
    'hostname' in name
      ? sql`c.hostname = ${name.hostname}`
      : sql`c.name = ${name.channel} and c.site_id = (select coalesce(l.joined_into, l.site_id) from sites l where l.label = ${name.label})`
  const { rows } = await db.execute<Row>(sql`
    select s.site_id as "siteId", s.label, coalesce(s.name, s.domain) as "siteName", c.channel_id as "channelId", c.name, c.access,
      c.headers, c.access_log as "accessLog",
      array(select f.connection_id::text from sites f where f.site_id = s.site_id or f.joined_into = s.site_id) as "connectionIds",
      (select json_agg(r order by r.number desc) from (
        select e.number, e.sha256, (extract(epoch from e.released_at) * 1000)::bigint as at, e.by_name as by, e.note
        from releases e where e.channel_id = c.channel_id and e.number <= cur.number and e.sha256 is not null
          and (e.is_held or e.release_id = cur.release_id)
        order by e.number desc limit ${maxEarlier + 1}) r) as releases
    from channels c join sites s on s.site_id = c.site_id and s.joined_into is null
    join releases cur on cur.release_id = c.current_release_id and cur.sha256 is not null
    where c.access in ('signed_in', 'public') and ${which}`)
  const row = rows[0] as (Row & { siteName: string }) | undefined
  if (row === undefined) return null
  const { siteId, label, siteName, connectionIds, releases, ...channel } = row
  const dated = releases.map((release, at) => ({ ...release, endedAt: releases[at - 1]?.at ?? null }))
  return {
    ...channel,
    headers: { ...buildHostedHeaders(channel), 'Cache-Control': `${toScope(channel)}, no-cache` },
    site: { siteId, label, name: siteName, connectionIds },
    releases: dated as HostedChannel['releases'],
  }
}

type Entry = { value: HostedChannel | null; readAt: number; reading: Promise<HostedChannel | null> | null }

const toNameKey = (name: HostedName) => ('hostname' in name ? name.hostname : `${name.label} ${name.channel}`)

/** A known release is used for this long. When a read takes longer than `patienceMs`, the last known one is used. */
const freshMs = 1_000
const patienceMs = 2_000
/** Minimum time between two reads that are caused by requests for something that no known release has. These requests wait for the read. */
const againMs = 50
const maxNames = 5_000

/** Reads each channel at most once a second. While the database is unavailable, uses the last known one and logs that. */
export const createHostedChannels = ({ db, now, log }: { db: Database; now: () => number; log: Log }) => {
  const entries = new LRUCache<string, Entry>({ max: maxNames })
  const unknown = new LRUCache<string, true>({ max: maxNames, ttl: freshMs })

  const read = (name: HostedName, key: string): Promise<HostedChannel | null> => {
    const known = entries.get(key)
    if (known?.reading) return known.reading
    const reading = readChannel(db, name).then(
      (value) => {
        entries.set(key, { value, readAt: now(), reading: null })
        return value
      },
      (error: unknown) => {
        if (known === undefined) entries.delete(key)
        else entries.set(key, { ...known, reading: null, readAt: now() })
        throw error
      },
    )
    entries.set(key, { value: known?.value ?? null, readAt: known?.readAt ?? Number.NEGATIVE_INFINITY, reading })
    return reading
  }
  const orLastKnown = async (reading: Promise<HostedChannel | null>, last: Entry | undefined) => {
    if (last === undefined || last.readAt === Number.NEGATIVE_INFINITY) return reading
    const timer = Promise.withResolvers<HostedChannel | null>()
    const waiting = setTimeout(() => timer.resolve(last.value), patienceMs)
    const settled = reading.catch((error: unknown) => {
      log.debug({ err: error }, 'a hosted channel was not read; the last known release goes on')
      return last.value
    })
    return Promise.race([settled, timer.promise]).finally(() => clearTimeout(waiting))
  }

  return {
    /** The channel of a request, or null. Rejects only if it was never read. */
    find: (name: HostedName): HostedChannel | null | Promise<HostedChannel | null> => {
      const key = toNameKey(name)
      const entry = entries.get(key)
      if (entry !== undefined && now() - entry.readAt < freshMs) return entry.value
      return orLastKnown(read(name, key), entry)
    },
    /** Reads the channel again, because another replica may know a release that has `what`. `isThere` says whether a channel has it. */
    findWith: async (
      name: HostedName,
      what: string,
      channel: HostedChannel,
      isThere: (channel: HostedChannel) => boolean | Promise<boolean>,
    ): Promise<HostedChannel> => {
      const key = toNameKey(name)
      if (unknown.has(key + what)) return channel
      let found = channel
      // A read in progress may have started before the release.
      for (let tries = 0; tries < 2; tries += 1) {
        const passedMs = now() - (entries.get(key)?.readAt ?? 0)
        if (passedMs >= 0 && passedMs < againMs) await delay(againMs - passedMs)
        found = (await orLastKnown(read(name, key), entries.get(key))) ?? channel
        if (await isThere(found)) return found
      }
      // Missing files are requested often. A release or a download may be published again at any time.
      if (what.startsWith('/')) unknown.set(key + what, true)
      return found
    },
    /** Releases whose files are served: the current one, then those that ended a short while ago. Each bundle once. */
    listServed: ({ releases }: HostedChannel): string[] => {
      const since = now() - overlapMs
      const served: string[] = []
      for (const { sha256, endedAt } of releases)
        if ((endedAt === null || endedAt > since) && !served.includes(sha256)) served.push(sha256)
      return served
    },
  }
}

/** Name of a release in a reader's cookie: the start of the checksum of its bundle. */
export const toTag = (sha256: string): string => sha256.slice(0, 16)

export type HostedChannels = ReturnType<typeof createHostedChannels>
