import type { PageChange } from '@docket/code-hosts/embedded/change-guard'
import { openProjects } from '@docket/code-hosts/projects'
import { temporaryFolder } from '@docket/sources/testing/files'
import { gitAt } from '@docket/sources/testing/git-server'
import { expect, test } from 'vitest'
import { openAgentJobs } from '#agent-jobs/open-agent-jobs.ts'
import { silentLog } from '#log.ts'
import { key, pass } from '#testing/api.ts'
import { startCodeHostPages } from '#testing/code-host-pages.ts'
import { codeHostRoutes } from './code-host.routes.ts'

/** Every route of the code host that takes another method than GET, as Hono knows it. */
const unsafeRoutes = async (): Promise<{ method: string; path: string }[]> => {
  const dataDir = await temporaryFolder()
  const around = { place: (name = '') => `${dataDir}/${name}`, now: () => new Date(), origin: () => '', log: silentLog }
  const opened = openProjects({ ...around, sources: {} })
  const { agentJobs } = await openAgentJobs({}, { ...around, ...opened })
  await agentJobs.close()
  return codeHostRoutes({ ...opened, ...around, agentJobs, findGuard: () => null })
    .routes.filter(({ method, path }) => method !== 'GET' && !(method === 'ALL' && path === '/*'))
    .map(({ method, path }) => ({ method: method === 'ALL' ? 'POST' : method, path }))
    .filter((route, index, all) => all.findIndex(({ path }) => path === route.path) === index)
}

/** The paths that a route matches: `:action{(merge|close)}` gives two. */
const listAddresses = (path: string, values: Record<string, string>): string[] => {
  const choice = /:\w+\{\(([\w|-]+)\)\}/.exec(path)
  if (choice) return choice[1]!.split('|').flatMap((word) => listAddresses(path.replace(choice[0], word), values))
  return [path.replaceAll(/:(\w+)(\{(?:[^{}]|\{[^}]*\})*\})?/g, (_, name: string) => values[name] ?? name)]
}

const start = async () => {
  const pages = await startCodeHostPages({ 'a.md': 'one\n' })
  const { origin, gitDir } = pages
  const pull = await pages.open('work', { 'a.md': 'two\n' })
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const created = await fetch(`${origin}/v2/agent/docs/job`, {
    method: 'POST',
    headers,
    body: '{"prompt":"Fix links"}',
  })
  const { id } = (await created.json()) as { id: string }
  const readJob = async () =>
    (await (await fetch(`${origin}/v2/agent/docs/job/${id}`, { headers })).json()) as { status: string }
  await expect.poll(async () => (await readJob()).status).toBe('completed')
  const send = (method: string, path: string, fields: Record<string, string>) => {
    const body = new URLSearchParams({ head: pull.head, projectId: 'docs', prompt: 'Fix links', ...fields })
    return fetch(origin + path, { method, body, headers: { origin }, redirect: 'manual' })
  }
  const countJobs = async () => (await (await fetch(origin)).text()).match(/<a href="\/jobs\//g)?.length
  const state = async () => [gitAt(gitDir, ['for-each-ref']), await countJobs(), await readJob()]
  return { ...pages, send, state, values: { projectId: 'docs', number: String(pull.number), id } }
}

test('a program that sends the right Origin and has no valid pass changes nothing, whichever route it tries', async () => {
  const { api, send, state, values } = await start()
  const routes = await unsafeRoutes()
  const addresses = routes.flatMap(({ method, path }) => listAddresses(path, values).map((to) => ({ method, to })))
  expect(addresses.map(({ to }) => to.split('/').at(-1))).toEqual(
    expect.arrayContaining(['jobs', 'message', 'archive', 'merge', 'close', 'reopen', 'delete-branch']),
  )
  const before = await state()
  const tryAll = async (fields: Record<string, string>) => {
    for (const { method, to } of addresses) {
      const refused = await send(method, to, fields)
      expect([to, refused.status, await refused.text()]).toEqual([
        to,
        403,
        expect.stringContaining('Open this page from Docket to make changes'),
      ])
    }
  }
  for (const fields of [{}, { pass: '' }, { pass: `${pass}x` }] as Record<string, string>[]) await tryAll(fields)
  // As while Docket starts.
  api.admitPeople(null)
  await tryAll({ pass })
  expect(await state()).toEqual(before)
})

test('the gate learns of every change before it happens, and then whether it happened', async () => {
  const { api, send, state, values } = await start()
  const heard: (PageChange & { changed: boolean })[] = []
  api.admitPeople({
    docketUrl: 'http://docket.example',
    admit: async (_, change, run) => {
      const before = await state()
      heard.push({ ...change, changed: await run() })
      expect(await state()).not.toEqual(heard.at(-1)!.changed ? before : null)
      return true
    },
  })
  const job = `/jobs/docs/${values.id}`
  expect((await send('POST', '/docket/docs/pulls/1/close', {})).status).toBe(303)
  expect((await send('POST', '/docket/docs/pulls/1/merge', {})).status).toBe(409)
  expect((await send('POST', `${job}/archive`, {})).status).toBe(303)
  expect((await send('POST', `${job}/message`, {})).status).toBe(409)
  expect((await send('POST', '/jobs', { prompt: ' ' })).status).toBe(400)
  expect((await send('POST', '/jobs', {})).status).toBe(303)
  expect(heard).toEqual([
    { action: 'close', projectId: 'docs', id: '1', changed: true },
    { action: 'merge', projectId: 'docs', id: '1', changed: false },
    { action: 'archive-job', projectId: 'docs', id: values.id, changed: true },
    { action: 'send-message', projectId: 'docs', id: values.id, changed: false },
    { action: 'create-job', projectId: 'docs', id: null, changed: false },
    { action: 'create-job', projectId: 'docs', id: null, changed: true },
  ])
})

test('a page without a pass says where to get one, and leads there once Docket is known', async () => {
  const { api, origin } = await start()
  expect(await (await fetch(origin)).text()).toContain('Open this page from Docket to make changes')
  const lead = () => fetch(`${origin}/open-docket`, { redirect: 'manual' })
  api.admitPeople({ docketUrl: 'http://docket.example', admit: () => Promise.resolve(false) })
  expect((await lead()).headers.get('location')).toBe('http://docket.example/agent-jobs')
  api.admitPeople(null)
  expect((await lead()).status).toBe(404)
})
