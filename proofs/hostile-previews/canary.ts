import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { onEnd } from '#bench/harness/cleanup.ts'

/** Ports that nobody should reach; `reached` names every connection and packet. */
export const openCanary = async () => {
  const reached: string[] = []
  const tcp = createServer((socket) => {
    const at = reached.push('a connection') - 1
    socket.on('data', (data) => (reached[at] = data.toString('latin1').split('\r\n', 1)[0]!))
    socket.on('error', () => {})
  }).listen(0, '127.0.0.1')
  await once(tcp, 'listening')
  const udp = createSocket('udp4').bind(0, '127.0.0.1')
  await once(udp, 'listening')
  udp.on('message', () => reached.push('a packet'))
  onEnd(() => {
    tcp.close()
    udp.close()
  })
  return { reached, port: (tcp.address() as AddressInfo).port, udpPort: udp.address().port }
}
