import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { localAdminApi } from '@docket/local-admin-api'
import { expect, onTestFinished, test } from 'vitest'
import { httpAdminApi } from '#service/admin-api/http-admin-api.ts'
import { testDatabase } from '#testing/database.ts'

/** Docket's own client, in front of the service that Docket embeds. */
const open = async (strict: boolean) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'docket-refusals-'))
  const key = 'docket_key-of-the-refusals-test'
  const folder = join(dataDir, 'site')
  await mkdir(folder)
  await writeFile(join(folder, 'index.md'), '# Home\n')
  const sites = {
    'docs.localhost': folder,
    'off.localhost': folder,
    'git.localhost': `git+file://${dataDir}/nowhere.git`,
  }
  const exports = { refused: ['off.localhost'], atOnce: 1, queueLength: 1 }
  const database = await testDatabase()
  const local = await localAdminApi({ database: database.db, dataDir, sites, projects: {}, key, strict, exports })
  const client = httpAdminApi({ baseUrl: local.url, key: () => key })
  onTestFinished(async () => {
    await client.close()
    await local.close()
    await database.drop()
    await rm(dataDir, { recursive: true, force: true })
  })
  const start = (domain: string, paths?: string[]) => client.startStaticExport({ domain, paths })
  return { client, start }
}

test.each([
  ['the local service', false],
  ['the local service, answering with nothing but the contract', true],
])('%s: a refused start has started nothing, and is reported with the message of the service', async (_, strict) => {
  const { start } = await open(strict)
  const refused = async (call: Promise<unknown>, code: string, sentence: RegExp, more: object = {}) =>
    expect(call).rejects.toMatchObject({
      code,
      effect: 'none',
      sentence: expect.stringMatching(sentence) as string,
      ...more,
    })
  await refused(start('off.localhost'), 'upstream_forbidden', /not enabled for off\.localhost/)
  await refused(start('git.localhost'), 'upstream_refused', /nowhere\.git cannot be read/)
  await refused(start('nobody.localhost'), 'upstream_refused', /no site with the domain nobody\.localhost/)
  await refused(start('docs.localhost', ['no/such/page']), 'upstream_refused', /no page no\/such\/page/)
  await start('slow-60.sentinel.test')
  await start('docs.localhost')
  const waiting = /Too many exports are waiting, so nothing was started/
  await refused(start('docs.localhost'), 'upstream_rate_limited', waiting, { retryAfterMs: 30_000 })
})
