import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { siteInMemory } from '@docket/site-bundle/testing/site-in-memory'
import { sql } from 'drizzle-orm'
import { grants } from '#people/accounts/grants.table.ts'
import { agentJobs } from '#records/agent-jobs/agent-jobs.table.ts'
import { agentPrompts } from '#records/agent-jobs/prompts/agent-prompts.table.ts'
import { artifacts } from '#bundles/artifacts/artifacts.table.ts'
import { projects } from '#service/connection-settings/projects.table.ts'
import { proposals } from '#releases/publish-checks/proposals.table.ts'
import { staticExports } from '#records/static-exports/static-exports.table.ts'
import { targets } from '#releases/targets/targets.table.ts'
import { testArtifacts } from '#testing/artifact-kit.ts'
import { addConnection } from '#testing/connections.ts'
import { testConnectionId } from '#testing/connection.ts'
import { signedIn } from '#testing/people.ts'
import { releaseKit } from '#testing/releases.ts'
import { testApp } from '#testing/test-app.ts'

/** Ids of records, by their names in paths, queries and bodies. */
export type Ids = Readonly<Record<string, string>>

/** A part of the stored records: its ids, and texts that only responses about it contain. */
export type World = { ids: Ids; marks: readonly string[] }

/** Tables of records, which requests may change. */
const recordTables =
  `accepted_findings agent_jobs agent_prompts approvals artifacts channels code_hosts connections deliveries history_events previews projects
  proposals releases saved_prompts saved_views sites static_exports stored_bundles targets`.split(/\s+/)
/** Unknown ids in the same form as those of a world. */
export const makeUnknownIds = (word = `nobodys${randomBytes(4).toString('hex')}`): Ids => ({
  ...Object.fromEntries(
    `connectionId exportId siteId channelId releaseId proposalId targetId requestId codeHostId userId sessionId invitationId grantId viewId
      passkeyId tokenId promptId previewId`
      .split(/\s+/)
      .map((name) => [name, randomUUID()]),
  ),
  domain: `${word}.example.com`,
  projectId: word,
  id: `job-${word}`,
  jobId: `export-${word}`,
  label: `${word}-example-com`,
  channel: 'production',
  sum: randomBytes(32).toString('hex'),
  file: 'x.tar.gz',
  repository: `${word}.git`,
  hash: randomBytes(20).toString('hex'),
  number: '1',
  fingerprint: randomBytes(16).toString('hex'),
})

/**
 * A server with two connections, two sites on the first one and one on the second, and everything that belongs to each. `own` is what
 * limited people and tokens may reach; `channel` is another channel of the same site, `sibling` another site, domain and project of the
 * same connection, `foreign` belongs to the other connection.
 */
