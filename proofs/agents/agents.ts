import { execFile } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseEnv, promisify } from 'node:util'
import { AgentJob, AgentJobLog } from '#packages/api-types/src/records/agent-jobs.ts'
import { SentAgentPrompt } from '#packages/api-types/src/records/agent-prompts.ts'
import { onEnd } from '#bench/harness/cleanup.ts'
import { programFolder, startDocket, temporaryFolder } from '#proofs/harness/docket.ts'
import type { Fault } from '#proofs/harness/plant.ts'
import type { Proof } from '#proofs/harness/proof.ts'
import { modelKey, startFakeModel } from './fake-model.ts'
import { readGuide, type GuideAgent } from './guide.ts'

const run = promisify(execFile)

const sentence = 'Wrote the page hello.md.'
/** The model gives its own key away, which nobody may read. */
const script = { command: "printf '# Hello\\n' > hello.md", sentence: `${sentence} My key is ${modelKey}.` }
/** Shows the values of the file with the key. */
const shown: Fault = {
  file: 'runners/command.ts',
  instead: 'const secrets = Object.values(variables)',
  write: 'const secrets: string[] = []',
}
const jobLimitMs = 120_000

/** Puts the scripted agent where npm would have put the program. */
const placeScripted = (program: string) => {
  mkdirSync(dirname(program), { recursive: true })
  copyFileSync(join(import.meta.dirname, 'scripted-agent.mjs'), program)
  chmodSync(program, 0o755)
}

/** Follows the section of one agent, with a model server of this machine in place of the provider. Answers with what is wrong. */
const follow = async (
  { name, install, environment, settings }: GuideAgent,
  { faults, scripted }: { faults: readonly Fault[]; scripted: boolean },
): Promise<string[]> => {
  const folder = temporaryFolder()
  const model = await startFakeModel(script)
  onEnd(model.close)
  const [prefix, environmentFile] = [join(programFolder(), 'agent'), join(folder, 'agent.env')]
  const here = (text: string) =>
    text
      .replaceAll('/opt/docs-agent', prefix)
      .replaceAll('/etc/docket/agent.env', environmentFile)
      .replaceAll('https://models.example.com', `http://127.0.0.1:${model.port}`)
      .replaceAll('models.example.com', `127.0.0.1:${model.port}`)
      .replaceAll('sk-your-key', modelKey)
  const [program = '', ...words] = here(install).trim().split(' ')
  const variables = parseEnv(here(settings)) as Record<string, string>
  if (scripted) placeScripted(variables['AGENT_COMMAND']!.split(' ')[0]!)
  else await run(program, words, { cwd: folder })
  writeFileSync(environmentFile, here(environment), { mode: 0o600 })
  const project = join(folder, 'docs')
  mkdirSync(project)
  writeFileSync(join(project, 'index.md'), '# Home\n')
  const docket = await startDocket({ LOCAL_PROJECTS: `docs=${project}`, ...variables }, faults)
  const request = { requestId: crypto.randomUUID(), projectId: 'docs', prompt: 'Write a page hello.md.' }
  const sent = SentAgentPrompt.parse(await (await docket.client.post('/api/agent-prompts', request)).json())
  if (!sent.job) return [`${name}: no job: ${sent.prompt.reason}`]
  const path = `/api/agent-jobs/docs/${sent.job.id}`
  const read = async () => AgentJob.parse(await (await docket.client.get(path)).json())
  const until = Date.now() + jobLimitMs
  let job = await read()
  for (; Date.now() < until && (job.meaning === 'waiting' || job.meaning === 'working'); job = await read())
    await delay(250)
  const log = AgentJobLog.parse(await (await docket.client.get(`${path}/log`)).json())
  const changes = await (await docket.client.get(`${path}/changes`)).text()
  await docket.stop()
  const told = JSON.stringify(job) + log.text + changes + docket.wrote()
  return [
    job.meaning === 'pull_request_ready'
      ? null
      : `ended as ${job.meaning}: ${job.error ?? job.report}\n${log.text.slice(-1500)}`,
    job.title === request.prompt ? null : `is titled ${job.title}`,
    changes.includes('hello.md') ? null : 'has no change of hello.md',
    job.report?.includes(sentence) ? null : `reports ${job.report}`,
    job.usage?.outputTokens ? null : 'tells no tokens',
    told.includes(modelKey) ? 'shows the key of the model' : null,
  ].flatMap((wrong) => (wrong === null ? [] : [`${name} ${wrong}`]))
}

/** Every agent of the guide page, installed from npm, opens a pull request with a model that this proof plays. */
export const proof: Proof = {
  name: 'agents',
  bar: 'a pull request, a title, a report, tokens and no key in anything shown, for each agent of the guide',
  fault: shown,
  run: async ({ planted, quick }) => {
    // The scripted agent speaks as the first one does.
    const agents = readGuide().slice(0, quick ? 1 : undefined)
    const wrong: string[] = []
    for (const agent of agents)
      wrong.push(...(await follow(agent, { faults: planted ? [shown] : [], scripted: quick })))
    return {
      ok: wrong.length === 0 && agents.length >= (quick ? 1 : 3),
      figure: `${agents.length} followed (${agents.map(({ name }) => name).join(', ')})${wrong.map((line) => `\n  ${line}`).join('')}`,
    }
  },
}
