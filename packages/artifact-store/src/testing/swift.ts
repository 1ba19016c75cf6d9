import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import type { S3Options } from '#s3/s3-storage.ts'

/**
 * Programs of OpenStack Swift and its cache, as Debian installs them (`swift-proxy swift-account swift-container
 * swift-object swift memcached`).
 */
const programs = [
  'swift-ring-builder',
  'swift-proxy-server',
  'swift-account-server',
  'swift-container-server',
  'swift-object-server',
  'memcached',
].map((name) => `/usr/bin/${name}`)

/** True when this machine has Swift installed. */
export const hasSwift = [...programs, '/etc/swift/swift.conf'].every((file) => existsSync(file))

const storageServers = ['account', 'container', 'object'] as const
const bucket = 'bundles'
const startMs = 60_000

/** A real S3 server on loopback, which verifies signatures, with one bucket. `stop` ends it and removes its data. */
export const startSwift = async (): Promise<{ options: S3Options; stop: () => Promise<void> }> => {
  const folder = await mkdtemp(join(tmpdir(), 'docket-swift-'))
  const [cache, proxy, ...ports] = await freePorts(2 + storageServers.length)
  const place = (name: string) => join(folder, name)
  const running: ChildProcess[] = []
  const start = (program: string, ...args: string[]) => {
    running.push(spawn(`/usr/bin/${program}`, args, { stdio: 'ignore', cwd: folder }))
  }
  const stop = async () => {
    await Promise.all(running.map(ended))
    await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  }
  try {
    await mkdir(place('devices/d1'), { recursive: true })
    for (const [index, name] of storageServers.entries()) {
      const port = ports[index]!
      await writeFile(place(`${name}.conf`), storageConfiguration(name, folder, port))
      await ring(place(`${name}.builder`), port)
      start(`swift-${name}-server`, place(`${name}.conf`))
    }
    await writeFile(place('proxy.conf'), proxyConfiguration(folder, proxy!, cache!))
    start('memcached', '-l', '127.0.0.1', '-p', String(cache), '-u', userInfo().username)
    start('swift-proxy-server', place('proxy.conf'))
    const options: S3Options = {
      bucket,
      endpoint: `http://127.0.0.1:${proxy}`,
      region: 'us-east-1',
      accessKeyId: 'test:tester',
      secretAccessKey: () => 'testing',
    }
    await makeBucket(options)
    return { options, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

const ring = async (builder: string, port: number) => {
  const run = (...args: string[]) => promisify(execFile)('/usr/bin/swift-ring-builder', [builder, ...args])
  await run('create', '4', '1', '1')
  await run('add', `r1z1-127.0.0.1:${port}/d1`, '1')
  await run('rebalance')
}

const shared = (folder: string, port: number) => `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
workers = 0
user = ${userInfo().username}
swift_dir = ${folder}
log_address = /nonexistent
`

const storageConfiguration = (name: string, folder: string, port: number) => `${shared(folder, port)}
devices = ${folder}/devices
mount_check = false
disable_fallocate = true
[pipeline:main]
pipeline = ${name}-server
[app:${name}-server]
use = egg:swift#${name}
`

const proxyConfiguration = (folder: string, port: number, cache: number) => `${shared(folder, port)}
[pipeline:main]
pipeline = catch_errors cache s3api tempauth slo proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:${cache}
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
[filter:slo]
use = egg:swift#slo
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = testing .admin
`

/** The servers are ready when the bucket can be made. */
const makeBucket = async ({ endpoint, region, accessKeyId, secretAccessKey }: S3Options) => {
  const client = new S3Client({
    region,
    endpoint: endpoint!,
    forcePathStyle: true,
    credentials: { accessKeyId, secretAccessKey: secretAccessKey() },
    requestChecksumCalculation: 'WHEN_REQUIRED',
    maxAttempts: 1,
  })
  const until = Date.now() + startMs
  try {
    for (;;) {
      const problem = await client.send(new CreateBucketCommand({ Bucket: bucket })).then(
        () => null,
        (error: unknown) => error,
      )
      if (problem === null) return
      if (Date.now() > until) throw problem
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  } finally {
    client.destroy()
  }
}

const ended = (child: ChildProcess) =>
  new Promise<void>((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve()
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
    child.kill('SIGKILL')
  })

const freePorts = async (count: number) => {
  const servers = await Promise.all(
    Array.from(
      { length: count },
      () =>
        new Promise<ReturnType<typeof createServer>>((resolve, reject) => {
          const server = createServer()
          server.once('error', reject)
          server.listen(0, '127.0.0.1', () => resolve(server))
        }),
    ),
  )
  const ports = servers.map((server) => (server.address() as AddressInfo).port)
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  return ports
}
