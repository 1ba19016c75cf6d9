import { Agent, createServer, request as ask, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { onEnd } from '#bench/harness/cleanup.ts'

/** A small load balancer: asks every backend for `/readyz` and sends requests to those that are ready, in turn. */
export type Balancer = {
  url: string
  /** The backends from now on, by address. */
  use: (addresses: readonly string[]) => void
  ready: () => number
}

type Answer = { status: number; headers: IncomingMessage['headers']; body: Buffer }

const lookMs = 200
/** A backend that is slow on a busy machine is not one that is away. */
const slowMs = 30_000

/**
 * Starts one. With `repeatsPosts` it does what some do and none should: every POST is sent to two backends at once, and
 * once more to another where no answer comes.
 */
export const startBalancer = async ({ repeatsPosts }: { repeatsPosts: boolean }): Promise<Balancer> => {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  let backends: readonly string[] = []
  let ready = new Set<string>()
  let turn = 0

  const pass = (to: string, incoming: IncomingMessage, body: Buffer): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const { method = 'GET', url = '/', headers } = incoming
      const outgoing = ask(to + url, { method, headers, agent }, (response) => {
        buffer(response).then(
          (content) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: content }),
          reject,
        )
      })
      outgoing
        // The backend may close a connection at the moment it is used again; then a read is sent anew, as everywhere.
        .on('error', (error) =>
          outgoing.reusedSocket && method === 'GET'
            ? void pass(to, incoming, body).then(resolve, reject)
            : reject(error),
        )
        .end(body)
    })
  const look = async () => {
    const answers = await Promise.all(
      backends.map(async (address) => {
        const answer = await fetch(`${address}/readyz`, { signal: AbortSignal.timeout(slowMs) }).catch(() => null)
        return answer?.status === 200 ? [address] : []
      }),
    )
    ready = new Set(answers.flat())
  }
  const places = (): string[] => {
    const up = backends.filter((address) => ready.has(address))
    turn += 1
    return up.map((_, index) => up[(turn + index) % up.length]!)
  }
  const repeated = async (all: string[], incoming: IncomingMessage, body: Buffer): Promise<Answer> => {
    const answers = await Promise.allSettled(all.map((address) => pass(address, incoming, body)))
    const first = answers.find((answer) => answer.status === 'fulfilled')
    return first?.value ?? pass(places()[0] ?? all[0]!, incoming, body)
  }
  const serve = async (incoming: IncomingMessage, response: ServerResponse) => {
    const body = await buffer(incoming)
    const all = places()
    const [first] = all
    if (first === undefined) return response.writeHead(502).end('no backend is ready\n')
    const isPost = incoming.method === 'POST'
    const {
      status,
      headers,
      body: content,
    } = repeatsPosts && isPost ? await repeated(all, incoming, body) : await pass(first, incoming, body)
    return response.writeHead(status, headers).end(content)
  }
  const server = createServer((incoming, response) => {
    serve(incoming, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(502).end(`${String(error)}\n`)
    })
  }).listen(0, '127.0.0.1')
  // On a busy machine, clients would use connections that time out at that moment. Browsers repeat such requests.
  server.keepAliveTimeout = 0
  await once(server, 'listening')
  const looking = setInterval(() => void look(), lookMs)
  onEnd(async () => {
    clearInterval(looking)
    agent.destroy()
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    use: (addresses) => void (backends = addresses),
    ready: () => ready.size,
  }
}
