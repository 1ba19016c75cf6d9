import { createServer } from 'node:http'
import { isIP } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { listenHere } from '#bench/harness/processes.ts'
import { hostileLinks } from '#apps/bff/src/service/admin-api/testing/hostile-links.ts'
import type { DocketClient } from '#apps/bff/src/testing/docket-client.ts'
import type { Proof } from '#proofs/harness/proof.ts'
import { startDocket } from '#proofs/harness/docket.ts'
import type { Fault } from '#proofs/harness/plant.ts'

/** A mark that identifies one payload in any output. */
const toMark = (index: number) => `mark${String(index).padStart(3, '0')}k`

/** The payloads, each with its mark where it does not change what the payload is. */
// Spaces around an address are no part of it.
const payloads = hostileLinks
  .filter((text) => text !== '' && text.trim() === text)
  .map((text, index) => (text.length < 20 ? text : `${text}${/[?#]/.test(text) ? '&' : '?'}${toMark(index)}`))

const fault: Fault = {
  file: 'service/admin-api/safe-link.ts',
  instead: '  if (url === null) return { text, href: null, host: null, label: null }',
  write: '  if (url === null) return { text, href: text, host: null, label: null }',
}

/**
 * An Admin API that puts the payload of a record's number into every text it sends about it, and into its headers. The
 * bundle of an export leads to the payload.
 */
const hostileService = async (): Promise<string> => {
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    const index = Number(/job-(\d+)/.exec(path)?.[1] ?? 0)
    const payload = payloads[index] ?? ''
    const send = (status: number, body: unknown) => {
      // Characters that headers cannot contain would never leave a real service either.
      if (/^[\x20-\x7e]*$/.test(payload))
        response.setHeader('x-payload', payload).setHeader('location', payload).setHeader('retry-after', payload)
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    if (path.startsWith('/v2/'))
      return send(200, {
        id: `job-${index}`,
        status: index % 2 === 0 ? 'completed' : payload,
        source: { repository: payload, ref: payload },
        model: payload,
        prLink: payload,
        createdAt: new Date().toISOString(),
        archivedAt: null,
      })
    if (path.endsWith('/bundle')) return send(200, { bundleUrl: payload })
    if (request.method === 'POST') {
      let text = ''
      request.on('data', (chunk: Buffer) => (text += chunk.toString()))
      return request.on('end', () => {
        const wanted = Number(/^site(\d+)\./.exec((JSON.parse(text) as { domain: string }).domain)?.[1] ?? 0)
        send(200, { jobId: `job-${wanted}` })
      })
    }
    return path.includes('/refused/')
      ? send(422, { error: payload })
      : send(200, { status: 'completed', error: payload })
  })
  return `http://127.0.0.1:${await listenHere(server)}`
}

/** Every value named `href` anywhere in JSON. */
const hrefsIn = (value: unknown): unknown[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([name, field]) => (name === 'href' ? [field] : hrefsIn(field)))

const marks = /mark\d{3}k/

/** True for an address that looks like a presigned link of a public storage. */
const isStorage = (location: string): boolean => {
  const url = URL.parse(location)
  const isName =
    url !== null && isIP(url.hostname.replace(/^\[|\]$/g, '')) === 0 && !/(^|\.)localhost\.?$/.test(url.hostname)
  return isName && url.protocol === 'https:' && url.username === '' && url.password === '' && location === url.href
}

/** Describes where a payload got through. */
const findFaults = async (what: string, response: Response): Promise<string[]> => {
  const location = response.headers.get('location')
  const headers = [...response.headers]
    .filter(([name]) => name !== 'location')
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')
  const body = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
  const hrefs = isJson ? hrefsIn(JSON.parse(body)).filter((href) => href !== null) : []
  return [
    ...hrefs.map((href) => `${what} has the link ${JSON.stringify(href)}`),
    ...(marks.test(headers) ? [`${what} has a payload in a header`] : []),
    ...(location === null || isStorage(location) ? [] : [`${what} redirects to ${location}`]),
    ...(isJson || body === '' ? [] : [`${what} is ${response.headers.get('content-type')}`]),
  ]
}

