import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { readInput } from './listen.ts'

// Readers that take a large file and keep nothing of it: as fast as it comes, or each no faster than `bytesPerSecond`.
const { url, headers, readers, bytesPerSecond, seconds } = readInput<{
  url: string
  headers: Record<string, string>
  readers: number
  bytesPerSecond?: number
  /** Goes away after so long. */
  seconds?: number
}>()
const { hostname, port, pathname, host } = new URL(url)
const more = Object.entries(headers)
  .map(([name, value]) => `${name}: ${value}\r\n`)
  .join('')
const startMs = performance.now()
let bytes = 0
const statuses: number[] = []

const read = () =>
  new Promise<void>((resolve, reject) => {
    const memory = Buffer.allocUnsafeSlow(bytesPerSecond === undefined ? 524_288 : 65_536)
    let readBytes = 0
    let resuming = false
    const socket = connect({
      host: hostname,
      port: Number(port),
      onread: {
        buffer: memory,
        callback: (count) => {
          if (readBytes === 0) statuses.push(Number(memory.toString('latin1', 9, 12)))
          readBytes += count
          bytes += count
          if (bytesPerSecond === undefined) return true
          const aheadMs = (readBytes / bytesPerSecond) * 1000 - (performance.now() - startMs)
          if (aheadMs <= 0) return true
          if (!resuming) {
            resuming = true
            void delay(aheadMs).then(() => {
              resuming = false
              socket.resume()
            })
          }
          return false
        },
      },
    })
    socket.write(`GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\n${more}Connection: close\r\n\r\n`)
    socket.on('error', reject).on('close', () => resolve())
    if (seconds !== undefined) setTimeout(() => socket.destroy(), seconds * 1000)
  })
await Promise.all(Array.from({ length: readers }, read))
console.log(JSON.stringify({ bytes, seconds: (performance.now() - startMs) / 1000, statuses }))
