import { once } from 'node:events'
import { stat, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { inspect } from 'node:util'
import { expect, onTestFinished, test, vi } from 'vitest'
import { StorageFailed, StorageFull } from '#object-storage.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { toStorageFailed, createS3Storage } from './s3-storage.ts'

const canary = 'canary-of-the-secret-key'

const storageAt = (endpoint: string, idleMs?: number) => {
  const storage = createS3Storage(
    { bucket: 'bundles', endpoint, region: 'us-east-1', accessKeyId: 'docket', secretAccessKey: () => canary },
    () => new Date(),
    idleMs,
  )
  onTestFinished(() => storage.close())
  return storage
}

const serverThat = async (answer: RequestListener) => {
  const server = createServer((request, response) => {
    request.resume()
    request.on('end', () => answer(request, response))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const catchError = async (work: Promise<unknown>): Promise<Error> =>
  work.then(
    () => new Error('nothing went wrong'),
    (error: Error) => error,
  )

const xml = (code: string) => `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${canary}</Message></Error>`

test.each([
  [403, xml('AccessDenied'), 'it refused the access key, or what the key may do'],
  [404, xml('NoSuchBucket'), 'there is no such bucket'],
  [507, xml('QuotaExceeded'), 'it is full'],
  [200, '<html>Welcome</html>', 'did not keep the whole of the bundle'],
])(
  'an upload that the store answers with %i fails with a readable message that contains no secret',
  async (status, body, reason) => {
    const storage = storageAt(await serverThat((_, response) => response.writeHead(status).end(body)))
    const file = join(await temporaryFolder(), 'bundle.tar.gz')
    await writeFile(file, 'content')
    const problem = await catchError(storage.put('job/bundle.tar.gz', file))
    expect(problem.message).toContain(reason)
    expect(inspect(problem, { depth: null, showHidden: true })).not.toContain(canary)
  },
)

test('an unreachable store is named as the reason, and the local bundle stays', async () => {
  const storage = storageAt('http://127.0.0.1:1')
  const file = join(await temporaryFolder(), 'bundle.tar.gz')
  await writeFile(file, 'content')
  const problem = await catchError(storage.put('job/bundle.tar.gz', file))
  expect(problem.message).toBe(
    'The object storage did not keep the bundle: it cannot be reached: nothing listens there (ECONNREFUSED).',
  )
  expect(await catchError(writeFile(file, 'still here', { flag: 'r+' }))).toMatchObject({
    message: 'nothing went wrong',
  })
})

test('an interrupted upload is retried from its first byte', async () => {
  const bodies: number[] = []
  const endpoint = await serverThat((request, response) => {
    if (request.method === 'HEAD') return void response.writeHead(200, { 'content-length': 7 }).end()
    bodies.push(Number(request.headers['content-length']))
    if (bodies.length === 1) response.destroy()
    else response.writeHead(200).end()
  })
  const file = join(await temporaryFolder(), 'bundle.tar.gz')
  await writeFile(file, 'content')
  await storageAt(endpoint).put('job/bundle.tar.gz', file)
  expect(bodies).toEqual([7, 7])
})

test('a link contains no secret and opens only one object', async () => {
  const storage = storageAt('https://s3.example.com')
  const link = new URL(await storage.link('job/bundle.tar.gz', new Date(Date.now() + 60_000)))
  expect(link.pathname).toBe('/bundles/job/bundle.tar.gz')
  expect(Number(link.searchParams.get('X-Amz-Expires'))).toBeLessThanOrEqual(60)
  expect(link.href).not.toContain(canary)
})

const tenBytes = { start: 10, end: 19 }
const wrongAnswers: [name: string, answer: RequestListener][] = [
  [
    'half',
    (_, response) =>
      response
        .writeHead(206, { 'content-length': 10, 'content-range': 'bytes 10-19/99' })
        .write('half', () => response.destroy()),
  ],
  [
    'a shorter part',
    (_, response) => response.writeHead(206, { 'content-length': 4, 'content-range': 'bytes 10-13/99' }).end('four'),
  ],
  [
    'another part',
    (_, response) =>
      response.writeHead(206, { 'content-length': 10, 'content-range': 'bytes 0-9/99' }).end('0123456789'),
  ],
  ['the whole', (_, response) => response.writeHead(200, { 'content-length': 30 }).end('x'.repeat(30))],
  [
    'as much as it likes',
    (_, response) => response.writeHead(206, { 'content-range': 'bytes 10-19/99' }).end('x'.repeat(30)),
  ],
  [
    'nothing more',
    (_, response) => response.writeHead(206, { 'content-length': 10, 'content-range': 'bytes 10-19/99' }).write('half'),
  ],
  ['500', (_, response) => response.writeHead(500).end()],
  ['a page', (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Welcome</html>')],
  ['416', (_, response) => response.writeHead(416).end(xml('InvalidRange'))],
]

test.each(wrongAnswers)(
  'reading from a store that sends %s fails instead of returning a wrong copy',
  async (_, answer) => {
    const storage = storageAt(await serverThat(answer), 200)
    const read = async () => buffer((await storage.read('sha256/a/bundle', tenBytes))!)
    const problem = await catchError(read())
    expect(problem).toBeInstanceOf(StorageFailed)
    expect(inspect(problem, { depth: null, showHidden: true })).not.toContain(canary)
  },
)

test('a reader may pause longer than the store’s timeout', async () => {
  const bytes = Buffer.alloc(3_000_000, 'x')
  const endpoint = await serverThat((_, response) =>
    response.writeHead(200, { 'content-length': bytes.length }).end(bytes),
  )
  const content = (await storageAt(endpoint, 100).read('sha256/a/bundle'))!
  await once(content, 'readable')
  await sleep(500)
  expect((await buffer(content)).length).toBe(bytes.length)
})

test('a large upload that fails halfway is aborted at the store, and the local file stays', async () => {
  const calls: string[] = []
  const endpoint = await serverThat((request, response) => {
    const { searchParams } = new URL(request.url!, 'http://store')
    calls.push(`${request.method} ${[...searchParams.keys()].toSorted().join(' ')}`)
    if (request.method === 'POST')
      response.end('<InitiateMultipartUploadResult><UploadId>u</UploadId></InitiateMultipartUploadResult>')
    else if (searchParams.get('partNumber') === '2') response.writeHead(507).end(xml('QuotaExceeded'))
    else response.writeHead(request.method === 'DELETE' ? 204 : 200, { etag: '"e"' }).end()
  })
  const file = join(await temporaryFolder(), 'bundle')
  await writeFile(file, Buffer.alloc(17 * 1024 ** 2))
  expect(await catchError(storageAt(endpoint).put('sha256/a/bundle', file))).toBeInstanceOf(StorageFull)
  expect(calls.at(-1)).toBe('DELETE uploadId x-id')
  expect((await stat(file)).size).toBe(17 * 1024 ** 2)
})

test('a store without multipart uploads gets a large file in one request', async () => {
  const bodies: (string | undefined)[] = []
  const endpoint = await serverThat((request, response) => {
    if (request.method === 'POST') return void response.writeHead(501).end(xml('NotImplemented'))
    if (request.method === 'PUT') bodies.push(request.headers['content-length'])
    response.writeHead(200, { 'content-length': request.method === 'HEAD' ? 17 * 1024 ** 2 : 0 }).end()
  })
  const file = join(await temporaryFolder(), 'bundle')
  await writeFile(file, Buffer.alloc(17 * 1024 ** 2))
  await storageAt(endpoint).put('sha256/a/bundle', file)
  expect(bodies).toEqual([String(17 * 1024 ** 2)])
})

test('an object that the store kept only in part is removed', async () => {
  const calls: string[] = []
  const endpoint = await serverThat((request, response) => {
    calls.push(request.method!)
    if (request.method === 'HEAD') response.writeHead(200, { 'content-length': 3 }).end()
    else response.writeHead(request.method === 'DELETE' ? 204 : 200).end()
  })
  const file = join(await temporaryFolder(), 'bundle')
  await writeFile(file, 'content')
  const problem = await catchError(storageAt(endpoint).put('sha256/a/bundle', file))
  expect(problem.message).toBe('The object storage did not keep the whole of the bundle.')
  expect(calls).toEqual(['PUT', 'HEAD', 'DELETE'])
})

test.each([
  'http://169.254.169.254',
  'http://2852039166:80',
  'https://[fd00:ec2::254]',
  'http://metadata.google.internal',
])('a cloud’s metadata service is refused as a store: %s', (endpoint) => {
  expect(() => storageAt(endpoint)).toThrow('The object storage is the metadata service of a cloud')
})

test('a host name that resolves to a metadata service fails with that reason, without a retry', () => {
  const error = Object.assign(new Error('hidden'), { code: 'ERR_METADATA_ADDRESS' })
  expect(toStorageFailed('list', error).message).toContain('its name leads to the metadata service of a cloud')
})

/** A store that takes everything, and a server of credentials for the role of this machine. */
const openRoleServers = async () => {
  const [asked, used]: [string[], string[]] = [[], []]
  const times = { Expiration: new Date(Date.now() + 3_600_000).toISOString() }
  const keys = { AccessKeyId: 'ROLEKEY', SecretAccessKey: canary, Token: 'role-token', ...times, Code: 'Success' }
  const lender = await serverThat((request, response) => {
    asked.push(`${request.method} ${request.url?.split('?')[0]}`)
    if (request.method === 'PUT') return response.end('imds-token')
    if (request.url === '/latest/meta-data/iam/security-credentials/') return response.end('a-role')
    if (request.method === 'GET') return response.end(JSON.stringify(keys))
    response.end(
      `<AssumeRoleWithWebIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleWithWebIdentityResult><Credentials><AccessKeyId>ROLEKEY</AccessKeyId><SecretAccessKey>${canary}</SecretAccessKey><SessionToken>role-token</SessionToken><Expiration>${times.Expiration}</Expiration></Credentials></AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>`,
    )
  })
  const store = await serverThat(({ headers, method }, response) => {
    used.push(`${/Credential=(\w+)/.exec(headers.authorization ?? '')?.[1]} ${String(headers['x-amz-security-token'])}`)
    response.writeHead(method === 'HEAD' ? 404 : 200).end()
  })
  const folder = await temporaryFolder()
  const file = join(folder, 'token')
  await writeFile(file, 'web identity')
  onTestFinished(() => void vi.unstubAllEnvs())
  const none = join(folder, 'none')
  for (const name of ['AWS_CONFIG_FILE', 'AWS_SHARED_CREDENTIALS_FILE']) vi.stubEnv(name, none)
  return { asked, used, lender, store, file }
}

const readSizeOnce = async (endpoint: string, who: object) => {
  const options = { bucket: 'bundles', endpoint, region: 'us-east-1', ...who }
  const storage = createS3Storage(options as Parameters<typeof createS3Storage>[0], () => new Date())
  onTestFinished(() => storage.close())
  return storage.readSize('a/b')
}

test.each<[string, (servers: Awaited<ReturnType<typeof openRoleServers>>) => Record<string, string>, string]>([
  ['a container', ({ lender }) => ({ AWS_CONTAINER_CREDENTIALS_FULL_URI: `${lender}/creds` }), 'GET /creds'],
  [
    'web identity',
    ({ lender, file }) => ({
      AWS_WEB_IDENTITY_TOKEN_FILE: file,
      AWS_ROLE_ARN: 'arn:aws:iam::123456789012:role/docket',
      AWS_ENDPOINT_URL_STS: lender,
    }),
    'POST /',
  ],
  ['an instance', ({ lender }) => ({ AWS_EC2_METADATA_SERVICE_ENDPOINT: lender }), 'PUT /latest/api/token'],
])(
  'without keys, a store is used with the role of %s, and with keys nobody is asked for one',
  async (_, env, question) => {
    const servers = await openRoleServers()
    for (const [name, value] of Object.entries(env(servers))) vi.stubEnv(name, value)
    const keys = { accessKeyId: 'OWNKEY', secretAccessKey: () => canary }
    await readSizeOnce(servers.store, keys)
    await readSizeOnce(servers.store, { ...keys, sessionToken: () => 'own-token' })
    expect(servers.asked).toEqual([])
    await readSizeOnce(servers.store, { ...keys, usesRole: true })
    expect(servers.asked[0]).toBe(question)
    expect(servers.used).toEqual(['OWNKEY undefined', 'OWNKEY own-token', 'ROLEKEY role-token'])
  },
)
