import { drizzle } from 'drizzle-orm/node-postgres'
import pino from 'pino'
import type { StoredSite } from '@docket/site-bundle/open-site'
import { openPool } from '#db/pool.ts'
import { hostedHosts } from '#hosting/hosted-hosts.ts'
import { hosting } from '#hosting/hosting.ts'
import { startServer } from '#http/server/server.ts'

/** Hosting alone, as one replica runs it: its own caches and connections, on a shared database and shared bundles. */
export const startHostingStand = async (databaseUrl: string, openSite: (sha256: string) => StoredSite) => {
  const pool = openPool({ connectionString: databaseUrl, max: 8 }, { warn: () => {} })
  const log = pino({ level: 'silent' })
  const hosts = { publicUrl: null, ownName: 'docket-0123456789ab.localhost' }
  const { serve } = hosting({
    db: drizzle(pool),
    hosts,
    hostedHosts: hostedHosts({ hosts, hostingUrl: null, previewUrl: null, isPreview: () => false }),
    openSite,
    findPerson: () => Promise.resolve(null),
    log,
    now: Date.now,
  })
  const server = await startServer({
    fetch: () => new Response('Docket', { status: 418 }),
    first: serve,
    host: '127.0.0.1',
    port: 0,
    log,
  })
  return {
    port: server.port,
    close: async () => {
      await server.stop(0)
      await pool.end()
    },
  }
}
