/** Runs inside the sandbox: passes connections of a loopback port on to the socket of the proxy outside. */
import { connect, createServer } from 'node:net'

const [port = '', socketPath = ''] = process.argv.slice(2)

createServer({ allowHalfOpen: true }, (client) => {
  const proxy = connect({ path: socketPath, allowHalfOpen: true })
  client.pipe(proxy).pipe(client)
  client.on('error', () => proxy.destroy())
  proxy.on('error', () => client.destroy())
  client.on('close', () => proxy.destroy())
  proxy.on('close', () => client.destroy())
}).listen(Number(port), '127.0.0.1', () => process.stdout.write('ready\n'))
