import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writePages } from '#bench/exports/pages.ts'
import { installVitePress } from '#bench/exports/vitepress.ts'
import { kilobytesPerPage, watchedExport } from '#bench/exports/watched-export.ts'
import { startScript, type BenchProcess } from '#bench/harness/processes.ts'
import { digits, line, type Row } from '#bench/harness/row.ts'
import { inTurns, median } from '#bench/harness/statistics.ts'
import { benchKey } from '#bench/harness/world.ts'

const [changedPages, manyPages] = [564, 4_000]
const domains = { some: 'some.localhost', changed: 'changed.localhost', many: 'many.localhost' }

/** Changes one page after the site has been exported. */
const exportChange = async (service: BenchProcess, domain: string, folder: string) => {
  await watchedExport(service, benchKey, domain)
  appendFileSync(join(folder, 'part-0', 'page-0.md'), '\nOne more sentence.\n')
  return watchedExport(service, benchKey, domain)
}

/** The pages of a bundle, unpacked. */
const unpackBundle = async (service: BenchProcess, jobId: string, folder: string) => {
  const headers = { authorization: `Bearer ${benchKey}` }
  const response = await fetch(`${service.address}/v1/static-export/jobs/${jobId}/bundle`, { method: 'POST', headers })
  const { bundleUrl } = (await response.json()) as { bundleUrl: string }
  const archive = join(folder, 'bundle.tar.gz')
  writeFileSync(archive, Buffer.from(await (await fetch(bundleUrl)).arrayBuffer()))
  const site = join(folder, 'site')
  mkdirSync(site)
  execFileSync('tar', ['-xzf', archive, '-C', site])
  return site
}

/** Exports of the local Admin API against a site generator on the same pages. */
export const exports: Row = {
  name: 'exports',
  title: 'Exports of the local Admin API',
  method:
    'Both export the same generated pages (sections, lists, code, a table, links). Docket is measured from the request that starts the export to `completed`, with search, report and archive, while a client polls its status every 20 ms. VitePress runs its own build with local search, without an archive. The cache of rendered pages is emptied before each export, but not for the site where one page changes between two exports, the second of which counts. Memory is the peak of the worker process (RSS). CPU time includes the service, which answers the polls.',
  run: async ({ folder, quick }) => {
    const pages = quick ? 250 : 1_000
    const [some, changed, many, dataDir] = ['some', 'changed', 'many', 'exports'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
      string,
    ]
    writePages(some, pages)
    writePages(changed, changedPages)
    writePages(many, manyPages)
    const vitepress = await installVitePress(join(folder, 'vitepress'))
    const service = await startScript(join(import.meta.dirname, '..', 'servers', 'local-admin-api.ts'), {
      dataDir,
      sites: { [domains.some]: some, [domains.changed]: changed, [domains.many]: many },
      key: benchKey,
    })
    const watched: Awaited<ReturnType<typeof watchedExport>>[] = []
    const { docket, reference } = await inTurns(3, {
      docket: async () => {
        // Every page is rendered.
        rmSync(join(dataDir, 'static-exports', 'page-cache'), { recursive: true, force: true })
        const one = await watchedExport(service, benchKey, domains.some)
        watched.push(one)
        return { rate: one.pages / one.seconds, cpuMs: (1000 * one.cpuSeconds) / one.pages }
      },
      reference: async () => {
        const { seconds, cpuSeconds } = await vitepress.build(some, pages)
        return { rate: pages / seconds, cpuMs: (1000 * cpuSeconds) / pages }
      },
    })
    const changes = await inTurns(3, { docket: () => exportChange(service, domains.changed, changed) })
    const large = await watchedExport(service, benchKey, domains.many)
    const size = kilobytesPerPage(await unpackBundle(service, large.jobId, dataDir))
    await service.stop()

    const most = (select: (one: (typeof watched)[number]) => number) => Math.max(...watched.map(select))
    const rates = (select: typeof docket) => median(select.map(({ rate }) => rate))
    const cpu = (select: typeof docket) => median(select.map(({ cpuMs }) => cpuMs))
    const changedCpu = median(changes.docket.map(({ cpuSeconds }) => cpuSeconds))
    return [
      line(
        `pages per second, ${pages} pages`,
        digits(rates(docket)),
        `VitePress ${vitepress.version}: ${digits(rates(reference))}`,
        rates(docket) / rates(reference),
        { atLeast: 2 },
      ),
      line(
        'the same: ms of CPU per page',
        digits(cpu(docket)),
        `VitePress ${digits(cpu(reference))}`,
        cpu(docket) / cpu(reference),
        { atMost: 0.4 },
      ),
      line(
        'the same: pages per second of CPU',
        digits(1000 / cpu(docket)),
        `VitePress ${digits(1000 / cpu(reference))}`,
        1000 / cpu(docket),
        { atLeast: 20 },
      ),
      line(`one of ${changedPages} pages changed: CPU seconds`, digits(changedCpu), '', changedCpu, { atMost: 2 }),
      line(
        `memory of the worker, ${pages} pages, MB`,
        digits(most((one) => one.workerMb)),
        '',
        most((one) => one.workerMb),
        { atMost: 450 },
      ),
      line(`memory of the worker, ${manyPages} pages, MB`, digits(large.workerMb), '', large.workerMb),
      line(`HTML of a page at ${manyPages} pages, kB`, digits(size), '', size, { atMost: 25 }),
      line(
        'slowest status response while an export runs, ms',
        digits(most((one) => one.slowestAnswerMs)),
        '',
        most((one) => one.slowestAnswerMs),
        { atMost: 100 },
      ),
      line(
        'distinct progress responses',
        digits(Math.min(...watched.map((one) => one.steps))),
        '',
        Math.min(...watched.map((one) => one.steps)),
        { atLeast: 50 },
      ),
      line(
        'progress responses that went down',
        digits(most((one) => one.falls)),
        '',
        most((one) => one.falls),
        { atMost: 0 },
      ),
    ]
  },
}
