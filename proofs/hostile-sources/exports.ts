import { setTimeout as delay } from 'node:timers/promises'
import { localAdminApi } from '#packages/local-admin-api/src/local-admin-api.ts'
import { scratchDatabase } from '#packages/local-admin-api/src/testing/scratch-database.ts'
import { unpackSite, type SiteFolder } from '#scripts/sites/site-folder.ts'

const key = 'adm_of-the-hostile-sources'
/** A worker that says nothing for so long hangs. */
const silenceMs = 45_000

/** How an export ended; without a site it failed. */
export type ExportEnd = { error: string | null; site: SiteFolder | null; seconds: number }

/** A local Admin API over the given folders, with the real worker or another one in its place. */
export const exporter = async (dataDir: string, sites: Readonly<Record<string, string>>, workerProgram?: string) => {
  const { database, stop } = await scratchDatabase()
  const api = await localAdminApi({
    dataDir,
    database,
    sites,
    projects: {},
    key,
    // Not every hostile name can stand in a navigation.
    exports: { silenceMs, withHiddenPages: Object.keys(sites), ...(workerProgram !== undefined && { workerProgram }) },
  })
  const call = async (path: string, body?: object) => {
    const response = await fetch(`${api.url}/v1/static-export/jobs${path}`, {
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
    return (await response.json()) as Record<string, unknown>
  }
  return {
    close: () => api.close().then(stop),
    /** Never rejects because of the source. */
    run: async (domain: string): Promise<ExportEnd> => {
      const startMs = performance.now()
      const { jobId } = await call('', { domain })
      for (;;) {
        const { status, error } = await call(`/${String(jobId)}`)
        const seconds = (performance.now() - startMs) / 1000
        if (status === 'failed') return { error: String(error), site: null, seconds }
        if (status === 'completed') {
          const { bundleUrl } = await call(`/${String(jobId)}/bundle`, {})
          const answer = await fetch(String(bundleUrl))
          return { error: null, site: await unpackSite(Buffer.from(await answer.arrayBuffer())), seconds }
        }
        await delay(100)
      }
    },
  }
}