export const twoOfEverything = async (now: () => number) => {
  const folder = await mkdtemp(join(tmpdir(), 'docket-access-'))
  const stored = {
    ...testArtifacts(folder),
    openSite: () => siteInMemory({ 'index.html': '<h1>Docs</h1>' }),
  }
  const app = await testApp({ artifacts: stored, now, ownName: 'docket-0123456789ab.localhost', logLevel: 'info' })
  const { db } = app
  const kit = releaseKit(db, stored.storage)

  /** A person with their own records, which no other person may see or change. */
  const addAccount = async (word: string) => {
    const { userId, sessionId } = await signedIn(db, 'none', { now: now() })
    const ids = { viewId: randomUUID(), grantId: randomUUID(), invitationId: randomUUID() }
    await db.insert(grants).values({ userId, role: 'viewer', grantId: ids.grantId, connectionId: testConnectionId })
    await db.execute(
      sql`insert into saved_views (view_id, user_id, list, name, query, created_at) values (${ids.viewId}, ${userId}, 'exports', ${word}, 'q=x', now())`,
    )
    return { userId, sessionId, ...ids }
  }

  const addPlace = async (site: Awaited<ReturnType<typeof kit.addSite>>, channel: string, more: { word: string }) => {
    const { sha256, releaseId } = await kit.release(site, channel, randomBytes(1000))
    const [channelId, at] = [site.channels[channel]!, new Date(now())]
    const asked = { askedById: randomUUID(), askedBy: more.word, askedAt: at }
    const [proposal] = await db
      .insert(proposals)
      .values({ channelId, ...asked })
      .returning()
    const [target] = await db
      .insert(targets)
      .values({
        channelId,
        name: more.word,
        kind: 'folder',
        settings: { kind: 'folder', path: '/nowhere', keep: 3 },
        createdBy: more.word,
        createdAt: at,
      })
      .returning()
    const { proposalId } = proposal!
    return { channelId, channel, sum: sha256, releaseId, proposalId, targetId: target!.targetId }
  }

  const addWorld = async (word: string, connectionId: string) => {
    const at = new Date(now())
    const ids = { ...makeUnknownIds(word), connectionId }
    const pick = (name: string) => (ids as Ids)[name]!
    const [exportId, domain, projectId, requestId] = ['exportId', 'domain', 'projectId', 'requestId'].map(pick) as [
      string,
      string,
      string,
      string,
    ]
    const id = pick('id')
    const jobId = pick('jobId')
    const site = await kit.addSite(domain, connectionId)
    await kit.addChannel(site, 'staging')
    const place = await addPlace(site, 'production', { word })
    const other = await addPlace(site, 'staging', { word: `${word} staging` })
    const times = { startedAt: at, finishedAt: at }
    const noted = { note: word, noteBy: word, noteAt: at }
    await db.insert(staticExports).values({
      exportId,
      connectionId,
      domain,
      state: 'completed',
      jobId,
      requestId,
      ...times,
    })
    await db.execute(sql`update static_exports set note = ${noted.note} where export_id = ${exportId}`)
    const { siteId, label } = site
    await db
      .insert(artifacts)
      .values({ exportId, siteId, state: 'stored', sha256: place.sum, storedAt: at, exportedAt: at })
    const repository = `https://github.com/${word}/docs`
    await db.insert(agentJobs).values({
      connectionId,
      projectId,
      id,
      status: 'active',
      repository,
      model: word,
      followedAt: at,
    })
    await db.insert(agentPrompts).values({
      requestId,
      connectionId,
      kind: 'creation',
      projectId,
      prompt: word,
      state: 'unknown',
      sentAt: at,
      sentBy: word,
    })
    await db.insert(projects).values({ connectionId, projectId, name: word })
    const account = await addAccount(word)
    const hostname = `${label}.localhost:${app.port}`
    return { site, other, ids: { ...ids, ...place, ...account, siteId, label, hostname } as Ids, word }
  }

  const connectionId = await addConnection(db, 'foreignmark')
  const [own, sibling, foreign] = [
    await addWorld('ownmark', testConnectionId),
    await addWorld('siblingmark', testConnectionId),
    await addWorld('foreignmark', connectionId),
  ]
  await db.execute(sql`insert into list_revisions (list, revision) values ('static_exports', 1), ('agent_jobs', 1)
    on conflict (list) do update set tag = gen_random_uuid()`)
  await app.services.service.registry.refresh()

  const toWorld = ({ ids, other: { channel: ____, ...other }, word }: typeof own): World => {
    const { channel: _, number: __, file: ___, ...named } = ids
    return {
      ids,
      marks: [word, ...Object.values({ ...named, connectionId: '' }), ...Object.values(other)].filter(Boolean),
    }
  }
  const { channel: _, ...otherIds } = own.other
  const worlds = {
    own: toWorld(own),
    channel: {
      ids: { ...own.ids, ...own.other, fingerprint: own.ids['fingerprint']! },
      marks: Object.values(otherIds),
    },
    sibling: toWorld(sibling),
    foreign: { ...toWorld(foreign), marks: [...toWorld(foreign).marks, connectionId] },
  } satisfies Record<string, World>

  await db.execute(sql`create schema kept`)
  const columns = await Promise.all(
    recordTables.map(async (table) => {
      await db.execute(sql.raw(`create table kept.${table} as select * from ${table}`))
      const { rows } = await db.execute<{ names: string }>(
        sql`select string_agg(quote_ident(column_name), ', ') as names from information_schema.columns
          where table_schema = 'public' and table_name = ${table} and is_generated = 'NEVER'`,
      )
      return `delete from ${table}; insert into ${table} (${rows[0]!.names}) overriding system value select ${rows[0]!.names} from kept.${table};`
    }),
  )
  // Callers get their roles on sites, and their tokens, while the tests run.
  await db.execute(
    sql.raw(`create table kept.site_grants as select * from site_grants;
    create function kept.keep_grant() returns trigger language plpgsql as 'begin insert into kept.site_grants select new.*; return null; end';
    create trigger keep_grant after insert on site_grants for each row execute function kept.keep_grant();
    create table kept.token_sites as select token_id, sites from api_tokens;
    create function kept.keep_token() returns trigger language plpgsql as 'begin insert into kept.token_sites values (new.token_id, new.sites); return null; end';
    create trigger keep_token after insert on api_tokens for each row execute function kept.keep_token()`),
  )
  const restoring = `set local session_replication_role = replica; ${columns.join(' ')}
    update api_tokens t set sites = k.sites from kept.token_sites k where k.token_id = t.token_id and t.sites is distinct from k.sites;
    update list_revisions set tag = gen_random_uuid(); set local session_replication_role = origin;
    insert into site_grants select * from kept.site_grants on conflict do nothing`
  const people = [own, sibling, foreign].map(({ ids }) => `'${ids['userId']}'`).join(', ')
  const digests = [
    ...recordTables.map((table) => [table, table]),
    // Signing in changes the callers, so only these people stay unchanged.
    ...['grants', 'site_grants'].map((table) => [table, `(select * from ${table} where user_id in (${people}))`]),
    ['sessions', `(select id from sessions where user_id in (${people}))`],
    ['users', `(select * from users where id in (${people}))`],
  ].map(
    ([name, rows]) => `select '${name}' as name, md5(coalesce(string_agg(row, ',' order by row), '')) as digest
      from (select t::text as row from ${rows} t) r`,
  )
  const digest = async () =>
    (await db.$client.query(digests.join(' union all '))).rows as { name: string; digest: string }[]

  return {
    app,
    worlds,
    /** Restores every row. */
    restore: () => db.$client.query(restoring),
    /** Hash of each table's current content, and of its initial content. */
    digest,
    pristine: await digest(),
    close: async () => {
      await app.close()
      await rm(folder, { recursive: true })
    },
  }
}
