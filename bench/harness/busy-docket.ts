import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { seedRecordsAt } from '#apps/bff/src/testing/seed-records.ts'
import { callApi } from '#e2e/support/api.ts'
import { runSql } from '#e2e/support/database.ts'
import { startDocket, type Docket } from '#e2e/support/docket-server.ts'
import { packSite } from '#e2e/support/pack-site.ts'
import { startPlainService, type PlainService } from '#e2e/support/plain-service.ts'

/** The site with stored exports: two of them, of which the first is live and the second is not. */
export const publishedDomain = 'handbook.example.com'

const limitMs = 300_000

const packHandbook = (words: string) => {
  const layOut = (title: string, main: string) =>
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title} · Handbook</title></head><body><main><h1>${title}</h1><p>${main}</p><p><a href="start.html">First steps</a></p></main></body></html>`
  return packSite({
    'index.html': layOut('Handbook', words),
    'start.html': layOut('First steps', 'Open the door, and come in.'),
    '404.html': layOut('Not found', 'There is no such page.'),
  })
}

const waitFor = async <T>(what: string, find: () => Promise<T | undefined>): Promise<T> => {
  for (let waited = 0; waited < limitMs; waited += 250) {
    const found = await find()
    if (found !== undefined) return found
    await sleep(250)
  }
  throw new Error(`${what}: not within ${limitMs / 1000} s`)
}

/** Exports a domain of the service, and waits until its bundle is stored. */
const storeExport = async (docket: Docket, connectionId: string, domain: string): Promise<string> => {
  const body = { requestId: randomUUID(), connectionId, domain }
  const started = (await (await callApi(docket, '/api/static-exports', { body })).json()) as {
    export: { exportId: string }
  }
  const { exportId } = started.export
  await waitFor(`the bundle of ${domain}`, async () => {
    const rows = await runSql(
      docket,
      `select 1 from artifacts where export_id = '${exportId}' and state = 'stored' and breaks is not null`,
    )
    return rows.length > 0 ? true : undefined
  })
  return exportId
}

type Channel = { channelId: string; name: string; version: number }

const findSite = async (docket: Docket, domain: string) => {
  const { sites } = (await (await callApi(docket, '/api/sites')).json()) as {
    sites: { siteId: string; name: string; channels: Channel[] }[]
  }
  return sites.find(({ name }) => name === domain)
}

const publish = async (docket: Docket, exportId: string): Promise<void> => {
  const { siteId, channels } = await waitFor('the site', () => findSite(docket, publishedDomain))
  const { channelId, version } = channels.find(({ name }) => name === 'production')!
  const body = { version, exportId, override: 'The first release of the bench.' }
  await callApi(docket, `/api/sites/${siteId}/channels/${channelId}/releases`, { body })
}

/** `active`: those of each kind that have not ended; 5 by default. */
type Records = { exports: number; jobs: number; active?: number }

/** Records of months: `exports` of 20 sites, and `jobs`. They belong to one connection. */
const fillLists = async (docket: Docket, connectionId: string, records: Records): Promise<void> => {
  const [, , , port = '', host = ''] = readFileSync(join(docket.dataDir, 'postgres', 'postmaster.pid'), 'utf8').split(
    '\n',
  )
  const each = (change: (table: string) => string) =>
    runSql(docket, ['static_exports', 'agent_jobs'].map(change).join(';'))
  await each((table) => `alter table ${table} alter column connection_id set default '${connectionId}'`)
  await seedRecordsAt(`postgresql://docket@localhost:${port}/postgres?host=${encodeURIComponent(host)}`, {
    active: 5,
    ...records,
    now: Date.now() - 3_600_000,
  })
  await each((table) => `alter table ${table} alter column connection_id drop default`)
  await runSql(
    docket,
    `update static_exports set domain = (array['docs', 'help', 'api', 'guides'])[1 + n % 4] || '.' ||
      (array['acme', 'globex', 'initech', 'umbra', 'hooli'])[1 + n / 4 % 5] || '.example.com'
      from (select export_id id, (row_number() over (order by export_id))::int n from static_exports) numbered where id = export_id`,
  )
}

/**
 * A Docket as after a busy month: two connections, `exports` of 20 sites, as many `jobs`, and two stored exports of
 * `publishedDomain`. `close` ends it and its service.
 */
export const openBusyDocket = async (
  records: Records,
): Promise<{
  docket: Docket
  service: PlainService
  /** Connection of that service. */
  connectionId: string
  /** The newest export of `publishedDomain`. */
  exportId: string
  close: () => Promise<void>
}> => {
  const service = await startPlainService()
  const site = join(import.meta.dirname, '..', '..', 'e2e', 'fixture')
  const docket = await startDocket({ LOCAL_SITES: `docs.localhost=${site}`, LOCAL_ADMIN_API: 'true' })
  const close = () => docket.dispose().finally(() => service.close())
  try {
    const connection = {
      name: 'Acme',
      baseUrl: service.url,
      key: { value: service.key },
      callsPerHour: 1_000_000,
    }
    const added = await callApi(docket, '/api/connections', { body: connection })
    const { connectionId } = (await added.json()) as { connectionId: string }
    await fillLists(docket, connectionId, records)
    await docket.restart()
    service.stand({ status: 'completed' })
    service.pack(await packHandbook('The first words.'))
    await publish(docket, await storeExport(docket, connectionId, publishedDomain))
    service.pack(await packHandbook('The second words, which nobody has read yet.'))
    const exportId = await storeExport(docket, connectionId, publishedDomain)
    return { docket, service, connectionId, exportId, close }
  } catch (error) {
    await close().catch(() => {})
    throw error
  }
}
