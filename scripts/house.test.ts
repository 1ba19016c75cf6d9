import { join } from 'node:path'
import { expect, test } from 'vitest'
import { measureHouse } from './house.ts'
import { trackedFiles } from './tracked-files.ts'

test('the folders of the product code have no import cycle', () => {
  const { sizes, folderCircles } = measureHouse(trackedFiles(join(import.meta.dirname, '..')))
  expect(sizes.get('all')!.files).toBeGreaterThan(1000)
  expect(folderCircles).toEqual([])
})

const measure = (planted: Readonly<Record<string, string>>) =>
  measureHouse(Object.entries(planted).map(([path, text]) => ({ path, text })))

test('import cycles of folders are reported, even through a third folder, a type, a dynamic import or a program', () => {
  const { folderCircles } = measure({
    'packages/p/src/a/x.ts': "import { y } from '#b/y.ts'\n",
    'packages/p/src/b/y.ts': "import type { Z } from '#c/deep/z.ts'\n",
    'packages/p/src/c/deep/z.ts': "export { x } from '#a/x.ts'\n",
    'packages/p/src/main.ts': "export const load = () => import('./later.ts')\n",
    'packages/p/src/later.ts': "import type { Main } from './main.ts'\n",
    'packages/p/src/a/x.test.ts': "import { later } from '#later.ts'\n",
    'packages/s/src/a/start.ts': "const program = import.meta.resolve('#b/program.ts')\n",
    'packages/s/src/b/program.ts': "import type { Order } from '#a/start.ts'\n",
    'apps/bff/src/people/one/x.ts': "import type { Y } from '#people/two/y.ts'\n",
    'apps/bff/src/people/two/y.ts': "import { z } from '#people/one/z.ts'\n",
    'packages/q/src/x.ts': "import { r } from '@docket/r/deep'\n",
    'packages/r/src/x.ts': "import type { Q } from '@docket/q'\n",
  })
  expect(folderCircles).toEqual([
    'packages/q ⇄ packages/r',
    'packages/p/src/a ⇄ packages/p/src/b ⇄ packages/p/src/c',
    'packages/p/src/later.ts ⇄ packages/p/src/main.ts',
    'packages/s/src/a ⇄ packages/s/src/b',
    'apps/bff/src/people/one ⇄ apps/bff/src/people/two',
  ])
})

test('the line count covers product code only, without tests, test helpers, migrations or texts', () => {
  const { sizes } = measure({
    'apps/web/src/a.tsx': 'one\ntwo\n',
    'packages/p/src/b.css': 'one\n',
    'packages/p/src/b.test.ts': '\n',
    'packages/p/src/testing/c.ts': '\n',
    'apps/bff/src/d.prove.ts': '\n',
    'apps/bff/src/ground/db/migrations/e.ts': '\n',
    'apps/bff/README.md': '\n',
    'scripts/f.ts': '\n',
  })
  expect(Object.fromEntries(sizes)).toEqual({
    all: { files: 2, lines: 3 },
    'apps/web': { files: 1, lines: 2 },
    'packages/p': { files: 1, lines: 1 },
  })
})
