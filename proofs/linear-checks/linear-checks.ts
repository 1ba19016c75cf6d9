import { hash } from 'node:crypto'
import type { Proof } from '#proofs/harness/proof.ts'
import { plant, type Fault } from '#proofs/harness/plant.ts'
import { readMediaType } from '#packages/site-bundle/src/media-type.ts'
import { type Files, hostileSites } from './hostile-sites.ts'

const [few, factor, quickFew] = [25_000, 4, 5_000]
/** Four times as much takes four times as long, and sixteen times where everything is compared with everything. */
const maxRatio = 8
/** Less time says nothing. Milliseconds of CPU. */
const noticedMs = 300
const tries = 2

const fault: Fault = {
  file: 'check/css-references.ts',
  instead: '    const begin = from\n',
  write: "    const begin = Math.max(...[';', '{', '}'].map((mark) => text.lastIndexOf(mark, start))) + 1\n",
}

/** Checks sites of `n` and of four times as many things, and compares the CPU time. */
export const proof: Proof = {
  name: 'linear-checks',
  bar: `the check of ${Object.keys(hostileSites).length} kinds of hostile sites takes at most ${maxRatio} times the CPU for ${factor} times as much`,
  fault,
  run: async ({ planted, quick }) => {
    if (planted) plant([fault])
    const { checkSite } = await import('#packages/site-bundle/src/check/check-site.ts')
    const check = async (files: Files): Promise<number> => {
      const list = Object.entries(files).map(([path, text]) => {
        const bytes = Buffer.from(text)
        return { path, sizeBytes: bytes.length, sha256: hash('sha256', bytes, 'hex'), type: readMediaType(path) ?? '' }
      })
      const before = process.cpuUsage()
      const { pages } = await checkSite({ files: list, read: (path) => Promise.resolve(Buffer.from(files[path]!)) })
      const { user, system } = process.cpuUsage(before)
      if (pages.length === 0) throw new Error('the check found no page, so it read nothing')
      return (user + system) / 1_000
    }
    const measure = async (write: (n: number) => Files, n: number) => {
      const files = write(n)
      let least = Infinity
      for (let attempt = 0; attempt < tries; attempt += 1) least = Math.min(least, await check(files))
      return least
    }
    const steep: string[] = []
    let worst = { name: '', ratio: 0 }
    for (const [name, write] of Object.entries(hostileSites)) {
      const n = quick ? quickFew : few
      const [small, large] = [await measure(write, n), await measure(write, n * factor)]
      if (large < noticedMs) continue
      const ratio = large / small
      if (ratio > worst.ratio) worst = { name, ratio }
      if (ratio > maxRatio) steep.push(`${name} (${small.toFixed(0)} and ${large.toFixed(0)} ms)`)
    }
    return {
      ok: steep.length === 0,
      figure: `at most ${worst.ratio.toFixed(1)} times the CPU (${worst.name})${steep.length === 0 ? '' : `; too steep: ${steep.join(', ')}`}`,
    }
  },
}
