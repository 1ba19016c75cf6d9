import { DeleteObjectCommand, GetObjectCommand, HeadObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { openClient } from '@docket/artifact-store/s3/s3-storage'
import { hasSwift, startSwift } from '@docket/artifact-store/testing/swift'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { targetContract, unwatched } from '#testing/target-contract.ts'
import { builtSite } from '#testing/test-site.ts'
import { createS3Target } from './s3.ts'

if (!hasSwift && process.env.S3_REQUIRED !== 'true') {
  test.skip('OpenStack Swift is not installed, so no real S3 server was tested', () => {})
} else {
  let swift: Awaited<ReturnType<typeof startSwift>>
  beforeAll(async () => {
    swift = await startSwift()
  })
  afterAll(() => swift.stop())

  const open = async () => {
    const prefix = `sites/${randomUUID()}`
    const client = openClient(swift.options, {})
    // On a busy machine, Swift asks for patience more often than the client repeats a request.
    client.config.maxAttempts = () => Promise.resolve(10)
    const target = createS3Target({ ...swift.options, prefix, graceMs: 0 })
    onTestFinished(() => target.close())
    onTestFinished(() => client.destroy())
    const place = (path: string) => ({ Bucket: swift.options.bucket, Key: `${prefix}/${path}` })
    return {
      target,
      ownsFolder: false,
      head: (path: string) => client.send(new HeadObjectCommand(place(path))),
      read: async (path: string) => {
        const found = await client.send(new GetObjectCommand(place(path))).catch(() => null)
        return (await found?.Body?.transformToString()) ?? null
      },
      meddle: async (path: string, content: string | null) => {
        if (content === null) await client.send(new DeleteObjectCommand(place(path)))
        else await client.send(new PutObjectCommand({ ...place(path), Body: content }))
      },
    }
  }
  targetContract('S3', open, 'whole')

  test('S3: delivered objects have content types and cache headers', async () => {
    const { target, head } = await open()
    await target.deliver(builtSite('3f9c1a7b'), unwatched())
    expect(await head('index.html')).toMatchObject({
      ContentType: 'text/html',
      CacheControl: expect.stringMatching('must-revalidate') as string,
    })
    expect(await head('app-3f9c1a7b.js')).toMatchObject({
      ContentType: 'text/javascript; charset=utf-8',
      CacheControl: expect.stringMatching('immutable') as string,
    })
    expect(await head('style.css')).toMatchObject({ CacheControl: 'public, max-age=300' })
  })
}
