import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { temporaryFolder, writeFolder } from '@docket/sources/testing/files'
import { expect, test } from 'vitest'
import { parseParts } from '#markdown/parse-parts.ts'
import { walkTree } from '#markdown/walk-tree.ts'

const program = join(import.meta.dirname, '..', '..', 'site-export.ts')
/** A heap in which ordinary pages are exported. Megabytes. */
const heapMb = 256

const repeat = (count: number, piece: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => piece(index)).join('')

/** Imports 8 files of `content`. */
const importing = (ending: string, content: string) => ({
  'page.mdx': `${repeat(8, (index) => `import A${index} from "./part-${index}.${ending}"\n`)}\n${repeat(8, (index) => `<A${index} />\n\n`)}`,
  ...Object.fromEntries(Array.from({ length: 8 }, (_, index) => [`part-${index}.${ending}`, content])),
})

const table = `|${'a|'.repeat(400)}\n|${'-|'.repeat(400)}\n${'x\n'.repeat(240)}\n`

test.each<[string, Readonly<Record<string, string>>, RegExp]>([
  ['a page of small tables whose rows are empty', { 'page.md': table.repeat(20) }, /cells/],
  ['imported expressions', importing('mdx', '{x}'.repeat(100_000)), /lines and marks/],
  ['imported tables whose rows are empty', importing('mdx', table.repeat(20)), /cells/],
  ['imported code', importing('ts', `// ${'x'.repeat(250_000)}\n`), /lines and marks/],
  ['imported data', importing('json', `[${'{},'.repeat(300_000)}0]`), /lines and marks/],
  [
    'imported brackets of a page that is no valid MDX',
    { ...importing('mdx', '!['.repeat(60_000)), 'page.mdx': `import A from "./part-0.mdx"\n\n<A />\n\n</b></i>{` },
    /lines and marks/,
  ],
])(
  'a page whose tree would take too much memory is exported without the excess, and the report says so: %s',
  async (_, files, reason) => {
    const [source, target] = [
      await writeFolder({ 'index.md': '# Home\n', ...files }),
      join(await temporaryFolder(), 'site'),
    ]
    await promisify(execFile)(process.execPath, [`--max-old-space-size=${heapMb}`, program, source, target])
    const { lines } = JSON.parse(await readFile(join(target, 'export-report.json'), 'utf8')) as {
      lines: { page: string | null; what: string }[]
    }
    const remarks = lines.filter(({ page }) => page === 'page').map(({ what }) => what)
    expect(remarks.join('\n')).toMatch(reason)
  },
)

test('imported text that is shown many times makes no more elements than a page has steps', () => {
  const part = { file: 'part.mdx', source: '*a* '.repeat(5_000), imports: [] }
  const pieces = { file: 'page.mdx', imports: [['./part.mdx', part.file] as [string, string]], pieces: [part] }
  const remarks: string[] = []
  const tree = parseParts(
    `import A from './part.mdx'\n\n${'<A />\n\n'.repeat(100)}`,
    { isMdx: true, formulas: 'none', pieces: { ...pieces, plainBody: null } },
    (_, what) => remarks.push(what),
  )
  let nodes = 0
  walkTree(tree, () => void nodes++)
  expect(nodes).toBeLessThan(350_000)
  expect(remarks).toContain('<A>: more steps than a page may take')
})
