import { once } from 'node:events'
import { connect, createServer, type ListenOptions, type Server } from 'node:net'

/** Starts a server that leads each connection to a place, which is a port of this machine or the path of a socket. */
export const relay = async (from: ListenOptions, to: number | string): Promise<Server> => {
  const server = createServer((client) => {
    const far = typeof to === 'number' ? connect(to, '127.0.0.1') : connect(to)
    client.pipe(far).pipe(client)
    client.on('error', () => far.destroy()).on('close', () => far.destroy())
    far.on('error', () => client.destroy()).on('close', () => client.destroy())
  })
  await once(server.listen(from), 'listening')
  return server
}

// As a program of its own: the two ends of the network's only cable, which are files.
if (import.meta.main) {
  const [address = '', port = '', proxy = '', docket = '', docketPort = ''] = process.argv.slice(2)
  await relay({ host: address, port: Number(port) }, proxy)
  await relay({ path: docket }, Number(docketPort))
  console.log('connected')
}
