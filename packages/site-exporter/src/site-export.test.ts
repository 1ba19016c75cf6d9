import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { writeFolder, temporaryFolder } from '@docket/sources/testing/files'
import { bareRepository, commitTo } from '@docket/sources/testing/git-server'
import { expect, test } from 'vitest'
import { origin } from '#testing/mirror.ts'
import { htmlPage } from '#testing/origin.ts'

const program = join(import.meta.dirname, 'site-export.ts')
const pages = { 'index.md': '# Home\n\n[Start](guide/start.md)\n', 'guide/start.md': '# Start\n\n[Gone](gone.md)\n' }

const siteExport = (args: readonly string[], cwd?: string, more: Readonly<Record<string, string>> = {}) =>
  new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const env = { ...process.env, INIT_CWD: cwd, ...more }
    execFile(process.execPath, [program, ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    )
  })

test('site:export exports a folder and prints a summary of the report', async () => {
  const [source, place] = [await writeFolder(pages), await temporaryFolder()]
  const { code, stdout, stderr } = await siteExport([source, 'site'], place)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toBe(
    `Wrote 2 pages to ${join(place, 'site')}.\nRemarks: 1 broken-link. export-report.json lists them.\n`,
  )
  expect(await readFile(join(place, 'site', 'index.html'), 'utf8')).toContain('href="guide/start.html"')
  expect(await readdir(place)).toEqual(['site'])
})

test('site:export exports a folder on a branch of a git repository', async () => {
  const [gitDir, target] = [join(await temporaryFolder(), 'docs.git'), await temporaryFolder()]
  await bareRepository(gitDir, pages)
  commitTo(gitDir, 'next', { 'docs/index.md': '# From the branch\n' })
  const { code, stdout, stderr } = await siteExport([`git+file://${gitDir}#next:docs`, target])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toContain(`Wrote 1 page to ${target}.`)
  expect(await readFile(join(target, 'index.html'), 'utf8')).toContain('From the branch')
})

test('site:export mirrors a live site, and one in a private network only if an option or LOCAL_MIRROR_NETWORKS names that network', async () => {
  const { url } = await origin({ '/': htmlPage('Home', '<p>Read over HTTP.</p>') })
  const target = join(await temporaryFolder(), 'site')
  const refused = await siteExport([url, target])
  expect(refused.code).toBe(1)
  expect(refused.stderr).toContain('name its network with --private-network')
  expect(await readdir(dirname(target))).toEqual([])
  const { code, stderr } = await siteExport([url, target, '--private-network', '127.0.0.1'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(await readFile(join(target, 'index.html'), 'utf8')).toContain('Read over HTTP.')
  const other = join(dirname(target), 'other')
  const listed = await siteExport([url, other], undefined, { LOCAL_MIRROR_NETWORKS: '10.20.0.0/16, 127.0.0.0/8' })
  expect(listed).toMatchObject({ code: 0, stderr: '' })
})

test('a target folder that contains files is refused and left unchanged', async () => {
  const [source, target] = [await writeFolder(pages), await writeFolder({ 'mine.txt': 'kept' })]
  const { code, stderr } = await siteExport([source, target])
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: `${target} is not empty. Name a folder that is new or empty.\n`,
  })
  expect(await readdir(target)).toEqual(['mine.txt'])
})

test('a site is exported into an empty mounted folder even if its parent is read-only', async ({ skip }) => {
  const [source, place] = [await writeFolder(pages), await temporaryFolder()]
  const target = join(place, 'out')
  await mkdir(target)
  const inNamespace = (script: string) =>
    promisify(execFile)('unshare', ['--map-root-user', '--mount', 'sh', '-ec', script, 'sh', place, target])
  const mounts = 'mount --bind "$1" "$1"; mount -t tmpfs tmpfs "$2"; mount -o remount,bind,ro "$1"'
  await inNamespace(mounts).catch(() => skip('not run: this user may not mount a folder here'))
  const run = `"${process.execPath}" "${program}" "${source}" "$2" >&2; ls -A "$2"`
  const { stdout, stderr } = await inNamespace(`${mounts}; ${run}`)
  expect(stderr).toContain(`Wrote 2 pages to ${target}.`)
  await siteExport([source, 'new'], place)
  expect(stdout.trim().split('\n').toSorted()).toEqual((await readdir(join(place, 'new'))).toSorted())
})

test('a failed export prints the reason and leaves no files behind', async () => {
  const place = await temporaryFolder()
  await mkdir(join(place, 'empty'))
  await writeFile(join(place, 'file'), '')
  const reasons = async (source: string, target: string) => (await siteExport([source, target], place)).stderr
  expect(await reasons('empty', 'site')).toBe('The source holds no pages to export\n')
  expect(await reasons('missing', 'site')).toContain(
    `The folder ${join(place, 'missing')} of the site is missing on the machine`,
  )
  expect(await reasons('git+ssh://example.test/x.git', 'site')).toContain('is no address of a git repository')
  expect(await reasons('empty', 'file')).toBe(`${join(place, 'file')} is a file. Name a folder that is new or empty.\n`)
  expect((await readdir(place)).toSorted()).toEqual(['empty', 'file'])
})

test('wrong arguments print the usage', async () => {
  expect((await siteExport(['only-one'])).stderr).toMatch(/^Use: pnpm site:export/)
  expect((await siteExport(['a', 'b', '--nonsense'])).stderr).toContain('Use: pnpm site:export')
})

test('with a cache, only changed pages are rendered, and code has the same colours as in a full export', async () => {
  const nested = '````md\n```python\nreturn 1\n```\n````\n'
  const before = { 'a.md': '# A\n\n```python\nreturn 1\n```\n', 'b.md': `# B\n\n${nested}` }
  const place = await temporaryFolder()
  const exported = async (files: Record<string, string>, target: string, ...more: string[]) => {
    const { code, stderr } = await siteExport(
      [await writeFolder({ ...files, 'docs.json': '{"name":"Acorn"}' }), target, ...more],
      place,
    )
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    return readFile(join(place, target, 'b.html'), 'utf8')
  }
  await exported(before, 'one', '--cache', 'cache')
  const after = { ...before, 'b.md': `# B\n\nChanged.\n\n${nested}` }
  const page = await exported(after, 'two', '--cache', 'cache')
  expect(page).toBe(await exported(after, 'three'))
})
