import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request as forward } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { standInServer } from '#apps/bff/src/testing/stand-in-server.ts'
import type { SnippetChoice } from '#apps/web/src/features/people/tokens/snippet-scripts.ts'
import { printSnippet, type SnippetPlace, type SnippetTask } from '#apps/web/src/features/people/tokens/snippets.ts'
import { startDocket, type Docket } from '#e2e/support/docket-server.ts'

const folder = mkdtempSync(join(tmpdir(), 'docket-snippets-'))
const bin = join(folder, 'bin')
let docket: Docket
let proxy: Awaited<ReturnType<typeof standInServer>>
let token = ''
/** Requests of the snippets, as `METHOD path status`. */
let requests: string[] = []
/** Answers instead of Docket, once for each entry: the status, and whether Docket is asked all the same. */
let troubles: { status: number; reachesDocket: boolean; path: RegExp }[] = []
let damage = false

/** Stands where a proxy does: writes down what is asked, and fails as proxies do. */
const openProxy = () =>
  standInServer((incoming, outgoing) => {
    const { method = '', url = '', headers } = incoming
    const trouble = troubles.find(({ path }) => path.test(`${method} ${url}`))
    if (trouble !== undefined) troubles = troubles.filter((one) => one !== trouble)
    const answer = (status: number) => {
      requests.push(`${method} ${url.replace(/[0-9a-f-]{36}/, ':id')} ${status}`)
      outgoing.writeHead(status, { 'retry-after': '1' }).end()
    }
    if (trouble?.reachesDocket === false) return void incoming.resume().on('end', () => answer(trouble.status))
    const host = new URL(docket.plainUrl).host
    const forwarded = forward(docket.plainUrl + url, { method, headers: { ...headers, host } }, (response) => {
      if (trouble !== undefined) return void response.resume().on('end', () => answer(trouble.status))
      requests.push(`${method} ${url.replace(/[0-9a-f-]{36}/, ':id')} ${response.statusCode}`)
      outgoing.writeHead(response.statusCode ?? 500, response.headers)
      if (!damage || !url.endsWith('/download')) return void response.pipe(outgoing)
      response.on('data', (chunk: Buffer) => outgoing.write(chunk.fill(0, 0, 1)))
      response.on('end', () => outgoing.end())
    })
    incoming.pipe(forwarded)
  })

const asAdmin = async (method: string, path: string, body?: object) =>
  docket.client(await docket.adminCookie()).send(method, path, body)

beforeAll(async () => {
  const site = join(folder, 'site')
  mkdirSync(site)
  writeFileSync(join(site, 'index.md'), '# Welcome\n')
  mkdirSync(bin)
  // The pauses are as printed; only nobody waits for them here.
  writeFileSync(join(bin, 'sleep'), '#!/bin/sh\necho "$1" >> "$SLEPT"\nexec /bin/sleep 0.2\n', { mode: 0o755 })
  docket = await startDocket({ LOCAL_SITES: `docs.localhost=${site}` })
  proxy = await openProxy()
  const created = await asAdmin('POST', '/api/tokens', { name: 'CI', scope: 'operate', expiresInDays: 1 })
  token = ((await created.json()) as { token: string }).token
})
afterAll(async () => {
  await proxy.close()
  await docket.dispose()
  rmSync(folder, { recursive: true })
})

const choice = (changes: Partial<SnippetChoice> = {}): SnippetChoice => ({
  docket: proxy.url,
  tokenVariable: 'DOCKET_TOKEN',
  domain: 'docs.localhost',
  projectId: 'sentinel',
  delivery: 'stream',
  ...changes,
})

type Workflow = { jobs: Record<string, { steps: { run?: string; env?: Record<string, string> }[] }> }
type Pipeline = Record<string, { script: string[] }>

