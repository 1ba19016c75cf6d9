import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onEnd } from '#bench/harness/cleanup.ts'
import { openSealedBrowser } from '#scripts/sites/browser-check.ts'
import type { SiteFolder } from '#scripts/sites/site-folder.ts'
import { canaries, fillDangerousSite } from './dangerous-site.ts'
import { exporter } from './exports.ts'
import { fault } from './fault.ts'
import { fillHeavyBook, fillHeavyConfiguration, fillHeavySite } from './heavy-site.ts'
import { fillMovingSite, moveFiles } from './moving-site.ts'
import { sourceBuilder, type Planted, type SourceBuilder } from './source-builder.ts'
import { dangersIn } from './visits.ts'
import type { Proof } from '#proofs/harness/proof.ts'

/** Times that a site is exported while its files move. */
const movingTimes = 4

const outsideFolder = (base: string): string => {
  const outside = join(base, 'outside')
  mkdirSync(outside)
  const json = JSON.stringify({
    openapi: '3.1.0',
    tab: canaries.outside,
    pages: [canaries.outside],
    x: canaries.outside,
  })
  for (const [kind, content] of Object.entries({
    json,
    png: canaries.outside,
    txt: canaries.outside,
    md: `# ${canaries.outside}`,
  }))
    writeFileSync(join(outside, `secret.${kind}`), content)
  writeFileSync(join(outside, 'secret.mdx'), `export const word = "${canaries.outside}"\n`)
  return outside
}

/** Files of a bundle that hold what nobody must read. */
const leaksIn = ({ files }: SiteFolder): string[] =>
  [...files].flatMap(([name, content]) =>
    Object.values(canaries)
      .filter((canary) => content.includes(canary) || name.includes(canary))
      .map((canary) => `${name} holds ${canary}`),
  )

/** Lists hostile files that are neither a page nor named in the report. */
const unaccounted = ({ files }: SiteFolder, planted: readonly Planted[]): string[] => {
  const report = JSON.parse(files.get('export-report.json')?.toString() ?? '{"lines":[]}') as {
    lines: { file: string; what: string }[]
  }
  const pages = [...files].filter(([name]) => name.endsWith('.html')).map(([, content]) => content.toString())
  return planted
    .filter(
      ({ file, words }) =>
        !(words !== null && pages.some((page) => page.includes(words))) &&
        !report.lines.some((line) => line.file.includes(file.slice(0, 200)) || line.what.includes(file)),
    )
    .map(({ file }) => file)
}

/**
 * Folders of hostile pages through the real worker: their bundles in a browser that would run everything, and what is
 * in them.
 */
export const proof: Proof = {
  name: 'hostile-sources',
  bar: 'every export ends with a bundle, nothing runs, loads or leads astray, nothing hidden or outside the folder is read, and each hostile thing is a page or in the report',
  fault,
  run: async ({ planted }) => {
    const base = mkdtempSync(join(tmpdir(), 'docket-hostile-'))
    onEnd(() => rmSync(base, { recursive: true, force: true }))
    const outside = outsideFolder(base)
    const fill: Record<string, (source: SourceBuilder) => void> = {
      dangerous: (source) => fillDangerousSite(source, outside),
      heavy: fillHeavySite,
      book: fillHeavyBook,
      configuration: fillHeavyConfiguration,
      moving: (source) => fillMovingSite(source, outside, canaries.outside),
    }
    const played = Object.entries(fill).filter(([name]) => !planted || name === 'dangerous')
    const sources = played.map(([name, write]) => {
      const source = sourceBuilder(join(base, name))
      write(source)
      return { name, source }
    })
    const program = planted ? join(import.meta.dirname, 'planted-worker.ts') : undefined
    const domains = Object.fromEntries(sources.map(({ name, source }) => [`${name}.example`, source.folder]))
    const api = await exporter(join(base, 'data'), domains, program)
    onEnd(() => api.close())
    const browser = await openSealedBrowser()
    onEnd(() => browser.close())

    const unfinished: string[] = []
    const dangers: string[] = []
    const leaks: string[] = []
    const lost: string[] = []
    let [visits, things, exports] = [0, 0, 0]
    for (const { name, source } of sources) {
      for (let time = 0; time < (name === 'moving' ? movingTimes : 1); time += 1) {
        const stop = name === 'moving' ? moveFiles(source.folder, outside) : () => Promise.resolve()
        const { error, site, seconds } = await api.run(`${name}.example`)
        await stop()
        exports += 1
        console.log(`  ${name}: ${error ?? `${site!.files.size} files`} (${seconds.toFixed(1)} s)`)
        if (site === null) {
          unfinished.push(`${name}: ${error}`)
          continue
        }
        onEnd(() => site.close())
        leaks.push(...leaksIn(site).map((leak) => `${name}: ${leak}`))
        lost.push(...unaccounted(site, source.planted).map((file) => `${name}: ${file}`))
        things += source.planted.length
        if (name === 'moving') continue
        const found = await dangersIn(browser, withoutRedirects(site), planted ? 0 : 30)
        visits += found.visits
        dangers.push(...found.dangers.map((danger) => `${name}: ${danger}`))
      }
    }
    const wrong = [...unfinished, ...dangers, ...leaks, ...lost]
    const counts = `${unfinished.length} of ${exports} exports without a bundle, ${dangers.length} dangers in ${visits} visits, ${leaks.length} leaks, ${lost.length} of ${things} hostile things lost`
    return {
      ok: wrong.length === 0,
      figure: `${counts}${wrong.length > 0 ? `: ${[...unfinished.slice(0, 3), ...dangers.slice(0, 12), ...leaks.slice(0, 6), ...lost.slice(0, 12)].join('; ')}` : ''}`,
    }
  },
}

/** Thousands of the same are looked at once. */
const withoutRedirects = (site: SiteFolder): SiteFolder => ({
  ...site,
  files: new Map([...site.files].filter(([name]) => !/^r\d{2,}\.html$/.test(name))),
})
