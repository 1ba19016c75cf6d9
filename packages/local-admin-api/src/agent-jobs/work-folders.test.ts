import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { walkFiles } from '@docket/doc-agent/files/walk-files'
import { openWorkFolders, removeFolder } from '@docket/sandbox/work-folders'
import { temporaryFolder } from '@docket/sources/testing/files'
import { expect, onTestFinished, test } from 'vitest'
import { startService } from '#testing/agent-service.ts'

const name = 'd'.repeat(40)
/** Nests folders beyond the longest path that the kernel takes. */
const nestDeeply = (folder: string, depth = 130) =>
  execFileSync('/bin/bash', ['-c', `for n in $(seq ${depth}); do mkdir ${name} && cd ${name}; done; echo x > x.md`], {
    cwd: folder,
  })

test('a folder is removed however deep it is and whatever its permissions', async () => {
  const folder = join(await temporaryFolder(), 'work')
  mkdirSync(join(folder, 'closed', 'inside'), { recursive: true })
  nestDeeply(folder)
  execFileSync('chmod', ['000', join(folder, 'closed', 'inside'), join(folder, 'closed')])
  await removeFolder(folder)
  expect(existsSync(folder)).toBe(false)
})

test('a start removes work folders left by a crash, but not those of other installations', async () => {
  const dataDir = await temporaryFolder()
  const [mine, theirs] = [await openWorkFolders(dataDir), await openWorkFolders(await temporaryFolder())]
  const [left, other] = [await mine.create(), await theirs.create()]
  onTestFinished(() => removeFolder(other))
  expect(statSync(left).mode & 0o777).toBe(0o700)
  nestDeeply(left)
  await openWorkFolders(dataDir)
  expect([existsSync(left), existsSync(other)]).toEqual([false, true])
})

test('a path too long to be read fails with a readable message that names it relative to the checkout', async () => {
  const root = join(await temporaryFolder(), 'x'.repeat(200))
  mkdirSync(root)
  onTestFinished(() => removeFolder(dirname(root)))
  nestDeeply(root, 96)
  const error: unknown = await walkFiles(root).catch((reason: unknown) => reason)
  expect(String(error)).toMatch(/^Error: The work cannot be read at "d{40}\/d.*": its path is too long\.$/)
  expect(String(error)).not.toContain('xxx')
})

test('the reason of a failed turn never contains a path of the server', async () => {
  const failures = [
    (checkout: string) => writeFileSync(join(checkout, 'missing', 'a.md'), ''),
    (checkout: string) => {
      throw new Error(`git failed: cannot open '${join(checkout, 'docs', 'a.md')}': Permission denied`)
    },
    (_: string, gitDir: string) => {
      throw new Error(`The folder ${gitDir} is missing.`)
    },
  ]
  const run = ({ checkout, repository }: { checkout: string; repository: { gitDir: string } }) => {
    failures.shift()!(checkout, repository.gitDir)
    return Promise.resolve({ report: [], usage: null, checks: null })
  }
  const service = await startService({ runner: { model: 'test', run } })
  const reasons = []
  for (const prompt of ['one', 'two', 'three']) reasons.push(...(await service.run(prompt)).turns[0]!.report)
  expect(reasons).toEqual([
    'A file could not be read or written (ENOENT). The log of the service names it.',
    "git failed: cannot open 'docs/a.md': Permission denied",
    'The folder … is missing.',
  ])
})
