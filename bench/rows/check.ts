import { execFileSync, fork } from 'node:child_process'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { writePages } from '#bench/exports/pages.ts'
import { digits, line, type Row } from '#bench/harness/row.ts'
import { inTurns, median } from '#bench/harness/statistics.ts'

const script = (name: string) => fileURLToPath(new URL(`../servers/${name}.ts`, import.meta.url))

/** Runs a script to its end. CPU time in seconds, and its peak of memory in MB. */
const measure = (name: string, args: readonly string[]) =>
  new Promise<{ cpuSeconds: number; memoryMb: number }>((resolve, reject) => {
    const child = fork(script(name), args, { execArgv: ['--max-semi-space-size=4'] })
    child.once('message', (used) => resolve(used as { cpuSeconds: number; memoryMb: number }))
    child.once('exit', (code) => reject(new Error(`${name} ended with ${code}`)))
  })

/** The check of a stored bundle against the least that reading it takes. */
export const check: Row = {
  name: 'check',
  title: 'Check of a bundle',
  method:
    'Docket reads a tar.gz of generated pages, writes its files and its manifest, describes and checks every page. The reference tests the archive with `gzip -t` and parses the same HTML once with parse5. CPU time of whole processes, start included; memory is the peak (RSS).',
  run: async ({ folder, quick }) => {
    const pages = quick ? 250 : 1_000
    const [source, site] = [join(folder, 'check-source'), join(folder, 'check-site')]
    writePages(source, pages)
    const exporter = fileURLToPath(new URL('../../packages/site-exporter/src/site-export.ts', import.meta.url))
    execFileSync(process.execPath, [exporter, source, site, '--domain', 'docs.example.com'])
    const archive = join(folder, 'check.tar.gz')
    execFileSync('tar', ['-czf', archive, '-C', site, ...readdirSync(site)])
    let turn = 0
    const { docket, reference } = await inTurns(3, {
      docket: async () => {
        const target = join(folder, `check-${(turn += 1)}`)
        mkdirSync(target)
        return measure('check-bundle', [archive, target])
      },
      reference: async () => measure('parse-pages', [archive, site]),
    })
    const cpu = (all: typeof docket) => median(all.map(({ cpuSeconds }) => cpuSeconds))
    const memory = Math.max(...docket.map(({ memoryMb }) => memoryMb))
    return [
      line(
        `CPU of check and manifest, ${pages} pages, s`,
        digits(cpu(docket)),
        `gzip -t and parse5: ${digits(cpu(reference))}`,
        cpu(docket) / cpu(reference),
        { atMost: 3 },
      ),
      line('the same: memory, MB', digits(memory), '', memory, { atMost: 250 }),
    ]
  },
}
