import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join, sep } from 'node:path'
import type { About } from '@docket/api-types/about'
import { sql } from 'drizzle-orm'
import type { Database } from '#ground/db/database.ts'
import type { OverviewCtx } from '#overview/overview-ctx.ts'
import type { PersonIdentity } from '#ground/identity/identity.ts'
import { newsReads, versions } from '#people/accounts/about.table.ts'

const root = join(import.meta.dirname, '..', '..', '..', '..', '..')

const isPartOfBuild = (path: string) =>
  /\.(ts|mjs|sql|json)$/.test(path) && !/\.test\.ts$|\/(testing|meta|node_modules)\//.test(path)

const listSources = async (folder: string): Promise<string[]> => {
  const names = await readdir(join(root, folder), { recursive: true }).catch(() => [])
  return names.map((name) => `${folder}/${name.replaceAll(sep, '/')}`).filter(isPartOfBuild)
}

const listPackages = async (): Promise<string[]> =>
  (await readdir(join(root, 'packages')).catch(() => [])).map((name) => `packages/${name}/src`)

/**
 * Hash of the running code: the server, its packages, and the page, whose HTML names its scripts by their hashes. Tests are excluded, so a
 * checkout and a release of it have the same hash. 12 hex digits.
 */
export const readBuild = async (): Promise<string> => {
  const folders = ['apps/bff/src', ...(await listPackages())]
  const files = [...(await Promise.all(folders.map(listSources))).flat(), 'apps/web/dist/index.html'].toSorted()
  const hash = createHash('sha256')
  for (const file of files) {
    const text = await readFile(join(root, file), 'utf8').catch(() => '')
    const content = text.replaceAll('\r\n', '\n')
    hash.update(`${file}\n${content.length}\n`).update(content)
  }
  return hash.digest('hex').slice(0, 12)
}

/** Notes the first start of a version on this database. Times are in milliseconds since the epoch. */
export const recordVersion = async (db: Database, version: string, now: number): Promise<void> => {
  await db
    .insert(versions)
    .values({ version, firstStartedAt: new Date(now) })
    .onConflictDoNothing()
}

type Known = { upgradedAt: string | null; lastRead: string | null; postgres: string }

const readKnown = async ({ db, facts }: OverviewCtx, userId: string): Promise<Known> => {
  // A person who joined after an upgrade has no earlier version to compare with.
  const { rows } = await db.execute<Known>(sql`
    with this as (select first_started_at as at from versions where version = ${facts.version}),
      last_read as (
        select coalesce((select read_at from news_reads where user_id = users.id), created_at) as at
        from users where id = ${userId}
      )
    select
      (select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') from this
        where exists (select from versions where first_started_at < at)) as "upgradedAt",
      (select version from versions, last_read where first_started_at <= last_read.at and last_read.at < (select at from this)
        order by first_started_at desc limit 1) as "lastRead",
      split_part(current_setting('server_version'), ' ', 1) as postgres`)
  return rows[0]!
}

/** The version of this Docket, and the release notes that a person has not read yet. */
export const readAbout = async (ctx: OverviewCtx, person: PersonIdentity): Promise<About> => {
  const { postgres, ...known } = await readKnown(ctx, person.userId)
  const isAdmin = person.role === 'admin'
  return {
    version: ctx.facts.version,
    build: await ctx.readBuild(),
    ...known,
    host: isAdmin
      ? {
          startedAt: ctx.startedAt,
          node: process.versions.node,
          postgres,
          platform: `${process.platform}-${process.arch}`,
        }
      : null,
  }
}

export const markNewsRead = async ({ db, now }: OverviewCtx, { userId }: PersonIdentity): Promise<void> => {
  const readAt = new Date(now())
  await db
    .insert(newsReads)
    .values({ userId, readAt })
    .onConflictDoUpdate({ target: newsReads.userId, set: { readAt } })
}
