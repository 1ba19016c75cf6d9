import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { packSite } from '#bench/harness/hosted-site.ts'

const guide = readFileSync(join(import.meta.dirname, '..', 'docs/guide/exports/host-the-bundle.md'), 'utf8')
const section = guide.slice(guide.indexOf('## Switch over in one step'))
const [switchOver = '', goBack = ''] = [...section.matchAll(/```sh\n([\s\S]*?)```/g)].map(
  ([, commands = '']) => commands,
)

const folder = mkdtempSync(join(tmpdir(), 'docket-switch-over-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Runs commands as printed, but with another `/srv`, and each run a minute after the one before. */
const run = async (commands: string, minute: number) => {
  const bin = join(folder, 'bin')
  mkdirSync(bin, { recursive: true })
  writeFileSync(join(bin, 'date'), `#!/bin/sh\necho 2026-01-31T10${10 + minute}00Z\n`, { mode: 0o755 })
  const env = { PATH: `${bin}:${process.env.PATH ?? ''}` }
  const text = commands.replaceAll('/srv/', `${folder}/srv/`)
  await promisify(execFile)('/bin/sh', ['-c', text], { cwd: folder, env })
}

const pack = async (release: string) =>
  writeFileSync(join(folder, 'bundle.tar.gz'), await packSite({ 'index.html': release }))

test('the printed commands switch over and back repeatedly without a failed page load', async () => {
  mkdirSync(join(folder, 'srv'))
  const page = join(folder, 'srv', 'docs', 'index.html')
  const seen: string[] = []
  let isOver = false
  let reading = Promise.resolve()
  const read = async () => {
    while (!isOver) seen.push(await readFile(page, 'utf8').catch((error: NodeJS.ErrnoException) => error.code!))
  }
  for (const release of [1, 2, 3, 4]) {
    await pack(`release ${release}`)
    await run(switchOver, release)
    expect(readFileSync(page, 'utf8')).toBe(`release ${release}`)
    if (release === 1) reading = read()
  }
  await run(goBack, 5)
  await run(goBack, 6)
  isOver = true
  await reading
  expect(readFileSync(page, 'utf8')).toBe('release 3')
  expect([...new Set(seen)].toSorted()).toEqual(['release 1', 'release 2', 'release 3', 'release 4'])
})

test('an interrupted switch can be repeated, and an existing folder in its place is not replaced', async () => {
  await promisify(execFile)('/bin/sh', ['-c', `ln -sfn ${folder}/srv/releases ${folder}/srv/docs.new`])
  await pack('release 5')
  await run(switchOver, 7)
  expect(readFileSync(join(folder, 'srv', 'docs', 'index.html'), 'utf8')).toBe('release 5')
  rmSync(join(folder, 'srv', 'docs'))
  mkdirSync(join(folder, 'srv', 'docs'))
  await expect(run(switchOver, 8)).rejects.toThrow(/overwrite/)
})
