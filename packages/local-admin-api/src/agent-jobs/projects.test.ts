import { join } from 'node:path'
import { openProjects } from '@docket/code-hosts/projects'
import { canary, startCodeHost } from '@docket/code-hosts/testing/code-host-servers'
import { writeFolder } from '@docket/sources/testing/files'
import { gitAt } from '@docket/sources/testing/git-server'
import { expect, test } from 'vitest'
import { startAgentJobs } from '#testing/agent-jobs.ts'

const open = (sources: Record<string, string>) =>
  openProjects({ sources, place: (...names) => join('/nowhere', ...names), now: () => new Date() })

test.each(['../out', 'a/b', '', '.', '..', '.hidden', 'x.git', 'sentinel', '-x', 'a b', 'é'])(
  'the project id “%s” is refused',
  (id) => {
    expect(() => open({ [id]: '/nowhere' })).toThrow(`“${id}” cannot be a project id`)
  },
)

test('a web page cannot be the source of a project', () => {
  expect(() => open({ docs: 'https://docs.example.com/' })).toThrow('docs needs a folder or a git repository')
})

test('a folder, a remote repository and an unreachable one work as projects of one service', async () => {
  const host = await startCodeHost('gitea', { 'docs/a.md': 'Price: 5\n', 'a.md': 'Price: 5\n' })
  const lines: string[] = []
  const log = (fields: object, message: string) => void lines.push(JSON.stringify([fields, message]))
  const { call, api, readReport } = await startAgentJobs(await writeFolder({}), {
    projects: {
      handbook: await writeFolder({ 'a.md': 'Price: 5\n' }),
      elsewhere: `git+${host.repository}#main:docs`,
      gone: `git+${host.url}/acme/gone.git`,
    },
    codeHosts: [{ kind: 'gitea', url: host.url, token: () => canary }],
    log: { debug: log, info: log, warn: log, error: log },
  })
  const create = (project: string) =>
    call('POST', `/v2/agent/${project}/job`, { prompt: 'Replace "Price" with "Cost"' })
  const finished = async (project: string, id: string): Promise<Record<string, unknown>> => {
    const job = (await (await call('GET', `/v2/agent/${project}/job/${id}`)).json()) as Record<string, unknown>
    if (job.status !== 'active') return job
    await new Promise((resolve) => setTimeout(resolve, 25))
    return finished(project, id)
  }
  expect((await create('nobody')).status).toBe(404)
  const run = async (project: string) => {
    const { id } = (await (await create(project)).json()) as { id: string }
    return finished(project, id)
  }
  const [handbook, elsewhere, gone] = await Promise.all(['handbook', 'elsewhere', 'gone'].map(run))
  expect(handbook).toMatchObject({ status: 'completed', prLink: `${api.url}/code/handbook/pulls/1` })
  expect(elsewhere).toMatchObject({
    status: 'completed',
    prLink: `${host.url}/acme/handbook/pulls/1`,
    source: { repository: `${host.url}/acme/handbook`, ref: `docs-agent/${String(elsewhere!.id)}` },
  })
  const branch = `docs-agent/${String(elsewhere!.id)}`
  expect(gitAt(host.gitDir, ['show', `${branch}:docs/a.md`])).toBe('Cost: 5')
  // Files outside the project's folder do not belong to the project.
  expect(gitAt(host.gitDir, ['show', `${branch}:a.md`])).toBe('Price: 5')
  expect(gone).toMatchObject({ status: 'failed', prLink: null })
  const reports = await Promise.all([handbook!, elsewhere!, gone!].map(({ id }) => readReport(String(id))))
  expect(reports[2]).toContain('There is no such repository on 127.0.0.1')
  expect(await api.codeHost.listPulls('elsewhere', { state: 'all' })).toBeNull()
  expect([...reports, ...lines, JSON.stringify([handbook, elsewhere, gone])].join('')).not.toContain(canary)
})
