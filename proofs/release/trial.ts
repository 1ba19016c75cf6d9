import { spawn } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'

// Runs inside the sandbox, with the Node of the release and nothing else: `node trial.ts <command of Docket>…`. Starts
// it, signs in, exports a site, downloads the bundle, stops it, and prints what it saw as JSON in the last line.

const [command = '', ...args] = process.argv.slice(2)
const address = 'http://127.0.0.1:3000'
const limitMs = 300_000

const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
let wrote = ''
for (const stream of [child.stdout, child.stderr])
  stream.setEncoding('utf8').on('data', (text: string) => void (wrote += text))
const ended = once(child, 'exit').then(([code]) => code as number | null)

const send = async (method: string, path: string, cookie: string, body?: unknown): Promise<Response> => {
  const headers = { origin: address, 'sec-fetch-site': 'same-origin', 'x-docket': '1' }
  const response = await fetch(address + path, {
    method,
    redirect: 'manual',
    headers: { ...headers, cookie, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (response.ok) return response
  throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
}

const waitFor = async <Value>(name: string, look: () => Promise<Value | null> | Value | null): Promise<Value> => {
  for (const until = Date.now() + limitMs; Date.now() < until;) {
    const found = await look()
    if (found !== null) return found
    if (child.exitCode !== null) throw new Error(`Docket ended with ${child.exitCode} before ${name}`)
    await delay(100)
  }
  throw new Error(`no ${name} within ${limitMs / 1000} s`)
}

const tryOut = async () => {
  const startMs = performance.now()
  await waitFor('its address', () => (wrote.includes('Docket is ready at') ? true : null))
  const readyMs = Math.round(performance.now() - startMs)
  const page = await (await fetch(address)).text()
  const signedIn = await send('POST', '/api/auth/sign-in/password', '', {
    email: process.env['SETUP_ADMIN_EMAIL'],
    password: process.env['SETUP_ADMIN_PASSWORD'],
  })
  const cookie = signedIn.headers.getSetCookie()[0]?.split(';', 1)[0] ?? ''
  const started = (await (
    await send('POST', '/api/static-exports', cookie, { requestId: randomUUID(), domain: 'docs.localhost' })
  ).json()) as { export: { exportId: string } }
  const path = `/api/static-exports/${started.export.exportId}`
  const state = await waitFor('end of the export', async () => {
    const { state: now } = (await (await send('GET', path, cookie)).json()) as { state: string }
    return ['completed', 'failed'].includes(now) ? now : null
  })
  const bundle = Buffer.from(await (await send('GET', `${path}/download`, cookie)).arrayBuffer())
  const sha256 = createHash('sha256').update(bundle).digest('hex')
  return {
    readyMs,
    page: page.includes('<script'),
    state,
    bundleBytes: bundle.length,
    isGzip: bundle.readUInt16BE(0) === 0x1f8b,
    sha256,
  }
}

const seen = await tryOut().catch((error: unknown) => ({ problem: String(error) }))
child.kill('SIGTERM')
const late = setTimeout(() => child.kill('SIGKILL'), 60_000)
const exitCode = await ended
clearTimeout(late)
process.stdout.write(`${wrote}\n${JSON.stringify({ ...seen, exitCode, uid: process.getuid?.() })}\n`)
