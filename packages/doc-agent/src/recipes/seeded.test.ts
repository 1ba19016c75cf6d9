import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { gitIn } from '@docket/sources/git/git'
import { temporaryFolder } from '@docket/sources/testing/files'
import { expect, test } from 'vitest'
import type { MaintenanceOrder } from './order.ts'
import { runOrder } from './recipes.ts'
import { formatOutcome } from './recipe.ts'

const prose = 'This is a page of the handbook that you can read when it is open.'

/** A repository whose history moved pages and headings, and what is planted in it. */
const seeded = async () => {
  const folder = await temporaryFolder()
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@localhost', '-C', folder, ...args])
  const write = async (file: string, content: string | Buffer) => {
    await mkdir(dirname(join(folder, file)), { recursive: true })
    await writeFile(join(folder, file), content)
  }
  const long = (word: string) => Array.from({ length: 12 }, (_, line) => `${word} line ${line} of it.`).join('\n\n')
  const commit = () => {
    git('add', '--all')
    git('commit', '--quiet', '-m', 'x')
  }
  git('init', '--quiet', '--initial-branch=main')
  await write('guide/old.md', `# Old\n\n${long('moved')}\n`)
  await write('guide/gone.md', `# Gone\n\n${long('deleted')}\n`)
  await write('guide/Setup.md', '# Setup\n\n## First Step\n')
  await write('guide/roles.md', '# Roles\n\n## Owners\n\nText.\n')
  await write('guide/here.md', '# Here\n\n[next](./near.md)\n\n' + long('here'))
  await write('guide/near.md', '# Near\n')
  await write('both/a.md', 'a')
  await write('both/A.mdx', 'b')
  commit()
  await rename(join(folder, 'guide/old.md'), join(folder, 'guide/new.md'))
  await rm(join(folder, 'guide/gone.md'))
  await mkdir(join(folder, 'other'))
  await rename(join(folder, 'guide/here.md'), join(folder, 'other/here.md'))
  commit()
  await rename(join(folder, 'guide/new.md'), join(folder, 'other/newest.md'))
  await write('guide/roles.md', '# Roles\n')
  await write('guide/people.md', '# People\n\n## Owners\n')
  await write(
    'index.md',
    [
      '---',
      'title: teh title',
      '---',
      `${prose} [moved](./guide/old.md?x=1#t) [case](guide/setup.md) [ending](/guide/near.mdx) [part](guide/Setup.md#First-Step)`,
      '[heading](guide/roles.md#owners) [fine](./guide/near) ![img](https://example.com/x.png)',
      '[gone](guide/gone.md) [two](both/a.MD) [never](nowhere.md) [no such part](guide/near.md#nothing)',
      '`[code](guide/old.md)` [ref][r]',
      '',
      '[r]: <guide/old.md> "Title"',
      '',
      'You can recieve the messsage with the `recieve` option. Teh “teh” is quoted, and you can seperate it.',
      '',
      '## A headding that is kept',
      '',
      '```',
      '[x](guide/old.md) seperate',
      '```',
      'No end of line',
    ].join('\r\n'),
  )
  commit()
  const repository = gitIn(join(folder, '.git'))
  const work = { checkout: folder, folder: '', git: repository, commit: 'HEAD' }
  const run = async (order: MaintenanceOrder) => formatOutcome(await runOrder(order, work))
  const changed = () => execFileSync('git', ['-C', folder, 'diff', '--name-only'], { encoding: 'utf8' }).trim()
  return { folder, run, commit, changed, readText: (file: string) => readFileSync(join(folder, file), 'utf8') }
}

test('links with one clear fix by history, case or extension are fixed, and all other broken links only reported', async () => {
  const { run, readText, changed, commit } = await seeded()
  const before = readText('index.md')
  const report = await run({ action: 'fix_links' })
  expect(readText('index.md')).toBe(
    before
      .replace('./guide/old.md?x=1#t', './other/newest.md?x=1#t')
      .replace('(guide/setup.md)', '(guide/Setup.md)')
      .replace('/guide/near.mdx', '/guide/near.md')
      .replace('#First-Step', '#first-step')
      .replace('guide/roles.md#owners', 'guide/people.md#owners')
      .replace('<guide/old.md>', '<other/newest.md>'),
  )
  expect(readText('other/here.md')).toContain('[next](../guide/near.md)')
  expect(report.slice(0, 5)).toEqual([
    'Fixed 7 links in 2 files. 4 broken links left for a person. Checked 12 links.',
    'index.md:6 guide/gone.md — its file was deleted',
    'index.md:6 both/a.MD — may mean both/A.mdx or both/a.md',
    'index.md:6 nowhere.md — there is no such file',
    'index.md:6 guide/near.md#nothing — guide/near.md has no such heading',
  ])
  expect(changed()).toBe('index.md\nother/here.md')
  commit()
  expect((await run({ action: 'fix_links' }))[0]).toMatch(/^No link to fix\. 5 broken links left/)
  expect(changed()).toBe('')
})

test('known typos are fixed in English prose only, and a second run finds none', async () => {
  const { run, readText, changed, commit } = await seeded()
  const before = readText('index.md')
  const report = await run({ action: 'fix_typos' })
  expect(readText('index.md')).toBe(before.replace('the messsage', 'the message').replace('Teh “teh”', 'The “teh”'))
  expect(report.join('\n')).toContain('“recieve” — also a name in code or addresses')
  expect(report.join('\n')).toContain('“headding”')
  commit()
  expect((await run({ action: 'fix_typos' }))[0]).toMatch(/^No typo to fix\./)
  expect(changed()).toBe('')
})
