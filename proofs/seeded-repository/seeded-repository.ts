import { cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Proof } from '#proofs/harness/proof.ts'
import { temporaryFolder } from '#proofs/harness/docket.ts'
import { plant, plantedEnvironment } from '#proofs/harness/plant.ts'
import { fault, passedOn } from './fault.ts'
import { seed, type Seed } from './seed.ts'
import { startJobs } from './jobs.ts'
import { judge, type Findings } from './judge.ts'
import { stages, type Stage } from './pieces.ts'

const orders: Readonly<Record<Stage, (seeded: Seed) => object[]>> = {
  links: () => [{ action: 'fix_links' }],
  typos: () => [{ action: 'fix_typos' }],
  move: ({ sections }) => sections.map((d) => ({ action: 'move', from: `${d}/plain`, to: `${d}/deep/er/plain` })),
}

/** Runs every job on a copy of the repository, merges it, and runs it again. */
const playAll = async (seeded: Seed): Promise<Findings> => {
  const dataDir = temporaryFolder()
  mkdirSync(join(dataDir, 'code-host'), { recursive: true })
  cpSync(seeded.gitDir, join(dataDir, 'code-host', 'docs.git'), { recursive: true })
  const jobs = await startJobs(dataDir)
  const all: Findings = { decidable: 0, fixed: 0, undecidable: 0, reported: 0, left: 0, wrong: [], again: 0 }
  try {
    for (const stage of stages) {
      const reports: string[] = []
      for (const order of orders[stage](seeded)) {
        const first = await jobs.run(order)
        reports.push(first.report)
        if (first.pull === null) all.wrong.push(`${JSON.stringify(order)} opened no pull request`)
        else await jobs.merge(first.pull)
      }
      judge(all, seeded, stage, { filesNow: await jobs.files(), report: reports.join('\n') })
      for (const order of orders[stage](seeded)) {
        if ((await jobs.run(order)).pull === null) continue
        all.again += 1
        all.wrong.push(`${JSON.stringify(order)} opened a second pull request`)
      }
    }
  } finally {
    await jobs.close()
  }
  return all
}

const isGood = (found: Findings) =>
  found.wrong.length === 0 &&
  found.fixed === found.decidable &&
  found.reported === found.undecidable &&
  found.again === 0

const formatFigure = ({ decidable, fixed, undecidable, reported, left, wrong, again }: Findings) =>
  `${fixed} of ${decidable} decidable faults fixed, ${reported} of ${undecidable} undecidable ones reported and left, ${left} other pieces and files untouched, ${wrong.length} wrong edits, ${again} pull requests of second runs` +
  wrong
    .slice(0, 8)
    .map((line) => `\n  ${line}`)
    .join('')

/**
 * Faults that can be decided and faults that cannot, in a repository with a history, through the real service and git.
 */
export const proof: Proof = {
  name: 'seeded-repository',
  bar: 'no wrong edit, every decidable fault fixed, every undecidable one reported, and no pull request of a second run',
  fault,
  alsoReplaced: [passedOn],
  run: async ({ planted }) => {
    if (planted) {
      plant([passedOn])
      const { NODE_OPTIONS = '', PLANTED_FAULTS = '' } = plantedEnvironment([fault])
      Object.assign(process.env, { SEEDED_OPTIONS: NODE_OPTIONS, PLANTED_FAULTS })
    }
    const found = await playAll(seed(temporaryFolder()))
    return { ok: isGood(found), figure: formatFigure(found) }
  },
}
