import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { localAdminApi } from '#packages/local-admin-api/src/local-admin-api.ts'
import { scratchDatabase } from '#packages/local-admin-api/src/testing/scratch-database.ts'

/**
 * Exports a folder of documentation as a user would: through the local Admin API (§4.2 to §4.4). Rejects with the
 * reason of a failed export.
 */
export const exportSource = async (
  folder: string,
  { domain = 'docs.localhost' } = {},
): Promise<{ bundle: Buffer; pageCount: number }> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'docket-export-'))
  const key = 'adm_key-of-a-check'
  const { database, stop } = await scratchDatabase()
  const api = await localAdminApi({ dataDir, database, sites: { [domain]: folder }, projects: {}, key })
  const call = async (path: string, body?: object) => {
    const response = await fetch(`${api.url}/v1/static-export/jobs${path}`, {
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
    return (await response.json()) as Record<string, unknown>
  }
  try {
    const { jobId } = await call('', { domain })
    for (;;) {
      const { status, error, pageCount } = await call(`/${String(jobId)}`)
      if (status === 'failed') throw new Error(`The export of ${folder} failed: ${String(error)}`)
      if (status === 'completed') {
        const { bundleUrl } = await call(`/${String(jobId)}/bundle`, {})
        const answer = await fetch(String(bundleUrl))
        return { bundle: Buffer.from(await answer.arrayBuffer()), pageCount: Number(pageCount) }
      }
      await sleep(50)
    }
  } finally {
    await api.close()
    await stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}
