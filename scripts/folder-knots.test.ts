import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { findKnots } from './folder-knots.ts'
import { packages } from './boundaries.ts'

const root = join(import.meta.dirname, '..')

test.each([...packages.map((name) => `packages/${name}`), 'apps/bff', 'apps/web'])(
  'no folders of %s import each other, types included',
  (place) => {
    expect(findKnots(join(root, place, 'src'))).toEqual([])
  },
)

test('nor do the folders of an area of the server', () => {
  expect(findKnots(join(root, 'apps/bff/src'), 2)).toEqual([])
})

test('folders that import each other through a third one, or only types, are found', () => {
  const src = mkdtempSync(join(tmpdir(), 'docket-knots-'))
  onTestFinished(() => rmSync(src, { recursive: true, force: true }))
  const files = {
    'a/x.ts': "import { y } from '#b/y.ts'\n",
    'b/y.ts': "import type { Z } from '#c/deep/z.ts'\n",
    'c/deep/z.ts': "export { x } from '#a/x.ts'\n",
    'd/free.ts': "import { x } from '#a/x.ts'\nimport { e } from './e.ts'\n",
    'main.ts': "import './d/free.ts'\nexport const l = () => import('#a/x.ts')\n",
    'a/x.test.ts': "import { free } from '#d/free.ts'\n",
    'd/one/x.ts': "import type { Y } from '#d/two/y.ts'\n",
    'd/two/y.ts': "import { x } from '#d/one/x.ts'\n",
  }
  for (const [file, code] of Object.entries(files)) {
    mkdirSync(dirname(join(src, file)), { recursive: true })
    writeFileSync(join(src, file), code)
  }
  expect(findKnots(src)).toEqual([['a', 'b', 'c']])
  expect(findKnots(src, 2)).toContainEqual(['d/one', 'd/two'])
})
