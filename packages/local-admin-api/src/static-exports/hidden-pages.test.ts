import { writeFolder } from '@docket/sources/testing/files'
import { expect, test } from 'vitest'
import { startApi } from '#testing/api.ts'
import { downloadBundle } from '#testing/bundle.ts'

test('an export includes hidden pages only for domains configured to do so', async () => {
  const folder = await writeFolder({ 'index.md': '# Home\n', 'secret.md': '---\ndraft: true\n---\n\n# Secret\n' })
  const { start, finished, bundle } = await startApi({
    sites: { 'docs.localhost': folder, 'internal.localhost': folder },
    exports: { withHiddenPages: ['internal.localhost'] },
  })
  const exportSite = async (domain: string) => {
    const { jobId } = await start(domain)
    expect(await finished(jobId)).toMatchObject({ status: 'completed' })
    return downloadBundle(await bundle(jobId))
  }
  expect((await exportSite('docs.localhost')).has('secret.html')).toBe(false)
  expect((await exportSite('internal.localhost')).get('secret.html')).toContain('noindex')
})
