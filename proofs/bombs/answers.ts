import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { brotliCompressSync, constants, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'

/** Answers a request on a connection, for as long as somebody listens. */
type Bomb = (socket: Socket) => void | Promise<void>

const head = (headers: string, status = '200 OK') =>
  `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\n${headers}\r\n`
const megabyte = Buffer.alloc(1_048_576, 0x20)
/** A good answer to every call, were it not so large: 192 MiB. */
const large = Buffer.concat([
  Buffer.from('{"status":"completed","jobId":"e","pad":"'),
  Buffer.alloc(192 * megabyte.length, 0x61),
  Buffer.from('"}'),
])

const whole = (body: Buffer | string, headers = ''): Bomb => {
  const bytes = Buffer.from(body)
  return (socket) =>
    void socket.write(Buffer.concat([Buffer.from(head(`${headers}content-length: ${bytes.length}\r\n`)), bytes]))
}

/** Writes `piece` again and again, as fast as it is taken, after `first`. */
const endless =
  (first: string, piece: Buffer | string): Bomb =>
  (socket) => {
    const more = (error?: Error | null) => {
      if (!error && !socket.destroyed) socket.write(piece, more)
    }
    socket.write(first, more)
  }

/** Writes one piece after the other, slowly. */
const drip =
  (first: string, piece: string): Bomb =>
  async (socket) => {
    socket.write(first)
    while (!socket.destroyed) {
      socket.write(piece)
      await delay(25)
    }
  }

const chunk = Buffer.concat([Buffer.from('100000\r\n'), megabyte, Buffer.from('\r\n')])
const chunked = head('transfer-encoding: chunked\r\n')
const deep = (open: string, close: string, depth: number) => `{"status":${open.repeat(depth)}1${close.repeat(depth)}}`

/** What a hostile service or storage may answer, by name. */
export const bombs = (): Readonly<Record<string, Bomb>> => ({
  'endless body': endless(chunked, chunk),
  'endless body without a length': endless(head(''), megabyte),
  'body of ten gigabytes': endless(head('content-length: 10737418240\r\n'), megabyte),
  'endless tiny chunks': endless(chunked, '1\r\n \r\n'.repeat(10_000)),
  'endless chunk extension': endless(`${chunked}1;`, 'x'.repeat(65_536)),
  'endless trailers': endless(`${chunked}0\r\n`, 'x-a: 1234567890\r\n'.repeat(4_000)),
  'endless headers': endless('HTTP/1.1 200 OK\r\n', 'x-a: 1234567890\r\n'.repeat(4_000)),
  'endless header': endless('HTTP/1.1 200 OK\r\nx-a: ', 'x'.repeat(65_536)),
  'endless early hints': endless('', 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'.repeat(500)),
  'endless status line': endless('HTTP/1.1 200 ', 'x'.repeat(65_536)),
  'endless redirects': (socket) =>
    void socket.write(head('location: /v1/static-export/jobs/again\r\ncontent-length: 0\r\n', '302 Found')),
  'nothing at all': () => {},
  'headers and nothing': (socket) => void socket.write(head('content-length: 100\r\n')),
  'dripping headers': drip('HTTP/1.1 200 OK\r\nx-a: ', 'x'),
  'dripping body': drip(chunked, '1\r\n \r\n'),
  'gzip bomb': whole(gzipSync(large), 'content-encoding: gzip\r\n'),
  'brotli bomb': whole(
    brotliCompressSync(large, { params: { [constants.BROTLI_PARAM_QUALITY]: 2 } }),
    'content-encoding: br\r\n',
  ),
  'deflate bomb': whole(deflateSync(large), 'content-encoding: deflate\r\n'),
  'zstd bomb': whole(zstdCompressSync(large), 'content-encoding: zstd\r\n'),
  'twice gzip bomb': whole(gzipSync(gzipSync(large)), 'content-encoding: gzip, gzip\r\n'),
  'deep lists': whole(deep('[', ']', 500_000)),
  'deep objects': whole(deep('{"a":', '}', 170_000)),
  'many objects': whole(`[${'{},'.repeat(340_000)}1]`),
  'many fields': whole(`{${Array.from({ length: 60_000 }, (_, at) => `"field${at}":1`).join()},"status":"completed"}`),
  'large text': whole(JSON.stringify({ status: 'x'.repeat(1_000_000), model: 'y', jobId: 'e' })),
  'many numbers': whole(`{"status":"x","progress":[${'1,'.repeat(500_000)}1]}`),
})
