import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { bombs } from './answers.ts'

const json = (socket: Socket, body: object) => {
  const text = JSON.stringify(body)
  socket.write(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n${text}`)
}

// An Admin API and a storage on one port, of a process of their own, so that what they cost is not taken for Docket's
// slowness. Jobs and exports named `honest…` complete and have a bundle. Those named `trap…` complete as well, but
// their bundle, and everything else that is asked, is the next bomb. `GET /sent` says how often each was sent.
const all = bombs()
const names = Object.keys(all)
const requests = new Map<string, number>(
  names.flatMap((name) => [
    [`service: ${name}`, 0],
    [`storage: ${name}`, 0],
  ]),
)
const turns = { service: 0, storage: 0 }
const sockets = new Set<Socket>()
const piece = Buffer.alloc(1_048_576, 0x62)
const bundlePieces = 64

/** A whole bundle of 64 MiB, as fast as it is taken. */
const bundle = (socket: Socket) => {
  let left = bundlePieces
  const more = (error?: Error | null) => {
    if (!error && !socket.destroyed && (left -= 1) >= 0) socket.write(piece, more)
  }
  socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${bundlePieces * piece.length}\r\n\r\n`, more)
}

const bomb = (socket: Socket, from: 'service' | 'storage') => {
  const name = names[(turns[from] += 1) % names.length]!
  requests.set(`${from}: ${name}`, (requests.get(`${from}: ${name}`) ?? 0) + 1)
  void all[name]!(socket)
}

const answer = (socket: Socket, request: string) => {
  const [line = ''] = request.split('\r\n')
  const host = /^host: (.*)$/im.exec(request)?.[1] ?? ''
  if (line.startsWith('GET /sent ')) return json(socket, Object.fromEntries(requests))
  if (line.includes('/store/honest/')) return bundle(socket)
  if (line.includes('/store/trap/')) return bomb(socket, 'storage')
  if (/^GET .*\/(honest|trap)/.test(line)) return json(socket, { status: 'completed' })
  const store = /^POST .*\/(honest|trap)[^/]*\/bundle /.exec(line)?.[1]
  if (store !== undefined) return json(socket, { bundleUrl: `http://${host}/store/${store}/bundle.tar.gz` })
  const domain = /"domain":"((?:honest|trap)\d+)\./.exec(request)?.[1]
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
