import { writeFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { s3Storage } from './s3-storage.ts'

const canary = 'canary-of-the-secret-key'

const storageAt = (endpoint: string) => {
  const storage = s3Storage(
    { bucket: 'bundles', endpoint, region: 'us-east-1', accessKeyId: 'docket', secretAccessKey: () => canary },
    () => new Date(),
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
  [507, xml('QuotaExceeded'), 'it answered 507'],
  [200, '<html>Welcome</html>', 'nothing went wrong'],
])('a store that answers an upload %i is told in a sentence without a secret', async (status, body, reason) => {
  const storage = storageAt(await serverThat((_, response) => response.writeHead(status).end(body)))
  const file = join(await temporaryFolder(), 'bundle.tar.gz')
  await writeFile(file, 'content')
  const problem = await catchError(storage.put('job/bundle.tar.gz', file))
  expect(problem.message).toContain(reason)
  expect(inspect(problem, { depth: null, showHidden: true })).not.toContain(canary)
})

test('a store that is not there is told as such, and the bundle stays', async () => {
  const storage = storageAt('http://127.0.0.1:1')
  const file = join(await temporaryFolder(), 'bundle.tar.gz')
  await writeFile(file, 'content')
  const problem = await catchError(storage.put('job/bundle.tar.gz', file))
  expect(problem.message).toBe('The object storage did not keep the bundle: it cannot be reached (ECONNREFUSED).')
  expect(await catchError(writeFile(file, 'still here', { flag: 'r+' }))).toMatchObject({
    message: 'nothing went wrong',
  })
})

test('an upload that breaks off is tried again, whole', async () => {
  const bodies: number[] = []
  const endpoint = await serverThat((request, response) => {
    bodies.push(Number(request.headers['content-length']))
    if (bodies.length === 1) response.destroy()
    else response.writeHead(200).end()
  })
  const file = join(await temporaryFolder(), 'bundle.tar.gz')
  await writeFile(file, 'content')
  await storageAt(endpoint).put('job/bundle.tar.gz', file)
  expect(bodies).toEqual([7, 7])
})

test('a link tells neither the secret nor more than one object', async () => {
  const storage = storageAt('https://s3.example.com')
  const link = new URL(await storage.link('job/bundle.tar.gz', new Date(Date.now() + 60_000)))
  expect(link.pathname).toBe('/bundles/job/bundle.tar.gz')
  expect(Number(link.searchParams.get('X-Amz-Expires'))).toBeLessThanOrEqual(60)
  expect(link.href).not.toContain(canary)
})
