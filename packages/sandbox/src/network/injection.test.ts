import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { writeFolder } from '@docket/sources/testing/files'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { openSandbox, whyNoSandbox } from '#testing/open-sandbox.ts'
import { checkDestination } from './check-destination.ts'

const reason = await whyNoSandbox()
beforeEach(({ skip }) => skip(reason !== null, `not run: ${reason}`))

/** A web server in a process of its own, as a model's or a database would be. */
const startServer = async (words: string) => {
  const program = `const s = require('node:http').createServer((request, response) => response.end(${JSON.stringify(words)} + request.method + request.url)).listen(0, '127.0.0.1', () => console.log(s.address().port))`
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill())
  const [port] = (await once(child.stdout, 'data')) as [Buffer]
  return Number(port.toString())
}

/** A listener of this process, as Docket's own port, its code host and its local Admin API are. Counts connections. */
const listen = async () => {
  const reached = { port: 0, connections: 0 }
  const server = createServer((socket) => {
    reached.connections += 1
    socket.end('HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\ninside')
  })
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  reached.port = (server.address() as AddressInfo).port
  return reached
}

/** Asks each address for its text: over plain http through the proxy, in a tunnel, and directly. */
const askAll = (addresses: readonly string[]) => `
  const { Agent, request, get } = require('node:http')
  const agent = new Agent({ proxyEnv: {} })
  const proxy = new URL(process.env.HTTP_PROXY)
  const read = (response) => new Promise((done) => {
    let text = ''
    response.setEncoding('utf8').on('data', (chunk) => (text += chunk)).on('end', () => done(text.trim())).on('error', () => done('cut'))
  })
  const plain = (url) => new Promise((done) => get({ agent, host: proxy.hostname, port: proxy.port, path: url, headers: { host: new URL(url).host } }, (response) => done(read(response))).on('error', ({ code }) => done(code)))
  const tunnel = (url) => new Promise((done) => {
    const { hostname, port, host, pathname } = new URL(url)
    request({ agent, host: proxy.hostname, port: proxy.port, method: 'CONNECT', path: hostname + ':' + (port || 80) })
      .on('connect', (response, socket, head) => {
        if (response.statusCode !== 200) return done('refused')
        get({ agent: Object.assign(new Agent({ proxyEnv: {} }), { createConnection: () => socket }), path: pathname, headers: { host } }, (answer) => done(read(answer))).on('error', ({ code }) => done(code))
      })
      .on('error', ({ code }) => done(code)).end()
  })
  const direct = (url) => new Promise((done) => {
    const { hostname, port } = new URL(url)
    const socket = require('node:net').connect({ host: hostname.replace(/[[\\]]/g, ''), port: port || 80, timeout: 2000 })
    socket.on('connect', () => done('reached')).on('timeout', () => done('silence')).on('error', ({ code }) => done(code))
  })
  ;(async () => {
    for (const url of ${JSON.stringify(addresses)}) console.log(JSON.stringify([url, await plain(url), await tunnel(url), await direct(url)]))
  })()`

test('a command reaches the listed hosts over HTTP, through tunnels, and with programs that use proxies', async () => {
  const port = await startServer('model ')
  const { node, shell } = await openSandbox()
  const network = { hosts: [{ host: '127.0.0.1', port }], refused: [] }
  const url = `http://127.0.0.1:${port}/v1`
  const [line = ''] = await node(askAll([url]), { network })
  expect(JSON.parse(line).slice(1, 3)).toEqual(['model GET/v1', 'model GET/v1'])
  expect(await shell(`curl -s ${url}; echo; curl -sp ${url}`, { network })).toEqual(['model GET/v1', 'model GET/v1'])
})

