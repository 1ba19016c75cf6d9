import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { Profiler } from 'node:inspector'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { endAll, endOnSignal } from '#bench/harness/cleanup.ts'
import { siteAdmin } from '#bench/harness/hosted-site.ts'
import { launchHere } from '#bench/harness/processes.ts'
import type { AgentJob } from '#packages/api-types/src/records/agent-jobs.ts'
import type { SentAgentPrompt } from '#packages/api-types/src/records/agent-prompts.ts'
import type { StartedStaticExport, StaticExportList } from '#packages/api-types/src/records/static-exports.ts'
import type { Site } from '#packages/api-types/src/releases/sites.ts'
import { startDocket, temporaryFolder } from '#proofs/harness/docket.ts'
import { findCalled, root } from './called.ts'

const { values } = parseArgs({
  options: { files: { type: 'boolean', default: false }, write: { type: 'boolean', default: false } },
})

const pollMs = 1_000
/** Longer than the minute of most recurring work. */
const idleMs = 70_000

const load = (path: string) => `--import=${pathToFileURL(join(root, path)).href}`

const readJson = async <T>(response: Response): Promise<T> => {
  if (!response.ok) throw new Error(`${response.url} was answered ${response.status} ${await response.text()}`)
  return (await response.json()) as T
}

const union = (sets: readonly Set<string>[]) => new Set(sets.flatMap((set) => [...set]))

/** Starts a server with a small site. `takeFiles` gives the product files of which a function ran since it was last called. */
const startMeasured = async () => {
  const docket = await startDocket(
    { LOCAL_SITES: `docs.localhost=${join(root, 'e2e/fixture')}`, LOG_LEVEL: 'info' },
    [],
    undefined,
    [load('proofs/walks/coverage.ts'), load('packages/doc-agent/src/testing/scripted-agent.ts')],
  )
  const [, port] = /coverage at port (\d+)/.exec(docket.wrote())!
  const takeFiles = async () => new Set(await readJson<string[]>(await fetch(`http://127.0.0.1:${port}`)))
  return { docket, takeFiles }
}

/** Files that ran at the start, in a minute without a request, and in each story. */
const playStories = async () => {
  const { docket, takeFiles } = await startMeasured()
  const { client } = docket
  const get = async <T>(path: string) => readJson<T>(await client.get(path))
  const post = async <T>(path: string, body: object) =>
    readJson<T>(await client.post(path, { requestId: randomUUID(), ...body }))
  /** Polls as a page does. */
  const waitFor = async <T>(path: string, isDone: (record: T) => boolean) => {
    while (!isDone(await get<T>(path))) await delay(pollMs)
  }
  await get('/api/static-exports')
  const atStart = await takeFiles()
  await delay(idleMs)
  const idle = await takeFiles()
  const play = async <T>(story: () => Promise<T>) => ({ result: await story(), files: await takeFiles() })

  const list = await play(() => get('/api/static-exports'))
  const click = await play(() => post<StartedStaticExport>('/api/static-exports', { domain: 'docs.localhost' }))
  const { exportId } = click.result.export
  const path = `/api/static-exports/${exportId}`
  const stored = await play(() =>
    waitFor<StaticExportList>('/api/static-exports', ({ items }) =>
      items.some(({ artifact }) => artifact?.state === 'stored' && artifact.check !== null),
    ),
  )
  const download = await play(async () => {
    const response = await client.get(`${path}/download`)
    if (response.status !== 200) throw new Error(`The download was answered ${response.status}`)
    await response.arrayBuffer()
  })
  const publication = await play(async () => {
    const { siteId } = await get<Site>(`${path}/site`)
    await siteAdmin(client).publish(siteId, 'production', exportId)
  })
  const prompt = await play(() =>
    post<SentAgentPrompt>('/api/agent-prompts', { projectId: 'docs', prompt: 'Replace "Docket" with "The console"' }),
  )
  const job = await play(() =>
    waitFor<AgentJob>(`/api/agent-jobs/docs/${prompt.result.prompt.jobId}`, ({ prLink }) => prLink !== null),
  )
  await docket.stop()
  return { atStart, idle, list, click, stored, download, publication, prompt, job }
}

