import type { AdminApi } from '#apps/bff/src/admin-api/admin-api.ts'
import { hostileAdminApi, replyJson, type HeardRequest } from '#apps/bff/src/admin-api/testing/hostile-admin-api.ts'
import { hostileIds, pathTemplates, refusedIds, readSegment } from '#apps/bff/src/admin-api/testing/hostile-ids.ts'
import { onEnd } from '#bench/harness/cleanup.ts'
import type { Proof } from '#proofs/harness/proof.ts'
import { plant, type Fault } from '#proofs/harness/plant.ts'

/** One call with hostile ids: how it must look on the line, and the ids a service must read there, by segment. */
type Try = {
  call: (api: AdminApi) => Promise<unknown>
  method: 'GET' | 'POST'
  template: RegExp
  segments: [index: number, id: string][]
  refused: boolean
}

const faults: Fault[] = [
  { file: 'transport/upstream-path.ts', instead: 'return encodeURIComponent(id)', write: 'return id' },
  {
    file: 'transport/upstream-path.ts',
    instead:
      '  if (parsed === null || parsed.origin !== origin || parsed.pathname !== pathname || parsed.href !== origin + path) {',
    write: '  if (false) {',
  },
  { file: 'transport/upstream-path.ts', instead: '  if (!isUpstreamId(id)) {', write: '  if (false) {' },
]

const pieces = [
  '..',
  '.',
  '/',
  '\\',
  '%2e',
  '%2f',
  '%5c',
  '?',
  '#',
  ';',
  '@',
  ':',
  ' ',
  '%00',
  '%',
  'job',
  '\u2215',
  '\u3002',
]
const built = pieces
  .flatMap((one) => pieces.flatMap((two) => [`${one}${two}`, `a${one}b${two}c`]))
  .filter((id) => id !== '..')
const isRefused = (...ids: string[]) => ids.some((id) => refusedIds.includes(id))

const listJobTries = (): Try[] => {
  const all = [...hostileIds, ...refusedIds]
  const crossed = all.flatMap((projectId) => all.map((id): [string, string] => [projectId, id]))
  const pairs = [
    ...crossed,
    ...built.flatMap((id): [string, string][] => [
      [id, 'job-1'],
      ['project-1', id],
    ]),
  ]
  return pairs.map(([projectId, id]) => ({
    call: (api) => api.getAgentJob({ projectId, id }),
    method: 'GET',
    template: pathTemplates.agentJob,
    segments: [
      [4, projectId],
      [6, id],
    ],
    refused: isRefused(projectId, id),
  }))
}

const listExportTries = (): Try[] =>
  [...hostileIds, ...refusedIds, ...built].flatMap((jobId): Try[] => {
    const both = { segments: [[5, jobId]] satisfies Try['segments'] as Try['segments'], refused: isRefused(jobId) }
    return [
      { ...both, call: (api) => api.getStaticExport(jobId), method: 'GET', template: pathTemplates.staticExport },
      { ...both, call: (api) => api.generateBundle(jobId), method: 'POST', template: pathTemplates.bundle },
    ]
  })

const stays = (request: HeardRequest, { method, template, segments }: Try): boolean => {
  if (request.method !== method || !template.test(request.path)) return false
  if (URL.parse(`http://h${request.path}`)?.pathname !== request.path) return false
  try {
    return segments.every(([index, id]) => readSegment(request.path, index) === id)
  } catch {
    return false
  }
}

/**
 * Every hostile id, and every pair of them, through the real client against a server that writes down raw request
 * lines.
 */
export const proof: Proof = {
  name: 'ids',
  bar: 'of at least 1,900 hostile combinations of ids none leaves the four path templates',
  faults,
  run: async ({ planted }) => {
    if (planted) plant(faults)
    const { httpAdminApi } = await import('#apps/bff/src/admin-api/http-admin-api.ts')
    const service = await hostileAdminApi(replyJson(200, { status: 'queued', bundleUrl: 'https://store.example/b' }))
    onEnd(service.close)
    const api = httpAdminApi({ baseUrl: `${service.baseUrl}/base`, key: () => 'adm_of-the-ids' })
    onEnd(api.close)
    const tries = [...listJobTries(), ...listExportTries()]
    let [sent, left, lost] = [0, 0, 0]
    for (const one of tries) {
      const before = service.heard.length
      await one.call(api).catch(() => {})
      const heard = service.heard.slice(before)
      sent += heard.length
      if (one.refused ? heard.length > 0 : heard.length > 1 || !heard.every((request) => stays(request, one))) left += 1
      else if (heard.length === 0 && !one.refused) lost += 1
    }
    return {
      ok: left === 0 && lost === 0 && tries.length >= 1_900,
      figure: `${left} of ${tries.length} combinations left the templates (${sent} sent, ${lost} that could have been sent were not)`,
    }
  },
}
