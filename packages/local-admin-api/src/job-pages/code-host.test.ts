import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openProjects } from '@docket/code-hosts/projects'
import { scriptPrompts } from '@docket/doc-agent/testing/script-prompts'
import { serve, type ServerType } from '@hono/node-server'
import { Hono } from 'hono'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AgentJobRecord } from '#agent-jobs/agent-job.ts'
import type { AgentJobs } from '#agent-jobs/agent-jobs.service.ts'
import { openAgentJobs } from '#agent-jobs/open-agent-jobs.ts'
import { jsonFolder } from '#files/json-folder.ts'
import { silentLog } from '#log.ts'
import { codeHostRoutes } from './code-host.routes.ts'

scriptPrompts()

const run = promisify(execFile)
let place: string
let origin: string
let server: ServerType
let agentJobs: AgentJobs

const pages = {
  'index.md': '# Handbook\n\nSee [the setup](./Guide/Setup.md) and [two](./twin.md).\n',
  'guide/setup.md': '# Setup\n\nDrink coffee.   \n',
  'TWIN.md': 'a',
  'Twin.mdx': 'b',
  '.gitattributes': '*.md filter=evil\n',
}

const open = async () => {
  const now = () => new Date()
  const around = { place: (...names: string[]) => join(place, 'data', ...names), now }
  const opened = openProjects({ ...around, sources: { docs: join(place, 'site') } })
  const agents = await openAgentJobs({}, { ...around, ...opened, origin: () => origin, log: silentLog })
  return { ...opened, ...agents, jobs: jsonFolder<AgentJobRecord>(join(place, 'data', 'agent-jobs')) }
}

beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'docket-code-host-'))
  await mkdir(join(place, 'site/guide'), { recursive: true })
  for (const [name, text] of Object.entries(pages)) await writeFile(join(place, 'site', name), text)
  const opened = await open()
  agentJobs = opened.agentJobs
  const app = new Hono()
    .route('/', opened.routes)
    .route('/', codeHostRoutes({ ...opened, origin: () => origin, now: () => new Date(), findGuard: () => null }))
  server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' })
  await new Promise((resolve) => server.once('listening', resolve))
  origin = `http://127.0.0.1:${(server.address() as { port: number }).port}`
})

afterAll(async () => {
  await agentJobs.close()
  server.close()
  await rm(place, { recursive: true, force: true })
})

const create = async (prompt: string) => {
  const response = await fetch(`${origin}/v2/agent/docs/job`, { method: 'POST', body: JSON.stringify({ prompt }) })
  return {
    status: response.status,
    job: (await response.json()) as { id: string; status: string; prLink: string | null },
  }
}

const finished = async (id: string) => {
  for (let attempt = 0; attempt < 300; attempt += 1) {
    const job = (await (await fetch(`${origin}/v2/agent/docs/job/${id}`)).json()) as {
      status: string
      prLink: string | null
    }
    if (job.status !== 'active') return job
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('The job did not finish')
}

test('a job that changes files ends in a pull request whose page shows the change', async () => {
  const { status, job } = await create('Replace "coffee" with "<b>tea</b>"')
  expect(status).toBe(201)
  expect(job).toMatchObject({ status: 'active', prLink: null, source: { repository: `${origin}/docket/docs` } })
  const done = await finished(job.id)
  expect(done.status).toBe('completed')
  const html = await (await fetch(done.prLink!)).text()
  expect(html).toContain('+Drink &lt;b&gt;tea&lt;/b&gt;.')
  expect(html).not.toContain('<b>tea')
})

test('only a link that one file can be meant by is fixed; the rest is reported', async () => {
  const { job } = await create('Fix links')
  const done = await finished(job.id)
  const html = await (await fetch(done.prLink!)).text()
  expect(html).toContain('+See [the setup](./guide/setup.md) and [two](./twin.md).')
  expect(html).toContain('index.md:3 ./twin.md — may mean TWIN.md or Twin.mdx')
})

test('a job that changes nothing completes without a pull request', async () => {
  const { job } = await create('Replace "no such words" with "x"')
  expect(await finished(job.id)).toMatchObject({ status: 'completed', prLink: null })
})

test('a repository can be cloned over HTTP with the branch of its pull request', async () => {
  const target = join(place, 'clone')
  await run('git', ['clone', '--quiet', `${origin}/docket/docs.git`, target])
  const { stdout } = await run('git', ['-C', target, 'branch', '--remotes'])
  expect(stdout).toContain('origin/docs-agent/')
})

test('nothing of a repository but its objects and refs is served', async () => {
  for (const path of ['config', 'description', 'objects/../config', 'objects/..%2fconfig', '%2e%2e/docs.git/config']) {
    expect((await fetch(`${origin}/docket/docs.git/${path}`)).status, path).toBe(404)
  }
})

test('a form of another site creates no job', async () => {
  const before = agentJobs.list().length
  const body = new URLSearchParams({ projectId: 'docs', prompt: 'Fix links' })
  const headers = { origin: 'http://evil.example' }
  expect((await fetch(`${origin}/jobs`, { method: 'POST', body, headers })).status).toBe(403)
  expect(agentJobs.list().length).toBe(before)
})

test('a job that a crash interrupted fails, and one whose pull request was opened is completed', async () => {
  const { job } = await create('Replace "Drink" with "Sip"')
  await finished(job.id)
  const { jobs } = await open()
  const record = (await jobs.read(job.id))!
  const turns = [{ ...record.turns[0]!, outcome: null, finishedAt: null }]
  await jobs.write(job.id, { ...record, status: 'active', pullRequest: null, turns })
  await jobs.write('interrupted', { ...record, id: 'interrupted', status: 'active', pullRequest: null, turns })
  const again = await open()
  const settled = async (id: string) => {
    for (let attempt = 0; attempt < 300 && again.agentJobs.get('docs', id)?.status === 'active'; attempt += 1)
      await new Promise((resolve) => setTimeout(resolve, 20))
  }
  await settled(job.id)
  await settled('interrupted')
  await again.agentJobs.close()
  expect(await jobs.read(job.id)).toMatchObject({ status: 'completed', pullRequest: record.pullRequest })
  expect(await jobs.read('interrupted')).toMatchObject({ status: 'failed' })
})

test('reserved ids show every state, and an unknown one is not found', async () => {
  const read = async (id: string) => fetch(`${origin}/v2/agent/sentinel/job/${id}`)
  expect(await (await read('unknown-status')).json()).toMatchObject({
    id: 'unknown-status',
    status: 'waiting_for_review',
  })
  expect((await read('vanishes-1')).status).toBe(200)
  expect((await read('vanishes-1')).status).toBe(200)
  expect((await read('vanishes-1')).status).toBe(404)
  expect((await read('rate-limited')).headers.get('retry-after')).toBe('5')
  expect((await read('constructor')).status).toBe(404)
  expect((await fetch(`${origin}/v2/agent/docs/job/nobody`)).status).toBe(404)
})