const checkAgentJobs = async (client: DocketClient): Promise<{ faults: string[]; seen: number }> => {
  const found: string[] = []
  const jobs = payloads.map((_, index) => ({ projectId: 'p', id: `job-${index}` }))
  for (let at = 0; at < jobs.length; at += 50)
    found.push(
      ...(await findFaults('following', await client.post('/api/agent-jobs', { jobs: jobs.slice(at, at + 50) }))),
    )
  let seen = 0
  for (const { id } of jobs) {
    const response = await client.get(`/api/agent-jobs/p/${id}`)
    if (response.status === 200) seen += 1
    found.push(...(await findFaults(`the job ${id}`, response)))
    found.push(...(await findFaults(`the history of ${id}`, await client.get(`/api/agent-jobs/p/${id}/history`))))
  }
  for (const path of ['/api/agent-jobs', '/api/agent-jobs/filters', '/api/activity', '/api/connection', '/api/status'])
    found.push(...(await findFaults(path, await client.get(path))))
  return { faults: found, seen }
}

const checkExports = async (client: DocketClient): Promise<{ faults: string[]; seen: number; sent: number }> => {
  const found: string[] = []
  let [seen, sent] = [0, 0]
  for (const index of payloads.keys()) {
    const started = await client.post('/api/static-exports', {
      requestId: crypto.randomUUID(),
      domain: `site${index}.example.com`,
    })
    if (started.status !== 201) throw new Error(await started.text())
    const {
      export: { exportId },
    } = (await started.json()) as { export: { exportId: string } }
    const path = `/api/static-exports/${exportId}`
    for (let tries = 0; tries < 50; tries += 1) {
      await client.post(`${path}/check`)
      const { state } = (await (await client.get(path)).json()) as { state: string }
      if (state === 'completed') break
      await delay(20)
    }
    const download = await client.get(`${path}/download`)
    if (download.status === 502 || download.status === 303) seen += 1
    if (download.status === 303) sent += 1
    found.push(...(await findFaults(`the download of ${index}`, download)))
    for (const [method, below] of [
      ['post', '/bundle'],
      ['post', '/bundle/prepare'],
      ['get', '/history'],
      ['get', ''],
    ] as const)
      found.push(...(await findFaults(`${below} of ${index}`, await client[method](`${path}${below}`))))
  }
  return { faults: found, seen, sent }
}

/** Hostile texts in every field of the service, through a whole Docket that sends browsers to bundle links. */
export const proof: Proof = {
  name: 'links',
  bar: 'of at least 27 payloads none becomes a link, a redirect, a header or a line of the log',
  fault,
  run: async ({ planted }) => {
    const env = {
      ADMIN_API_URL: await hostileService(),
      ADMIN_API_KEY: 'adm_of-the-links',
      ADMIN_API_CALLS_PER_HOUR: '1000000',
      BUNDLE_DELIVERY: 'redirect',
    }
    const docket = await startDocket(env, planted ? [fault] : [])
    const jobs = await checkAgentJobs(docket.client)
    const exported = await checkExports(docket.client)
    await docket.stop()
    const logged = docket
      .wrote()
      .split('\n')
      .filter((line) => marks.test(line))
    const through = [...jobs.faults, ...exported.faults, ...logged.map((line) => `the log says ${line.slice(0, 200)}`)]
    const first = through.length === 0 ? '' : `, such as: ${through.slice(0, 3).join(' | ')}`
    const played = jobs.seen === payloads.length && exported.seen === payloads.length
    return {
      ok: through.length === 0 && played && payloads.length >= 27,
      figure: `${through.length} times one of ${payloads.length} payloads got through, ${logged.length} into the log (${jobs.seen} shown as text, ${exported.seen - exported.sent} refused as bundle links)${first}`,
    }
  },
}
