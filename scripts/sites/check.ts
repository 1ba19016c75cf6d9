import { parseArgs } from 'node:util'
import { faultKinds, type Fault, type FaultKind } from './faults.ts'
import { openSite } from './site-folder.ts'
import { compareExports, sourceCheck } from './source-check.ts'
import { staticCheck } from './static-check.ts'

const shownOfAKind = 25

/** Counts on one line, then every kind of fault with its first faults. */
const asText = (name: string, counts: Readonly<Record<string, number>>, faults: readonly Fault[]): string => {
  const looked = Object.entries(counts).map(([what, number]) => `${number} ${what}`)
  const kinds = (Object.keys(faultKinds) as FaultKind[]).flatMap((kind) => {
    const found = faults.filter((fault) => fault.kind === kind)
    if (found.length === 0) return []
    const lines = found.slice(0, shownOfAKind).map(({ page, what }) => `    ${page}: ${what}`)
    const more = found.length > shownOfAKind ? [`    … and ${found.length - shownOfAKind} more`] : []
    return [`  ${found.length} ${faultKinds[kind]}`, ...lines, ...more]
  })
  return [`${faults.length === 0 ? '✓' : '✗'} ${name}: ${looked.join(', ')}; ${faults.length} faults`, ...kinds].join(
    '\n',
  )
}

const usage = `pnpm sites:check [--pages 60] [--static] <site, bundle or documentation folder>…

Checks every file of exported sites, then opens pages of them in Chromium from a web root, from a sub-path and from the disk, with
every other host blocked. A folder that is no exported site is exported first, twice, and compared with its source.
--static leaves the browser out.`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    pages: { type: 'string', default: '60' },
    static: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
if (values.help || positionals.length === 0) {
  console.log(usage)
  process.exit(values.help ? 0 : 1)
}

let failed = false
for (const path of positionals) {
  const site = await openSite(path)
  try {
    const result = staticCheck(site.files)
    const faults: Fault[] = [...result.faults]
    console.log(asText(path, result.counts, faults))
    if (site.source !== null) {
      const again = await openSite(path)
      const { counts, faults: found } = await sourceCheck(site.source, site.files)
      found.push(...compareExports(site.files, again.files))
      await again.close()
      console.log(asText(`${path} beside its source`, counts, found))
      faults.push(...found)
    }
    if (!values.static) {
      const { browserCheck } = await import('./browser-check.ts')
      const result = await browserCheck(site, { pages: Number(values.pages) })
      console.log(asText(`${path} in the browser`, result.counts, result.faults))
      faults.push(...result.faults)
    }
    failed ||= faults.length > 0
  } finally {
    await site.close()
  }
}
process.exit(failed ? 1 : 0)
