import { Agent, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'

/** What readers saw. */
export type Seen = { pages: number; versions: Set<string>; mixed: number; missing: number; failedResumes: number }

type Answer = { status: number; headers: Record<string, string | string[] | undefined>; body: Buffer }

/** A browser with a cookie of its own, which asks another of `ports` each time. It notes in `seen` what it gets. */
export const openReader = (ports: readonly number[], seen: Seen, first: number) => {
  const agent = new Agent({ keepAlive: true })
  let cookie = ''
  let turn = first
  const get = (path: string, headers: Record<string, string>): Promise<Answer> =>
    new Promise((resolve, reject) => {
      turn += 1
      const port = ports[turn % ports.length]!
      const host = `docs-example-com.localhost:${port}`
      request({ host: '127.0.0.1', port, path, agent, headers: { host, cookie, ...headers } }, (response) => {
        const [set] = response.headers['set-cookie'] ?? []
        if (set !== undefined) cookie = set.split(';', 1)[0]!
        buffer(response).then(
          (body) => resolve({ status: response.statusCode!, headers: response.headers, body }),
          reject,
        )
      })
        .on('error', reject)
        .end()
    })
  const loadPart = async (path: string, version: string) => {
    const { status, body } = await get(path, { 'sec-fetch-dest': 'script', 'sec-fetch-site': 'same-origin' })
    if (status !== 200) seen.missing += 1
    else if (!new RegExp(`\\b${version}\\b`).test(body.toString())) seen.mixed += 1
  }
  /** Downloads a file in two parts. Both ends of it name its release. */
  const resume = async (path: string) => {
    const dest = { 'sec-fetch-dest': 'document' }
    const begun = await get(path, { ...dest, range: 'bytes=0-19999' })
    await delay(50)
    const rest = { ...dest, range: 'bytes=20000-', 'if-range': String(begun.headers['etag']) }
    const ended = await get(path, rest)
    const isWhole = begun.status === 206 && ended.status === 206 && begun.headers['etag'] === ended.headers['etag']
    if (!isWhole || begun.body[0] !== ended.body.at(-1)) seen.failedResumes += 1
  }
  return {
    /** Loads the page, what it needs, and two downloads that break off half way. */
    load: async () => {
      const { status, body } = await get('/', { 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate' })
      const [, version] = /<title>(\d)</.exec(body.toString()) ?? []
      seen.pages += 1
      if (status !== 200 || version === undefined) {
        seen.missing += 1
        return
      }
      seen.versions.add(version)
      await Promise.all(['/style.css', '/data.json'].map((path) => loadPart(path, version)))
      const script = await get(`/app.3f2a9c1${version}.js`, { 'sec-fetch-dest': 'script' })
      if (script.status !== 200) seen.missing += 1
      await Promise.all(['/large.bin', '/picture.png'].map(resume))
    },
    close: () => agent.destroy(),
  }
}