/** Files that run when the exporter exports pages and an OpenAPI document. */
const playExporter = async () => {
  const folder = temporaryFolder()
  const args = ['packages/site-exporter/src/site-export.ts', 'scripts/sites/fixture'].map((path) => join(root, path))
  const reports = join(folder, 'coverage')
  const { ended } = launchHere(process.execPath, [...args, join(folder, 'site')], {
    env: { NODE_V8_COVERAGE: reports },
  })
  const { code, stderr } = await ended
  if (code !== 0) throw new Error(`The exporter failed:\n${stderr}`)
  const scripts = readdirSync(reports).flatMap(
    (name) => (JSON.parse(readFileSync(join(reports, name), 'utf8')) as { result: Profiler.ScriptCoverage[] }).result,
  )
  return new Set(findCalled(scripts))
}

/** Steps of a walk of `docs/architecture.md` that are files of the server or a package. */
const readSteps = (markdown: string, title: string): string[] => {
  const section = markdown.split('\n## ').find((text) => text.startsWith(`${title}\n`)) ?? ''
  return [...section.matchAll(/^\d+\. `((?:apps\/bff|packages)\/[^`]+)`/gm)].map(([, path = '']) => path)
}

const count = async () => {
  const { atStart, idle, list, click, stored, download, publication, prompt, job } = await playStories()
  const exporter = await playExporter()
  const wholeExport = union([click.files, stored.files, download.files])
  const wholeJob = union([prompt.files, job.files])
  const rows = Object.entries({
    'One poll of the list': list.files,
    'Click on _Start export_, until it is answered': click.files,
    'From there until the bundle is stored and checked': stored.files,
    Download: download.files,
    '**Click to download, all of it**': wholeExport,
    Publishing: publication.files,
    'Agent prompt, until it is answered': prompt.files,
    'From there until the job has a pull request': job.files,
    '**Prompt to pull request, all of it**': wholeJob,
  }).map(([title, files]) => ({ title, all: files.size, own: [...files].filter((file) => !idle.has(file)).toSorted() }))
  const sections = {
    'An export, from click to download': wholeExport,
    'A job, to its pull request': wholeJob,
    'The admin key': union([atStart, wholeExport]),
    'A page, from source to HTML': union([exporter, wholeExport]),
  }
  return { idle, rows, sections }
}

const document = join(root, 'docs', 'architecture.md')
const [begin, end] = ['<!-- `pnpm walks --write` counts these. -->\n', '<!-- End of the counts. -->']

endOnSignal()
try {
  const { idle, rows, sections } = await count()
  console.log(`${idle.size} files run in ${idleMs / 1000} s without a request`)
  for (const { title, all, own } of rows) {
    console.log(`${String(all).padStart(4)} files, ${own.length} of them not without a request: ${title}`)
    if (values.files) console.log(own.map((file) => `       ${file}`).join('\n'))
  }
  const markdown = readFileSync(document, 'utf8')
  for (const [title, files] of Object.entries(sections)) {
    const absent = readSteps(markdown, title).filter((path) => !files.has(path))
    console.log([`\n${title}: ${absent.length} named files ran no function`, ...absent].join('\n  '))
  }
  if (values.write) {
    const table = [
      '| What happens | Files | of them not without a request |',
      '| --- | --- | --- |',
      ...rows.map(({ title, all, own }) => `| ${title} | ${all} | ${own.length} |`),
    ].join('\n')
    const [before, rest] = markdown.split(begin)
    const after = rest?.split(end)[1]
    if (after === undefined) throw new Error(`${document} has no place for the counts`)
    writeFileSync(document, `${before}${begin}\n${table}\n\n${end}${after}`)
  }
} finally {
  await endAll()
}
