import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { localAdminApi } from '@docket/local-admin-api'
import { exportInProcess } from '@docket/local-admin-api/testing/export-in-process'
import { adminApiContract } from '#service/admin-api/testing/admin-api-contract.ts'
import { testDatabase } from '#testing/database.ts'

const open = (strict: boolean) => async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'docket-contract-'))
  const site = join(dataDir, 'site')
  await mkdir(site)
  await Promise.all(['index', 'about'].map((name) => writeFile(join(site, `${name}.md`), `# ${name}\n\nWords.\n`)))
  const key = 'docket_key-of-the-contract-suite'
  const database = await testDatabase()
  const local = await localAdminApi({
    database: database.db,
    dataDir: join(dataDir, 'data'),
    sites: { 'docs.localhost': site },
    startExport: exportInProcess,
    key,
    strict,
  })
  let job: Promise<{ projectId: string; id: string }> | undefined
  const createJob = async () => {
    const projectId = local.projectIds[0] ?? ''
    const response = await fetch(`${local.url}/v2/agent/${projectId}/job`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ maintenance: { action: 'fix_typos' } }),
    })
    const { id } = (await response.json()) as { id: string }
    return { projectId, id }
  }
  return {
    baseUrl: local.url,
    key,
    domain: 'docs.localhost',
    lists: !strict,
    // The base contract shows no way to create a job; the service has one under a reserved id.
    agentJob: () => (job ??= strict ? Promise.resolve({ projectId: 'sentinel', id: 'active' }) : createJob()),
    close: async () => {
      await local.close()
      await database.drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

adminApiContract('the local Admin API', open(false))
adminApiContract('the local Admin API, answering with nothing but the contract', open(true))
