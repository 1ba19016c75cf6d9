import { mkdirSync, writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { endAll, endOnSignal } from '#bench/harness/cleanup.ts'
import { asText, page, type Measured } from '#bench/harness/report.ts'
import type { Row } from '#bench/harness/row.ts'
import { openWorld, type World } from '#bench/harness/world.ts'
import { check } from '#bench/rows/check.ts'
import { comparison } from '#bench/rows/comparison.ts'
import { download } from '#bench/rows/download.ts'
import { exports } from '#bench/rows/exports.ts'
import { growth } from '#bench/rows/growth.ts'
import { hosting } from '#bench/rows/hosting.ts'
import { lists } from '#bench/rows/lists.ts'
import { page as pageRow } from '#bench/rows/page.ts'
import { pages } from '#bench/rows/pages.ts'
import { polls } from '#bench/rows/polls.ts'
import { search } from '#bench/rows/search.ts'
import { start } from '#bench/rows/start.ts'
import { storedDownload } from '#bench/rows/stored-download.ts'
import { upstreamCalls } from '#bench/rows/upstream-calls.ts'

const rows: readonly Row[] = [
  upstreamCalls,
  polls,
  lists,
  growth,
  download,
  storedDownload,
  hosting,
  pageRow,
  pages,
  start,
  exports,
  search,
  check,
  comparison,
]

const usage = `pnpm bench [--quick] [--only ${rows.map(({ name }) => name).join('|')}]… [--out file]

Measures Docket against references in the same run and writes docs/benchmarks.md. --quick takes some minutes and is less exact.
--only measures what is named, several times for several, and writes nothing unless --out names a file.`

const measure = async (row: Row, world: World): Promise<Measured> => {
  const startMs = performance.now()
  const [lines, failure] = await row.run(world).then(
    (measured) => [measured, null] as const,
    (error: unknown) => [[], error instanceof Error ? error.message : String(error)] as const,
  )
  return { row, lines: [...lines], failure, tookMs: performance.now() - startMs }
}

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true },
    out: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
const { quick, only, out } = values
const unknown = (only ?? []).filter((name) => !rows.some((row) => row.name === name))
if (values.help || unknown.length > 0) {
  console.log(unknown.length > 0 ? `There is no row named ${unknown.join(', ')}.\n\n${usage}` : usage)
  process.exit(unknown.length > 0 ? 1 : 0)
}

endOnSignal()
let failed = false
const [loadBefore = 0] = loadavg()
try {
  const world = await openWorld({ quick })
  const measured: Measured[] = []
  for (const row of rows.filter(({ name }) => only === undefined || only.includes(name))) {
    const result = await measure(row, world)
    measured.push(result)
    console.log(asText(result))
  }
  failed = measured.some(({ failure }) => failure !== null)
  const versions = { Node: process.versions.node, ...(world.nginx === null ? {} : { nginx: world.nginx }) }
  const file = out ?? (only === undefined ? join(import.meta.dirname, '..', 'docs', 'benchmarks.md') : null)
  if (file !== null) {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, page(measured, { versions, date: new Date(), quick, loadBefore }))
  }
} finally {
  await endAll()
}
process.exit(failed ? 1 : 0)
