import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { measureHouse } from './house.ts'

test('product code has no import of a higher layer, no import cycle, and no use of a later definition in the wiring', () => {
  const { sizes, ...found } = measureHouse(join(import.meta.dirname, '..'))
  expect(sizes.get('all')!.files).toBeGreaterThan(1000)
  expect(found).toEqual({ upward: [], circles: [], folderCircles: [], knots: [] })
})

/** Measures a repository with these files. */
const measure = (planted: Readonly<Record<string, string>>) => {
  const root = mkdtempSync(join(tmpdir(), 'docket-house-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const files = Object.entries(planted).map(([path, text]) => ({ path, text }))
  for (const { path, text } of files) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return measureHouse(root, files)
}

test('an import of a higher layer is reported, even of a type, except in a test', () => {
  const bff = 'apps/bff/src'
  const { upward } = measure({
    [`${bff}/records/a.ts`]: "import type { X } from '#bundles/x.ts'\nimport { y } from '#ground/y.ts'\n",
    [`${bff}/ground/deep/b.ts`]: "export const load = () => import('#people/x.ts')\n",
    [`${bff}/ground/b.test.ts`]: "import { z } from '#process/z.ts'\n",
    'apps/web/src/ui/c.tsx': "import { f } from '#features/records/f.tsx'\nimport { l } from '#lib/l.ts'\n",
  })
  expect(upward).toEqual([
    `${bff}/records/a.ts → ${bff}/bundles/x.ts`,
    `${bff}/ground/deep/b.ts → ${bff}/people/x.ts`,
    'apps/web/src/ui/c.tsx → apps/web/src/features/records/f.tsx',
  ])
})

test('import cycles of files and folders are reported, even through a third file, a type or a dynamic import', () => {
  const { circles, folderCircles } = measure({
    'packages/p/src/a/x.ts': "import { y } from '#b/y.ts'\n",
    'packages/p/src/b/y.ts': "import type { Z } from '#c/deep/z.ts'\n",
    'packages/p/src/c/deep/z.ts': "export { x } from '#a/x.ts'\n",
    'packages/p/src/main.ts': "export const load = () => import('./later.ts')\n",
    'packages/p/src/later.ts': "import type { Main } from './main.ts'\n",
    'packages/p/src/a/x.test.ts': "import { later } from '#later.ts'\n",
    'apps/bff/src/people/one/x.ts': "import type { Y } from '#people/two/y.ts'\n",
    'apps/bff/src/people/two/y.ts': "import { z } from '#people/one/z.ts'\n",
    'packages/q/src/x.ts': "import { r } from '@docket/r/deep'\n",
    'packages/r/src/x.ts': "import type { Q } from '@docket/q'\n",
  })
  expect(circles).toEqual([
    'packages/p/src/a/x.ts ⇄ packages/p/src/b/y.ts ⇄ packages/p/src/c/deep/z.ts',
    'packages/p/src/later.ts ⇄ packages/p/src/main.ts',
  ])
  expect(folderCircles).toEqual([
    'packages/q ⇄ packages/r',
    'packages/p/src/a ⇄ packages/p/src/b ⇄ packages/p/src/c',
    'packages/p/src/later.ts ⇄ packages/p/src/main.ts',
    'apps/bff/src/people/one ⇄ apps/bff/src/people/two',
  ])
})

test('a program and its starter count as a cycle of folders but not of files', () => {
  const { circles, folderCircles } = measure({
    'packages/p/src/a/start.ts': "const program = import.meta.resolve('#b/program.ts')\n",
    'packages/p/src/b/program.ts': "import type { Order } from '#a/start.ts'\n",
  })
  expect([circles, folderCircles]).toEqual([[], ['packages/p/src/a ⇄ packages/p/src/b']])
})

test('a closure in the wiring over a const defined later is reported, and a helper of a module is not', () => {
  const { knots } = measure({
    'apps/bff/src/process/wire.ts': `export const build = () => {
  const first = { read: () => second.value }
  const second = { value: help() }
  return [first, second]
}
const help = () => 1
`,
    'apps/bff/src/people/verb.ts': 'export const act = () => {\n  const a = () => b\n  const b = 1\n  return a\n}\n',
  })
  expect(knots).toEqual(['apps/bff/src/process/wire.ts:2 second'])
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
