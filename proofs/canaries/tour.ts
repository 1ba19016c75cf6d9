import type { DocketClient } from '#apps/bff/src/testing/docket-client.ts'

/** One answer of Docket as text, headers included, and what was asked. */
export type Heard = { request: string; status: number; text: string }

const readHeard = async (request: string, response: Response): Promise<Heard> => {
  const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n')
  const body = await response.text().catch(() => '')
  return { request, status: response.status, text: `${headers}\n${body}` }
}

/** Adds a code host with this token to the connection. Returns the address of its check. */
export const addCodeHost = async (client: DocketClient, token: string): Promise<string> => {
  const list = (await (await client.get('/api/connections')).json()) as { items: { connectionId: string }[] }
  const path = `/api/connections/${list.items[0]?.connectionId}/code-hosts`
  const added = await client.post(path, { kind: 'gitea', url: 'https://localhost:1', token })
  if (added.status !== 201) throw new Error(`no code host was added: ${added.status} ${await added.text()}`)
  return `${path}/${((await added.json()) as { codeHostId: string }).codeHostId}/check`
}

/** Tries a bucket at `endpoint` with this secret key. Returns the answer. */
export const testTarget = async (client: DocketClient, endpoint: string, secret: string): Promise<string> => {
  const place = { kind: 's3', endpoint, region: 'eu', bucket: 'docs', prefix: '', accessKeyId: 'docket' }
  const answer = await client.post('/api/target-tests', { settings: place, secret })
  const text = await answer.text()
  if (answer.status !== 200) throw new Error(`no target was tested: ${answer.status} ${text}`)
  return text
}

/** Follows jobs and completes exports while the service is honest. Gives the exports. */
export const prepare = async (client: DocketClient): Promise<string[]> => {
  const jobs = Array.from({ length: 6 }, (_, index) => ({ projectId: 'p', id: `job-${index}` }))
  await client.post('/api/agent-jobs', { jobs })
  const exportIds: string[] = []
  for (let index = 0; index < 4; index += 1) {
    const started = await client.post('/api/static-exports', {
      requestId: crypto.randomUUID(),
      domain: `kept${index}.example.com`,
    })
    const { export: one } = (await started.json()) as { export?: { exportId: string } }
    if (one === undefined) throw new Error(`no export was started: ${started.status}`)
    exportIds.push(one.exportId)
    await client.post(`/api/static-exports/${one.exportId}/check`)
  }
  return exportIds
}

/** What people do, one after the other, over and over: everything that reads, calls, fails or is shown. */
const steps = (
  exportIds: readonly string[],
  web: readonly string[],
): ((client: DocketClient, turn: number) => [asked: string, answer: Promise<Response>])[] => {
  const get =
    (path: string | ((turn: number) => string)) =>
    (client: DocketClient, turn: number): [string, Promise<Response>] => {
      const resolvedPath = typeof path === 'string' ? path : path(turn)
      return [`GET ${resolvedPath}`, client.get(resolvedPath)]
    }
  const post =
    (path: (turn: number) => string, body?: (turn: number) => unknown) =>
    (client: DocketClient, turn: number): [string, Promise<Response>] => [
      `POST ${path(turn)}`,
      client.post(path(turn), body?.(turn)),
    ]
  const one = (turn: number) => `/api/static-exports/${exportIds[turn % exportIds.length] ?? ''}`
  const job = (turn: number) => `/api/agent-jobs/p/job-${turn % 6}`
  return [
    post((turn) => `${job(turn)}/check`),
    post(
      () => '/api/agent-jobs',
      (turn) => ({ jobs: [{ projectId: 'p', id: `new-${turn}` }] }),
    ),
    post(
      () => '/api/static-exports',
      (turn) => ({ requestId: crypto.randomUUID(), domain: `site${turn}.example.com` }),
    ),
    post((turn) => `${one(turn)}/check`),
    get((turn) => `${one(turn)}/download`),
    post((turn) => `${one(turn)}/bundle/prepare`),
    post(
      () => '/api/static-exports/import',
      (turn) => ({ jobId: `imported-${turn}`, domain: 'docs.example.com' }),
    ),
    get('/api/static-exports'),
    get('/api/agent-jobs'),
    get((turn) => `${one(turn)}/history`),
    get((turn) => `${job(turn)}/history`),
    get('/api/connection'),
    get('/api/storage'),
    get('/api/activity'),
    get('/api/status'),
    get('/api/audit'),
    get('/api/session'),
    get('/api/tokens'),
    get('/api/openapi.json'),
    get('/api/nothing-here'),
    get((turn) => web[turn % web.length] ?? '/'),
    post(
      () => '/api/static-exports',
      () => ({ domain: '\u0000' }),
    ),
    get('/livez'),
    get('/readyz'),
  ]
}

/** Sends the requests of turn `from` and on, `turns` of them, and returns every answer. Calls `between` after each. */
export const goRound = async (
  client: DocketClient,
  {
    from,
    turns,
    exportIds,
    web,
    between,
  }: {
    from: number
    turns: number
    exportIds: readonly string[]
    web: readonly string[]
    between: (turn: number) => Promise<void>
  },
): Promise<Heard[]> => {
  const all = steps(exportIds, web)
  const heard: Heard[] = []
  for (let turn = from; turn < from + turns; turn += 1) {
    // Prime to the number of faults, so that every step meets every fault.
    const [request, answer] = all[turn % all.length]!(client, Math.floor(turn / all.length))
    heard.push(
      await answer.then(
        (response) => readHeard(request, response),
        (error: unknown) => ({ request, status: 0, text: String(error) }),
      ),
    )
    await between(turn)
  }
  return heard
}
