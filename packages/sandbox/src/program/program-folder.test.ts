import { homedir } from 'node:os'
import { join } from 'node:path'
import { writeFolder } from '@docket/sources/testing/files'
import { expect, test } from 'vitest'
import { findProgramFolder, isTaken } from './place-program.ts'

test.each([
  ['/usr/local/lib/node_modules/@x/cli/bin/cli.js', '/usr/local/lib/node_modules'],
  ['/home/me/site/node_modules/@x/cli/node_modules/y/y', '/home/me/site/node_modules'],
  ['/home/me/.local/share/pnpm/global/5/.pnpm/x@1/node_modules/x/x.js', '/home/me/.local/share/pnpm/global/5'],
  ['/home/me/.local/bin/agent', '/home/me/.local/bin'],
  ['/work/tools/agent', '/work/tools'],
  ['/home/me/agent', null],
  [join(homedir(), 'agent'), null],
  ['/srv/agent', null],
  ['/srv/docket/agent', null],
  ['/srv/docket/data/tools/agent', null],
])('the folder that a program needs: %s', async (program, folder) => {
  expect(await findProgramFolder(program, ['/srv/docket/data'])).toBe(folder)
})

test('an installation and a virtual environment are completely visible in the sandbox', async () => {
  const place = await writeFolder({
    'tool/bin/agent': '',
    'tool/lib/agent.so': '',
    'venv/pyvenv.cfg': '',
    'venv/bin/agent': '',
  })
  for (const name of ['tool', 'venv'])
    expect(await findProgramFolder(join(place, name, 'bin', 'agent'), [])).toBe(join(place, name))
})

test('folders at paths that the sandbox uses itself are recognised as taken', () => {
  expect(['/work/tools', '/work', '/tmp/x', '/run/user/1'].filter((folder) => !isTaken(folder))).toEqual([])
  expect(['/workers', '/home/me/bin', '/opt/tool'].filter(isTaken)).toEqual([])
})
