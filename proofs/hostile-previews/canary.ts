import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { listenHere } from '#bench/harness/processes.ts'
import { onEnd } from '#bench/harness/cleanup.ts'

/** Ports that nobody should reach; `reached` names every connection and packet. */
export const openCanary = async () => {
  const reached: string[] = []
  const tcp = createServer((socket) => {
    const at = reached.push('a connection') - 1
    socket.on('data', (data) => (reached[at] = data.toString('latin1').split('\r\n', 1)[0]!))
    socket.on('error', () => {})
  })
  const udp = createSocket('udp4').bind(0, '127.0.0.1')
  await once(udp, 'listening')
  udp.on('message', () => reached.push('a packet'))
  onEnd(() => void udp.close())
  return { reached, port: await listenHere(tcp), udpPort: udp.address().port }
}
