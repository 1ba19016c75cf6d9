import { sql } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { environmentSettings as settings } from '#testing/connection.ts'
import { testDatabase } from '#testing/database.ts'
import { describeEnvironment } from './describe-environment.ts'
import { readEmbeddedSwitch } from './embedded-switch.ts'

const adminApi = {
  baseUrl: 'https://api.example.com',
  key: () => Promise.resolve('key'),
  readKey: undefined,
  extra: () => ({ headers: {}, clientCertificate: null }),
  clientCertificateExpiresOn: null,
}
const sites = { 'docs.example.com': '/docs' }

type Case = {
  LOCAL_ADMIN_API?: boolean
  LOCAL_SITES?: true
  ADMIN_API_URL?: true
  /** What the last start wrote: that it ran, or that it did not. Left out: no earlier start. */
  before?: 'ran' | 'off'
  saved?: true
  /** Removed again. */
  removed?: true
  records?: 'static_exports' | 'agent_jobs' | 'embedded_service.static_exports'
  admin?: boolean
}

const decide = async ({
  LOCAL_ADMIN_API,
  LOCAL_SITES,
  ADMIN_API_URL,
  before,
  saved,
  removed,
  records,
  admin,
}: Case) => {
  const { db, drop } = await testDatabase()
  onTestFinished(drop)
  if (before !== undefined)
    await describeEnvironment(db, { environment: null, embedded: before === 'ran' ? settings : null })
  if (saved || removed)
    await db.execute(sql`insert into connections (name, kind, source, base_url, deployment_kind, calls_per_hour, timeout_ms, agent_job_creation, gone_at)
      values ('Acme', 'service', 'settings', 'https://acme.example', 'cloud', 1, 1000, false, case when ${removed === true} then now() end)`)
  if (admin !== undefined) await db.execute(sql`update connections set switched_on = ${admin} where kind = 'embedded'`)
  const own = sql`select connection_id from connections where kind = 'embedded'`
  if (records === 'static_exports')
    await db.execute(
      sql`insert into static_exports (export_id, connection_id, domain, state, started_at) values (gen_random_uuid(), (${own}), 'a.example', 'completed', now())`,
    )
  if (records === 'agent_jobs')
    await db.execute(
      sql`insert into agent_jobs (connection_id, project_id, id, followed_at) values ((${own}), 'docs', 'a', now())`,
    )
  if (records === 'embedded_service.static_exports')
    await db.execute(sql`insert into embedded_service.static_exports (job_id, domain, status, created_at, updated_at)
      values ('a', 'a.example', 'queued', now(), now())`)
  const variables = {
    localAdminApi: LOCAL_ADMIN_API ?? null,
    local: { sites: LOCAL_SITES ? sites : null },
    adminApi: ADMIN_API_URL ? adminApi : null,
  }
  const first = await readEmbeddedSwitch(variables, db)
  // What this start writes changes nothing for the next one, nor for a replica.
  await describeEnvironment(db, {
    environment: ADMIN_API_URL ? { baseUrl: adminApi.baseUrl, ...settings } : null,
    embedded: first.on ? settings : null,
  })
  expect((await readEmbeddedSwitch(variables, db)).on).toBe(first.on)
  return [first.on, first.because]
}

test.each<[string, Case, boolean, string]>([
  ['a new installation', {}, true, 'no other service is connected'],
  ['a new installation with ADMIN_API_URL', { ADMIN_API_URL: true }, false, 'Docket uses other services'],
  [
    'one of 1.0.0 that only used ADMIN_API_URL',
    { ADMIN_API_URL: true, before: 'off' },
    false,
    'Docket uses other services',
  ],
  [
    'one of 1.0.0 that tried it, then connected',
    { ADMIN_API_URL: true, before: 'off', records: 'static_exports' },
    false,
    'Docket uses other services',
  ],
  [
    'one of 1.0.0 that only used a saved connection',
    { saved: true, before: 'off' },
    false,
    'Docket uses other services',
  ],
  [
    'a saved connection beside one that ran',
    { saved: true, before: 'ran' },
    true,
    'it ran before other services were added',
  ],
  [
    'a saved connection that was removed again',
    { removed: true, before: 'off' },
    true,
    'no other service is connected',
  ],
  [
    'ADMIN_API_URL beside one that nobody used',
    { ADMIN_API_URL: true, before: 'ran' },
    false,
    'Docket uses other services',
  ],
  [
    'ADMIN_API_URL beside exports',
    { ADMIN_API_URL: true, before: 'ran', records: 'static_exports' },
    true,
    'it has exports or agent jobs',
  ],
  [
    'ADMIN_API_URL beside agent jobs',
    { ADMIN_API_URL: true, before: 'ran', records: 'agent_jobs' },
    true,
    'it has exports or agent jobs',
  ],
  [
    'ADMIN_API_URL beside an export that a script started',
    { ADMIN_API_URL: true, before: 'ran', records: 'embedded_service.static_exports' },
    true,
    'it has exports or agent jobs',
  ],
  [
    'LOCAL_SITES beside other services',
    { ADMIN_API_URL: true, saved: true, before: 'off', LOCAL_SITES: true },
    true,
    'LOCAL_SITES is set',
  ],
  [
    'LOCAL_ADMIN_API=false with LOCAL_SITES',
    { LOCAL_ADMIN_API: false, LOCAL_SITES: true, before: 'ran' },
    false,
    'LOCAL_ADMIN_API is false',
  ],
  [
    'LOCAL_ADMIN_API=true beside other services',
    { LOCAL_ADMIN_API: true, ADMIN_API_URL: true, before: 'off' },
    true,
    'LOCAL_ADMIN_API is true',
  ],
  ['an admin who switched it on', { ADMIN_API_URL: true, before: 'off', admin: true }, true, 'an admin switched it on'],
  [
    'an admin who switched it off',
    { saved: true, before: 'ran', records: 'static_exports', admin: false },
    false,
    'an admin switched it off',
  ],
  ['an admin against LOCAL_SITES', { before: 'ran', LOCAL_SITES: true, admin: false }, true, 'LOCAL_SITES is set'],
])(
  'whether the embedded service runs is decided once for all processes and starts: %s',
  async (_, given, on, because) => {
    expect(await decide(given)).toEqual([on, because])
  },
)
