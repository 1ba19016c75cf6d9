import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { execFileSync } from 'node:child_process'
import { parseSource } from '@docket/sources/site-source'
import { createSiteSources } from '@docket/sources/site-sources'
import { bareRepository, commitTo } from '@docket/sources/testing/git-server'
import { expect, onTestFinished, test } from 'vitest'
import { exportSite } from './export-site.ts'
import { openSource } from './open-source.ts'

const built = {
  'index.html': '<!doctype html><title>Start</title><h1>Start</h1><a href="/guide/">Guide</a>',
  'guide/index.html': '<!doctype html><title>Guide</title><h1>Guide</h1><a href="/">Start</a>',
}

const temporaryFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'built-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

const writeTree = async (tree: Readonly<Record<string, string>>) => {
  const folder = await temporaryFolder()
  for (const [file, content] of Object.entries(tree)) {
    await mkdir(dirname(join(folder, file)), { recursive: true })
    await writeFile(join(folder, file), content)
  }
  return folder
}

const exportBuilt = async (text: string, privateNetworks: readonly string[] = ['127.0.0.0/8']) => {
  const [work, target] = [await temporaryFolder(), await temporaryFolder()]
  const sources = createSiteSources(join(work, 'repositories'), privateNetworks)
  onTestFinished(() => sources.close())
  const ordered = await sources.order(parseSource(text), null, join(work, 'mirror'))
  const opened = await openSource(ordered, join(work, 'scratch'), () => Promise.resolve())
  const pages = await exportSite(opened, { domain: 'docs.example.com', version: null, paths: null, target })
  const read = (file: string) => readFile(join(target, file), 'utf8')
  return {
    pages,
    guide: await read('guide/index.html'),
    report: JSON.parse(await read('export-report.json')) as { pages: number },
  }
}

/** Serves bytes at `/site.tar.gz`, and a redirect to them at `/moved.tar.gz`. */
const serve = async (content: Buffer) => {
  const server = createServer((request, response) => {
    if (request.url === '/moved.tar.gz') response.writeHead(302, { location: '/site.tar.gz' }).end()
    else response.end(content)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('an archive of a built site is exported from a disk, and from an address with its checksum', async () => {
  const named = join(await temporaryFolder(), 'site.tar.gz')
  execFileSync('tar', ['-czf', named, '-C', await writeTree(built), '.'])
  const content = await readFile(named)
  const sha256 = createHash('sha256').update(content).digest('hex')
  const origin = await serve(content)
  for (const source of [
    `built=${named}`,
    `built=${origin}/site.tar.gz#sha256=${sha256}`,
    `built=${origin}/moved.tar.gz#sha256=${sha256}`,
  ]) {
    const { pages, guide, report } = await exportBuilt(source)
    expect([pages, report.pages]).toEqual([2, 2])
    expect(guide).toContain('<a href="../index.html">Start</a>')
  }
  const wrong = `built=${origin}/site.tar.gz#sha256=${'0'.repeat(64)}`
  await expect(exportBuilt(wrong)).rejects.toThrow(`its checksum is ${sha256}`)
  await expect(exportBuilt(`built=${origin}/site.tar.gz#sha256=${sha256}`, [])).rejects.toThrow('private')
})

test('a folder of a git branch holds a built site', async () => {
  const gitDir = await bareRepository(join(await temporaryFolder(), 'docs.git'), { 'README.md': 'x' })
  commitTo(gitDir, 'gh-pages', Object.fromEntries(Object.entries(built).map(([file, text]) => [`docs/${file}`, text])))
  const { pages, guide } = await exportBuilt(`built=git+file://${gitDir}#gh-pages:docs`)
  expect(pages).toBe(2)
  expect(guide).toContain('<a href="../index.html">Start</a>')
})

test.each([
  ['built=', 'is needed after'],
  ['built=https://ci.example.com/site.tar.gz', 'needs its checksum'],
  ['built=https://ci.example.com/site.tar.gz#sha256=12', 'needs its checksum'],
  ['built=https://me:secret@ci.example.com/site.zip#sha256=12', 'cannot hold a user or a password'],
])('%s is refused with what it lacks', (text, sentence) => {
  expect(() => parseSource(text)).toThrow(sentence)
})
