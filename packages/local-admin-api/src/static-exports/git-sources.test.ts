import { join } from 'node:path'
import { temporaryFolder, writeFolder } from '@docket/sources/testing/files'
import { bareRepository, commitTo, gitAt, gitOverHttp, startServer } from '@docket/sources/testing/git-server'
import { expect, test } from 'vitest'
import { startApi } from '#testing/api.ts'
import { downloadBundle } from '#testing/bundle.ts'

const jobs = '/v1/static-export/jobs'

/** A repository with two pages on `main` that say `word`. */
const createRepository = async (word: string) => {
  const gitDir = await bareRepository(join(await temporaryFolder(), 'docs.git'), createPages(word))
  return { gitDir, url: `git+file://${gitDir}` }
}
const createPages = (word: string) => ({
  'index.md': `# Home\n\nIt is ${word}.\n`,
  'more.md': `# More\n\nAlso ${word}.\n`,
})

test('an export reads the commit it started with, even if it restarts after the branch moved', async () => {
  const { gitDir, url } = await createRepository('peridot')
  const one = await startApi({ sites: { 'docs.localhost': url } })
  const { jobId } = await one.start('slow-1.sentinel.test')
  await one.until(jobId, ({ pageCount }) => pageCount > 0)
  await one.api.close()
  commitTo(gitDir, 'main', createPages('malachite'))

  const two = await startApi({ sites: one.sites, dataDir: one.dataDir, database: one.database })
  expect(await two.finished(jobId)).toMatchObject({ status: 'completed', pageCount: 2 })
  const before = await downloadBundle(await two.bundle(jobId))
  expect([before.get('index.html'), before.get('more.html')].join('')).toMatch(/It is peridot[^]*Also peridot/)
  expect([...before.values()].join('')).not.toContain('malachite')

  const later = await two.start('docs.localhost')
  await two.finished(later.jobId)
  expect((await downloadBundle(await two.bundle(later.jobId))).get('index.html')).toContain('It is malachite')
})

test('a branch, a tag or one folder of a repository is read over HTTP, without files outside the folder', async () => {
  const root = await temporaryFolder()
  const gitDir = await bareRepository(join(root, 'docs.git'), { 'README.md': '# Outside\n' })
  commitTo(gitDir, 'next', { 'site/index.md': '# From the branch\n', 'site/b.md': '# B\n', 'README.md': '# Outside\n' })
  gitAt(gitDir, ['tag', '-a', 'v1', '-m', 'one', 'next'])
  commitTo(gitDir, 'next', { 'site/index.md': '# From its head\n', 'README.md': '# Outside\n' })
  const handle = gitOverHttp(root, { password: '', before: () => Promise.resolve() })
  const { url } = await startServer((request, response) => {
    if (!handle(request, response)) response.writeHead(404).end()
  })
  const sites = {
    'head.localhost': `git+${url}/docs.git#next:site`,
    'tag.localhost': `git+${url}/docs.git#v1:site/`,
    'nowhere.localhost': `git+${url}/docs.git#next:nope`,
  }
  const { start, finished, bundle } = await startApi({ sites })
  const [head, tag, nowhere] = [
    await start('head.localhost'),
    await start('tag.localhost'),
    await start('nowhere.localhost'),
  ]
  await finished(nowhere.jobId)
  const read = async (jobId: string) => downloadBundle(await bundle(jobId))
  const [headFiles, tagFiles] = [await read(head.jobId), await read(tag.jobId)]
  expect(headFiles.get('index.html')).toContain('From its head')
  expect(tagFiles.get('index.html')).toContain('From the branch')
  expect([headFiles.has('b.html'), tagFiles.has('b.html')]).toEqual([false, true])
  expect([...headFiles.values(), ...tagFiles.values()].join('')).not.toContain('Outside')
  expect(await finished(nowhere.jobId)).toMatchObject({
    status: 'failed',
    error: expect.stringMatching(/no folder nope/) as unknown,
  })
})

