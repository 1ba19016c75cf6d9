import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { onEnd } from '#bench/harness/cleanup.ts'
import { temporaryFolder } from '#proofs/harness/docket.ts'
import { plant, type Fault } from '#proofs/harness/plant.ts'
import type { Proof } from '#proofs/harness/proof.ts'
import { agentCommand } from './agent.ts'
import { asked, type Asked } from './prompts.ts'
import { site } from './site.ts'

const key = 'prove_key-0123456789'
const quickCount = 8

type Job = { id: string; status: string; prLink: string | null; error?: string | null; report?: string | null }

const startService = async (command: string | null) => {
  const folder = temporaryFolder()
  for (const [name, text] of Object.entries(site)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  // Loaded late: what is planted must be there first.
  const { localAdminApi } = await import('#packages/local-admin-api/src/local-admin-api.ts')
  const { scratchDatabase } = await import('#packages/local-admin-api/src/testing/scratch-database.ts')
  const { database, stop } = await scratchDatabase()
  const options = {
    dataDir: temporaryFolder(),
    database,
    sites: {},
    projects: { docs: folder },
    key,
    agent: { command },
  }
  const api = await localAdminApi(options)
  const close = onEnd(() => api.close().then(stop))
  const call = async (path: string, body?: object) => {
    const response = await fetch(api.url + path, {
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
    return { status: response.status, job: (await response.json()) as Job }
  }
  /** Its changes as `git diff` shows them: the name of each file, then its lines. */
  const readDiff = async (id: string) => {
    const changes = await api.agentJobs.changes('docs', id)
    const marks = { added: '+', removed: '-', same: ' ', hunk: '' }
    return (changes?.diff.files ?? [])
      .flatMap(({ path, lines }) => [path, ...lines.map(({ kind, text }) => `${marks[kind]}${text}`)])
      .join('\n')
  }
  const ask = async ({ prompt, maintenance }: Asked) => {
    const created = await call('/v2/agent/docs/job', { prompt, maintenance })
    if (created.status !== 201) return { refused: created.job.error ?? '', told: '', diff: null }
    let { job } = created
    while (job.status === 'active') {
      await delay(50)
      job = (await call(`/v2/agent/docs/job/${job.id}`)).job
    }
    const told = [job.error, job.report].filter(Boolean).join('\n')
    return { refused: null, told, diff: job.prLink === null ? null : await readDiff(job.id) }
  }
  return { ask, close }
}

/** What is wrong with the end of a prompt; null when it is as it has to be. */
const judge = (one: Asked, end: { refused: string | null; told: string; diff: string | null }): string | null => {
  const about = JSON.stringify(one.maintenance ?? one.prompt?.slice(0, 80))
  if ('refused' in one) return end.refused?.includes(one.refused) ? null : `${about} was not refused: ${end.refused}`
  if (end.refused !== null) return `${about} was refused: ${end.refused}`
  if ('diff' in one && !end.diff?.includes(one.diff)) return `${about} made no such diff: ${end.told.slice(-800)}`
  if (!('diff' in one) && end.diff !== null) return `${about} opened a pull request`
  return one.says === undefined || end.told.includes(one.says)
    ? null
    : `${about} does not say why: ${end.told.slice(-800)}`
}

const fault: Fault = {
  file: 'local-admin-api/src/agent-jobs/agent-jobs.routes.ts',
  instead: "if (refusal.kind === 'not-understood') return c.json({ error: refusal.sentence }, 400)",
  write: "if (refusal.kind === 'not-understood') return c.json({ error: 'No' }, 400)",
}

/** The prompts of a docs admin through the real service, git and sandbox, with a scripted agent and without any. */
export const proof: Proof = {
  name: 'forty-prompts',
  bar: 'each of forty prompts ends in a diff or in a sentence that says why not, and without an agent each free one is refused at once',
  fault,
  run: async ({ planted, quick }) => {
    if (planted) plant([fault])
    const played = quick ? asked.filter((_, index) => index % Math.ceil(asked.length / quickCount) === 0) : asked
    const wrong: string[] = []
    const withAgent = await startService(agentCommand)
    for (const one of planted ? [] : played) wrong.push(judge(one, await withAgent.ask(one)) ?? '')
    await withAgent.close()
    const without = await startService(null)
    const free = played.filter((one) => one.prompt !== undefined && !('refused' in one))
    for (const { prompt } of free) {
      const { refused } = await without.ask({ prompt, says: '' } as Asked)
      if (!refused?.startsWith('No agent is configured'))
        wrong.push(`${prompt} was not refused without an agent: ${refused}`)
    }
    await without.close()
    const found = wrong.filter((line) => line !== '')
    return {
      ok: found.length === 0,
      figure: `${played.length - found.length} of ${played.length} prompts ended as they have to, ${free.length} were refused without an agent${found.map((line) => `\n  ${line}`).join('')}`,
    }
  },
}
