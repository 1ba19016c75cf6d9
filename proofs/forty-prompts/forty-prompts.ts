import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { onEnd } from '#bench/harness/cleanup.ts'
import { temporaryFolder } from '#proofs/harness/docket.ts'
import { plant } from '#proofs/harness/plant.ts'
import type { Proof } from '#proofs/harness/proof.ts'
import { agentCommand } from './agent.ts'
import { asked, type Asked } from './prompts.ts'
import { site } from './site.ts'

const key = 'prove_key-0123456789'
const quickCount = 8

type Job = { id: string; status: string; prLink: string | null; error?: string }

const startService = async (command: string | null) => {
  const folder = temporaryFolder()
  for (const [name, text] of Object.entries(site)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  // Loaded late: what is planted must be there first.
  const { localAdminApi } = await import('#packages/local-admin-api/src/local-admin-api.ts')
  const options = { dataDir: temporaryFolder(), sites: {}, projects: { docs: folder }, key, agent: { command } }
  const api = await localAdminApi(options)
  const close = onEnd(() => api.close())
  const call = async (path: string, body?: object) => {
    const response = await fetch(api.url + path, {
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
    return { status: response.status, job: (await response.json()) as Job }
  }
  const readText = async (address: string) =>
    (await (await fetch(address)).text())
      .replaceAll(/<[^>]*>/g, '')
      .replaceAll('&quot;', '"')
      .replaceAll('&#39;', "'")
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&')
  const ask = async ({ prompt, maintenance }: Asked) => {
    const created = await call('/v2/agent/docs/job', { prompt, maintenance })
    if (created.status !== 201) return { refused: created.job.error ?? '', page: '', pull: null }
    let { job } = created
    while (job.status === 'active') {
      await delay(50)
      job = (await call(`/v2/agent/docs/job/${job.id}`)).job
    }
    const page = await readText(`${api.url}/jobs/docs/${job.id}`)
    return { refused: null, page, pull: job.prLink === null ? null : await readText(job.prLink) }
  }
  return { ask, close }
}

/** What is wrong with the end of a prompt; null when it is as it has to be. */
const judge = (one: Asked, end: { refused: string | null; page: string; pull: string | null }): string | null => {
  const about = JSON.stringify(one.maintenance ?? one.prompt?.slice(0, 80))
  if ('refused' in one) return end.refused?.includes(one.refused) ? null : `${about} was not refused: ${end.refused}`
  if (end.refused !== null) return `${about} was refused: ${end.refused}`
  if ('diff' in one && !end.pull?.includes(one.diff)) return `${about} made no such diff: ${end.page.slice(-800)}`
  if (!('diff' in one) && end.pull !== null) return `${about} opened a pull request`
  return one.says === undefined || end.page.includes(one.says)
    ? null
    : `${about} does not say why: ${end.page.slice(-800)}`
}

/** The prompts of a docs admin through the real service, git and sandbox, with a scripted agent and without any. */
export const proof: Proof = {
  name: 'forty-prompts',
  bar: 'each of forty prompts ends in a diff or in a sentence that says why not, and without an agent each free one is refused at once',
  faults: [
    {
      file: 'local-admin-api/src/agent-jobs/agent-jobs.routes.ts',
      instead: "if (refusal.kind === 'not-understood') return c.json({ error: refusal.sentence }, 400)",
      write: "if (refusal.kind === 'not-understood') return c.json({ error: 'No' }, 400)",
    },
  ],
  run: async ({ planted, quick }) => {
    if (planted) plant(proof.faults)
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