test('an export of a project that is not read fails with its name and the way to its built site, unless its Markdown is asked for', async () => {
  const hugo = {
    'site/hugo.toml': 'title = "Site"',
    'site/content/start.md': '# Start\n',
    'site/content/_index.md': '# Top\n',
  }
  const url = `git+file://${await bareRepository(join(await temporaryFolder(), 'docs.git'), hugo)}`
  const folder = await writeFolder(hugo)
  const sites = {
    'git.localhost': url,
    'folder.localhost': folder,
    'asked.localhost': `render=${url}`,
    'read.localhost': `render=${folder}`,
  }
  const { start, finished, bundle } = await startApi({ sites })
  for (const domain of ['git.localhost', 'folder.localhost'])
    expect(await finished((await start(domain)).jobId)).toMatchObject({
      status: 'failed',
      error:
        'This is a Hugo project. Docket does not read Hugo. Export its built site instead: build it with “hugo” in site, then set the source to “built=./site/public”. Or put “render=” before the source to export its Markdown as it is',
    })
  for (const domain of ['asked.localhost', 'read.localhost']) {
    const { jobId } = await start(domain)
    expect(await finished(jobId)).toMatchObject({ status: 'completed', pageCount: 1 })
    const { lines } = JSON.parse((await downloadBundle(await bundle(jobId))).get('export-report.json')!) as {
      lines: object[]
    }
    expect(lines).toMatchObject([
      { file: 'site/hugo.toml', what: expect.stringContaining('a project of Hugo') as unknown },
      { file: 'site/content/_index.md' },
    ])
  }
})

test('an unreadable repository is answered with 424 and the reason, and works again once it is readable', async () => {
  const { gitDir, url } = await createRepository('there')
  const { url: notGit } = await startServer((_, response) => void response.end('<h1>Hello</h1>'))
  const sites = {
    'missing.localhost': `git+file://${gitDir}-gone`,
    'branch.localhost': `${url}#release`,
    'web.localhost': `git+${notGit}/docs.git`,
    'away.localhost': 'git+http://127.0.0.1:1/docs.git',
    'index.localhost': url,
  }
  const { call, listExports, finished } = await startApi({ sites })
  const refused = async (domain: string) => {
    const response = await call('POST', jobs, { domain })
    return [response.status, ((await response.json()) as { error: string }).error] as const
  }
  expect(await refused('missing.localhost')).toEqual([424, expect.stringContaining('docs.git-gone cannot be read')])
  expect(await refused('branch.localhost')).toEqual([424, expect.stringContaining('no branch or tag release')])
  expect(await refused('web.localhost')).toEqual([424, expect.stringContaining('no git repository')])
  expect(await refused('away.localhost')).toEqual([424, expect.stringContaining('cannot be read')])
  expect(await listExports()).toEqual([])

  gitAt(gitDir, ['branch', 'release', 'main'])
  const started = await call('POST', jobs, { domain: 'branch.localhost', paths: ['more'] })
  expect(started.status).toBe(202)
  expect(await finished(((await started.json()) as { jobId: string }).jobId)).toMatchObject({
    status: 'completed',
    pageCount: 1,
  })
  const unknown = await call('POST', jobs, { domain: 'branch.localhost', paths: ['more', 'nope'] })
  expect([unknown.status, await unknown.text()]).toEqual([400, expect.stringContaining('nope')])
})

test('a commit is fetched once, however many exports read it', async () => {
  const root = await temporaryFolder()
  await bareRepository(join(root, 'docs.git'), createPages('kept'))
  const handle = gitOverHttp(root, { password: '', before: () => Promise.resolve() })
  let conversations = 0
  const { url } = await startServer((request, response) => {
    if (request.url?.includes('/info/refs')) conversations += 1
    if (!handle(request, response)) response.writeHead(404).end()
  })
  const sites = { 'docs.localhost': `git+${url}/docs.git` }
  const { start, finished } = await startApi({ sites, exports: { atOnce: 2 } })
  for (const { jobId } of await Promise.all([start(), start()]))
    expect(await finished(jobId)).toMatchObject({ status: 'completed', pageCount: 2 })
  // Each start asks where the branch is; one of them fetches.
  expect(conversations).toBe(3)
  await finished((await start()).jobId)
  expect(conversations).toBe(4)
})
