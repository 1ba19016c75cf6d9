import { execFileSync } from 'node:child_process'
import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { digits, line, type Row } from '#bench/harness/row.ts'
import { inTurns, median } from '#bench/harness/statistics.ts'
import { endedChildrenSeconds } from '#bench/harness/usage.ts'
import { createDiskStorage } from '#packages/artifact-store/src/local-disk/disk-storage.ts'
import { hashFile } from '#packages/artifact-store/src/object-storage.ts'
import { analyseBundle } from '#packages/site-bundle/src/analyse-bundle.ts'
import { listArtifactKeys } from '#packages/site-bundle/src/artifact-keys.ts'
import { generateSite, writeText, type SiteBuild } from '#packages/site-bundle/src/comparison/testing/generated-site.ts'
import { compareSitesInWorker } from '#packages/site-bundle/src/comparison/worker/compare-in-worker.ts'
import { openSite } from '#packages/site-bundle/src/open-site.ts'

const { signal } = new AbortController()

/** Packs a build as the service does. */
const packBundle = (folder: string, build: SiteBuild): string => {
  const site = join(folder, build.build)
  for (const [path, content] of generateSite(build)) {
    mkdirSync(dirname(join(site, path)), { recursive: true })
    writeFileSync(join(site, path), content)
  }
  const file = `${site}.tar.gz`
  execFileSync('tar', ['-czf', file, '-C', site, '.'])
  return file
}

/** CPU time of this process, its threads and its ended children for some work. Seconds. */
const measureCpu = async <T>(work: () => Promise<T>) => {
  const [own, children] = [process.cpuUsage(), endedChildrenSeconds(process.pid)]
  const result = await work()
  const { user, system } = process.cpuUsage(own)
  return { result, seconds: (user + system) / 1e6 + endedChildrenSeconds(process.pid) - children }
}

/** Comparison of two stored bundles against the check of one of them. */
export const comparison: Row = {
  name: 'comparison',
  title: 'Comparison of two bundles',
  method:
    'Two builds of the same generated site are checked and stored as Docket does, in a folder. A check reads the archive, writes the ZIP, and parses every page once. The comparison starts its thread, reads both manifests, and pages that differ. CPU time of the process with its threads and children. Nothing is cached between rounds, apart from files by the operating system.',
  run: async ({ folder, quick }) => {
    const pages = quick ? 250 : 1_000
    const storage = createDiskStorage(join(folder, 'store'))
    let checks = 0
    const check = async (file: string) => {
      const work = join(folder, `check-${(checks += 1)}`)
      mkdirSync(work)
      const { result, seconds } = await measureCpu(() =>
        analyseBundle({ file, folder: work }, { onProgress: () => {}, onFailure: () => {} }, signal),
      )
      if (result.outcome !== 'read' || result.checkUnfinished !== null) throw new Error('the check did not finish')
      return { work, seconds }
    }
    const store = async (build: Partial<SiteBuild> & { build: string }) => {
      const file = packBundle(folder, { pages, ...build })
      const sha256 = await hashFile(file)
      const { work } = await check(file)
      const keys = listArtifactKeys(sha256)
      await storage.put(keys.zip, join(work, 'site.zip'))
      await storage.put(keys.manifest, join(work, 'manifest.json.gz'))
      await storage.put(keys.report, join(work, 'report.json.gz'))
      return { sha256, file, bytes: statSync(file).size }
    }
    const numbers = Array.from({ length: pages }, (_, page) => page)
    const changeWord = (page: number) => [page, writeText(page, 240).replace(/^\w+/, 'changed')] as const
    const first = await store({ build: 'first' })
    const others = {
      rebuilt: await store({ build: 'rebuilt' }),
      word: await store({ build: 'word', texts: new Map([changeWord(7)]) }),
      everyPage: await store({ build: 'everyPage', texts: new Map(numbers.map(changeWord)) }),
    }
    const compareWith = async (name: keyof typeof others, changed: number) => {
      // A storage of its own, because what is known of stored sites is cached by storage.
      const cold = createDiskStorage(join(folder, 'store'))
      const sites = { earlier: openSite(cold, first.sha256), later: openSite(cold, others[name].sha256) }
      const { result, seconds } = await measureCpu(() => compareSitesInWorker(sites, signal))
      if (result.counts.changed !== changed) throw new Error(`${result.counts.changed} pages differ, not ${changed}`)
      return seconds
    }
    const measured = await inTurns(quick ? 1 : 3, {
      check: async () => (await check(first.file)).seconds,
      rebuilt: () => compareWith('rebuilt', 0),
      word: () => compareWith('word', 1),
      everyPage: () => compareWith('everyPage', pages),
    })
    const reference = median(measured.check)
    const compared = (what: string, seconds: readonly number[], bar: { atMost?: number }) =>
      line(what, digits(median(seconds)), `check of one: ${digits(reference)}`, median(seconds) / reference, bar)
    return [
      compared(`other build ids, ${pages} pages: CPU seconds`, measured.rebuilt, { atMost: 1 }),
      compared('one changed word: CPU seconds', measured.word, { atMost: 1 }),
      compared('a changed word on every page: CPU seconds', measured.everyPage, quick ? {} : { atMost: 1 }),
    ]
  },
}