/** The commands of a snippet, taken out of the text as it is printed, and the shell that its place runs them with. */
const readCommands = (text: string, place: SnippetPlace): { commands: string; shell: string[] } => {
  if (place === 'shell') return { commands: text, shell: ['/bin/sh'] }
  const read: unknown = parse(text)
  if (place === 'gitlab') {
    const [job] = Object.values(read as Pipeline)
    return { commands: job!.script.join('\n'), shell: ['/bin/bash', '-e', '-o', 'pipefail'] }
  }
  const [job] = Object.values((read as Workflow).jobs)
  return { commands: job!.steps.find(({ run }) => run !== undefined)!.run!, shell: ['/bin/bash', '-e'] }
}

let runs = 0

/** Runs a snippet in a folder of its own, and answers with what became of it. */
const run = async (text: string, place: SnippetPlace, variables: Record<string, string> = {}) => {
  const cwd = join(folder, `run-${(runs += 1)}`)
  mkdirSync(cwd)
  const { commands, shell } = readCommands(text, place)
  const file = join(folder, `${runs}.sh`)
  writeFileSync(file, commands)
  requests = []
  const child = spawn(shell[0]!, [...shell.slice(1), file], {
    cwd,
    env: {
      PATH: `${bin}:${process.env.PATH ?? ''}`,
      SLEPT: join(folder, 'slept'),
      DOCKET_TOKEN: token,
      GITHUB_REPOSITORY: 'acme/docs',
      GITHUB_RUN_ID: `${runs}`,
      CI_PROJECT_URL: 'https://gitlab.example.com/acme/docs',
      CI_PIPELINE_ID: `${runs}`,
      ...variables,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => (output += chunk))
  await once(child, 'close')
  expect(output).not.toContain(token)
  return { code: child.exitCode, output, cwd, files: readdirSync(cwd), requests }
}

const exported = (place: SnippetPlace, changes: Partial<SnippetChoice> = {}, variables: Record<string, string> = {}) =>
  run(printSnippet(choice(changes), 'export', place), place, variables)

const starts = (lines: readonly string[]) => lines.filter((line) => line === 'POST /api/static-exports 201').length

const listExports = async (domain: string) => {
  const list = await asAdmin('GET', `/api/static-exports?domain=${domain}`)
  return ((await list.json()) as { counts: { matching: { count: number } } }).counts.matching.count
}

/** The name of a run whose export is completed. */
const completed = { DOCKET_RUN: 'one', GITHUB_RUN_ID: '1', CI_PIPELINE_ID: '1' }

test('the printed scripts export, wait, download and verify; a retried run finds its export and starts no second one', async () => {
  for (const [place, count] of [
    ['shell', 1],
    ['github', 2],
  ] as const) {
    const first = await exported(place, {}, completed)
    expect(first).toMatchObject({ code: 0, files: ['docs.localhost.tar.gz'] })
    const bytes = readFileSync(join(first.cwd, 'docs.localhost.tar.gz'))
    expect(first.output).toContain(`is complete, SHA-256 ${createHash('sha256').update(bytes).digest('hex')}`)
    const retry = await exported(place, {}, completed)
    expect([retry.code, starts(first.requests), starts(retry.requests)]).toEqual([0, 1, 1])
    expect(await listExports('docs.localhost')).toBe(count)
  }
})

test('a request whose response a proxy lost is repeated, and still only one export is started', async () => {
  troubles = [
    { status: 502, reachesDocket: true, path: /^POST/ },
    { status: 503, reachesDocket: false, path: /^POST/ },
    { status: 429, reachesDocket: false, path: /^GET .*[0-9a-f]$/ },
    { status: 504, reachesDocket: true, path: /download$/ },
  ]
  const { code, output, files } = await exported('gitlab', {}, completed)
  expect([code, troubles, files]).toEqual([0, [], ['docs.localhost.tar.gz']])
  expect(output.match(/trying again/g)?.length).toBe(4)
  expect(await listExports('docs.localhost')).toBe(3)
})

test('an invalid token fails the CI job at once with the reason', async () => {
  const { code, output, requests: expected, files } = await exported('shell', {}, { DOCKET_TOKEN: `${token}x` })
  expect([code, files, expected]).toEqual([1, [], ['POST /api/static-exports 401']])
  expect(output).toContain('401 This API token doesn’t work.')
  const without = await exported('github', { tokenVariable: 'NO_SUCH_TOKEN' })
  expect([without.code === 0, without.requests]).toEqual([false, []])
})

test('a failed or refused export fails the CI job with the reason and leaves no files', async () => {
  const failed = await exported('gitlab', { domain: 'fails.sentinel.test' })
  expect([failed.code, failed.files]).toEqual([1, []])
  expect(failed.output).toContain('the export is failed: The page \\"reference/limits\\" could not be rendered')
  // While nothing changes, only the question travels.
  expect(failed.requests.slice(1).every((line) => /^GET \/api\/static-exports\/:id (?:200|304)$/.test(line))).toBe(true)
  const refused = await exported('shell', { domain: 'plan-refused.sentinel.test' })
  expect([refused.code, starts(refused.requests)]).toEqual([1, 1])
  expect(refused.output).toContain('the export is refused: ')
})

test('an export that does not end is awaited only until the script’s time limit', async () => {
  const late = join(folder, 'late')
  mkdirSync(late)
  // Every look at the clock is half an hour later than the one before.
  const clock = '#!/bin/sh\ncat "$CLOCK"\necho $(($(cat "$CLOCK") + 1800)) > "$CLOCK.next"\nmv "$CLOCK.next" "$CLOCK"\n'
  writeFileSync(join(late, 'date'), clock, { mode: 0o755 })
  writeFileSync(join(folder, 'clock'), '1000000\n')
  const variables = { PATH: `${late}:${bin}:${process.env.PATH ?? ''}`, CLOCK: join(folder, 'clock'), DOCKET_RUN: 'x' }
  const { code, output, files } = await exported('shell', { domain: 'slow-60.sentinel.test' }, variables)
  expect([code, files]).toEqual([1, []])
  expect(output).toContain('gave up after 60 minutes')
})

test('downloaded bytes that do not match Docket’s checksum are deleted', async () => {
  damage = true
  const { code, output, files } = await exported('shell', {}, completed)
  damage = false
  expect([code, files]).toEqual([1, []])
  expect(output).toContain('what arrived is not what Docket sent')
  expect(readFileSync(join(folder, 'slept'), 'utf8').trim().split('\n').slice(-5)).toEqual(['5', '5', '5', '5', '5'])
})

test('without a known checksum, the script reports that it verified nothing', async () => {
  const { code, output } = await exported('shell', { delivery: 'redirect' }, completed)
  expect(code).toBe(0)
  expect(output).toContain('which nothing could be compared with')
})

test.for(['shell', 'github', 'gitlab'] as const)('the printed %s makes Docket watch an agent job', async (place) => {
  const text = printSnippet(choice(), 'agent-job', place)
  const found = await run(text, place, { AGENT_JOB_ID: 'pull-request' })
  expect([found.code, found.files]).toEqual([0, []])
  expect((await asAdmin('GET', '/api/agent-jobs/sentinel/pull-request')).status).toBe(200)
  const missing = await run(text, place, { AGENT_JOB_ID: 'nobody-knows-it' })
  expect([missing.code, missing.output]).toEqual([1, 'docket: There is no such job. Check the project and the ID.\n'])
  for (const id of ['', 'a b', 'x"},{"projectId":"other'])
    expect(await run(text, place, { AGENT_JOB_ID: id })).toMatchObject({
      code: id === '' ? expect.any(Number) : 1,
      requests: [],
    })
})

test('the variable for the token may have any valid name, and no snippet contains the token', () => {
  for (const task of ['export', 'agent-job'] satisfies SnippetTask[])
    for (const place of ['shell', 'github', 'gitlab'] as const) {
      const text = printSnippet(choice({ tokenVariable: 'MY_TOKEN' }), task, place)
      expect(text).toContain('"$MY_TOKEN"')
      expect(text).not.toContain('DOCKET_TOKEN')
    }
})
