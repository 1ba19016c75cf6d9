import { createServer, request as forward, type IncomingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'
import { listenHere } from '#bench/harness/processes.ts'

/** A request as Docket got it, and the answer. `status` is 0 before it. */
export type Seen = {
  host: string
  method: string
  path: string
  headers: IncomingHttpHeaders
  status: number
  answer: IncomingHttpHeaders
}

/** Stands between the browser and Docket, changes nothing, and notes every request. Call `use` with Docket's port first. */
export const recordingProxy = async () => {
  const seen: Seen[] = []
  let docketPort = 0
  const note = (headers: IncomingHttpHeaders, method = '', path = ''): Seen => {
    const one = { host: headers.host ?? '', method, path, headers, status: 0, answer: {} }
    seen.push(one)
    return one
  }
  const server = createServer({ maxHeaderSize: 1_048_576 }, (incoming, outgoing) => {
    const { method, url, headers } = incoming
    const one = note(headers, method, url)
    const asked = forward({ host: '127.0.0.1', port: docketPort, method, path: url, headers })
    asked.on('error', () => outgoing.destroy())
    asked.on('response', (response) => {
      one.status = response.statusCode ?? 0
      one.answer = response.headers
      outgoing.writeHead(one.status, response.headers)
      response.on('error', () => outgoing.destroy()).pipe(outgoing)
    })
    incoming.pipe(asked)
  })
  server.on('upgrade', ({ method, url, headers }, socket) => {
    note(headers, method, url)
    socket.destroy()
  })
  return { seen, port: await listenHere(server), use: (port: number) => void (docketPort = port) }
}

/** Something that a hostile page sent home. */
export type Loot = { page: number; what: string; text: string }

/** The server that hostile pages send home to. */
export const openCollector = async () => {
  const loot: Loot[] = []
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      if (request.method === 'POST') loot.push(JSON.parse(body) as Loot)
      response.writeHead(204).end()
    })
  })
  return { loot, url: `http://127.0.0.1:${await listenHere(server)}/` }
}
