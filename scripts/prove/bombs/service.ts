import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { bombs } from './answers.ts'

const json = (socket: Socket, body: object) => {
  const text = JSON.stringify(body)
  socket.write(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n${text}`)
}

// An Admin API and a storage on one port, of a process of their own, so that what they cost is not taken for Docket's slowness. Jobs and
// exports named `honest…` complete, and the links of their bundles lead to the storage; it, and everything else that is asked, answers
// with the next bomb. `GET /sent` says how often each was sent.
const all = bombs()
const names = Object.keys(all)
const sent = new Map<string, number>(
  names.flatMap((name) => [
    [`service: ${name}`, 0],
    [`storage: ${name}`, 0],
  ]),
)
const turns = { service: 0, storage: 0 }
const sockets = new Set<Socket>()

const bomb = (socket: Socket, from: 'service' | 'storage') => {
  const name = names[(turns[from] += 1) % names.length]!
  sent.set(`${from}: ${name}`, (sent.get(`${from}: ${name}`) ?? 0) + 1)
  void all[name]!(socket)
}

const answer = (socket: Socket, request: string) => {
  const [line = ''] = request.split('\r\n')
  const host = /^host: (.*)$/im.exec(request)?.[1] ?? ''
  if (line.startsWith('GET /sent ')) return json(socket, Object.fromEntries(sent))
  if (line.includes('/store/')) return bomb(socket, 'storage')
  if (/^GET .*\/honest/.test(line)) return json(socket, { status: 'completed' })
  if (/^POST .*\/honest[^/]*\/bundle /.test(line))
    return json(socket, { bundleUrl: `http://${host}/store/bundle.tar.gz` })
  const domain = /"domain":"(honest\d+)\./.exec(request)?.[1]
  return domain === undefined ? bomb(socket, 'service') : json(socket, { jobId: domain })
}

const server = createServer((socket) => {
  let heard = ''
  sockets.add(socket)
  socket.on('error', () => socket.destroy()).on('close', () => void sockets.delete(socket))
  socket.on('data', (bytes) => {
    heard += bytes.toString('latin1')
    const end = heard.indexOf('\r\n\r\n')
    const length = Number(/content-length: (\d+)/i.exec(heard)?.[1] ?? 0)
    if (end < 0 || heard.length < end + 4 + length) return
    const request = heard
    heard = ''
    answer(socket, request)
  })
}).listen(0, '127.0.0.1')
await once(server, 'listening')
console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port} `)