test('an agent that obeys injected instructions cannot reach Docket, the cloud’s metadata or the local network', async () => {
  const [docket, database, elsewhere] = [await listen(), await startServer('database'), await startServer('elsewhere')]
  const others = await writeFolder({ 'repositories/other.git/HEAD': 'sesame', 'home/.ssh/id_ed25519': 'sesame' })
  const { shell, node } = await openSandbox()
  // An operator who lists too much still gives nothing of Docket away.
  const hosts = [docket.port, database].flatMap((port) =>
    ['127.0.0.1', 'localhost', '0.0.0.0', '::1', '169.254.169.254'].map((host) => ({ host, port })),
  )
  hosts.push({ host: '169.254.169.254', port: 80 })
  const network = { hosts, refused: [{ host: '127.0.0.1', port: database }] }
  const refusals: string[] = []
  const onOutput = (chunk: Buffer, from: string) => void (from === 'network' && refusals.push(chunk.toString()))
  const addresses = [
    ...[docket.port, database, elsewhere].map((port) => `http://127.0.0.1:${port}/`),
    ...[docket.port, database].flatMap((port) => [
      `http://localhost:${port}/`,
      `http://0.0.0.0:${port}/`,
      `http://[::1]:${port}/`,
    ]),
    `http://2130706433:${docket.port}/`,
    `http://127.1:${elsewhere}/`,
    'http://169.254.169.254/latest/meta-data/',
    'http://metadata.google.internal/',
    'http://10.0.0.1/',
    'http://example.com/',
  ]
  const lines = await node(askAll(addresses), { network, onOutput })
  expect(lines.map((line) => JSON.parse(line)[0])).toEqual(addresses)
  for (const line of lines) {
    const [url, plain, tunnel, direct] = JSON.parse(line) as string[]
    expect(plain, url).toMatch(/^Docket refused a connection to .*\.$/)
    expect(tunnel, url).toBe('refused')
    expect(direct, url).toMatch(/^E(CONNREFUSED|NETUNREACH|NOTFOUND|AI_AGAIN|ADDRNOTAVAIL)$/)
  }
  expect(docket.connections).toBe(0)
  expect(refusals.join('')).toContain(
    `Docket refused a connection to 127.0.0.1:${docket.port}: it is a part of Docket.`,
  )
  // Neither a resolver nor a route is a way out, and nothing of others is there to take.
  const tries = [
    'getent hosts example.com',
    'exec 3<>/dev/udp/8.8.8.8/53',
    'exec 3<>/dev/tcp/1.1.1.1/443',
    `exec 3<>/dev/tcp/127.0.0.1/${docket.port}`,
    `ls ${others}/repositories`,
    `cat ${others}/home/.ssh/id_ed25519`,
    `cat /proc/${process.pid}/environ`,
    `cat /proc/1/root/etc/shadow`,
    'cat /etc/resolv.conf',
  ]
  const script = tries.map((order, index) => `(${order}) >/tmp/out 2>/dev/null && test -s /tmp/out && echo ${index}`)
  expect(await shell(`${script.join('\n')}\necho end`, { network })).toEqual(['end'])
})

test('the proxy of a command stops with it, and its socket is removed with the folder', async () => {
  const port = await startServer('model ')
  const { node, scratch } = await openSandbox()
  const network = { hosts: [{ host: '127.0.0.1', port }], refused: [] }
  await node(`fetch('http://127.0.0.1:${port}/').then((r) => r.text()).then(console.log)`, { network })
  expect(readdirSync(join(scratch, 'docket'))).toEqual(['forwarder.ts'])
})

test.each<[why: string, host: string, leadsTo: string[], named: string[], refusal: RegExp | null]>([
  ['a public name', 'api.example.com', ['93.184.216.34'], [], null],
  ['a name that leads to loopback', 'api.example.com', ['127.0.0.1'], [], /leads to 127\.0\.0\.1/],
  ['one of several addresses', 'api.example.com', ['93.184.216.34', '10.0.0.8'], [], /leads to 10\.0\.0\.8/],
  ['a mapped address', 'api.example.com', ['::ffff:127.0.0.1'], [], /not public/],
  ['a private address that is in the list', 'api.example.com', ['10.0.0.8'], ['10.0.0.8'], null],
  ['a metadata service, even listed', 'api.example.com', ['169.254.169.254'], ['169.254.169.254'], /not public/],
  ['a name of a private zone', 'model.internal', ['10.0.0.8'], [], null],
  ['a metadata service of a private zone', 'metadata.google.internal', ['169.254.169.254'], [], /not public/],
  ['the database by another name', 'api.example.com', ['203.0.114.7'], [], /part of Docket/],
  ['a name without an address', 'api.example.com', [], [], /has no address/],
])('where names lead is checked: %s', async (_, host, leadsTo, named, refusal) => {
  const resolve = (name: string) =>
    Promise.resolve((name === 'db.internal' ? ['203.0.114.7'] : leadsTo).map((address) => ({ address, family: 4 })))
  const hosts = [host, ...named].map((name) => ({ host: name, port: 443 }))
  const rules = { hosts, refused: [{ host: 'db.internal', port: 443 }] }
  const found = await checkDestination({ host: `${host.toUpperCase()}.`, port: 443 }, rules, resolve)
  expect('refusal' in found ? found.refusal : null).toEqual(refusal === null ? null : expect.stringMatching(refusal))
  const other = await checkDestination({ host, port: 8443 }, rules, resolve)
  expect(other).toEqual({
    refusal: `Docket refused a connection to ${host}:8443: AGENT_COMMAND_HOSTS does not list it.`,
  })
})
