import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { temporaryFolder, writeFolder } from '@docket/sources/testing/files'
import { expect, test } from 'vitest'

const program = join(import.meta.dirname, '..', '..', 'site-export.ts')
/** A heap in which ordinary pages are exported. Megabytes. */
const heapMb = 256

const repeat = (count: number, piece: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => piece(index)).join('')

/** Imports 8 files of `content`, and shows each `uses` times. */
const importing = (ending: string, content: string, uses = 1) => ({
  'page.mdx': `${repeat(8, (index) => `import A${index} from "./part-${index}.${ending}"\n`)}\n${repeat(8, (index) => `<A${index} />\n\n`.repeat(uses))}`,
  ...Object.fromEntries(Array.from({ length: 8 }, (_, index) => [`part-${index}.${ending}`, content])),
})

const table = `|${'a|'.repeat(400)}\n|${'-|'.repeat(400)}\n${'x\n'.repeat(240)}\n`

test.each<[string, Readonly<Record<string, string>>, string]>([
  ['a page of small tables whose rows are empty', { 'page.md': table.repeat(20) }, /cells/],
  ['imported expressions', importing('mdx', '{x}'.repeat(100_000)), /lines and marks/],
  ['imported tables whose rows are empty', importing('mdx', table.repeat(20)), /cells/],
  ['imported code', importing('ts', `// ${'x'.repeat(250_000)}\n`), /lines and marks/],
  ['imported data', importing('json', `[${'{},'.repeat(300_000)}0]`), /lines and marks/],
  ['imported text that is shown many times', importing('mdx', '*a* '.repeat(1_000), 100), /more steps|took longer/],
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
