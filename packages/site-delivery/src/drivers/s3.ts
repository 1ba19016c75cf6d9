import {
  DeleteObjectCommand,
  GetObjectCommand,
  paginateListObjectsV2,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { openClient, type S3Options } from '@docket/artifact-store/s3/s3-storage'
import { isRefusal, wrapFailure } from '@docket/artifact-store/s3/s3-failures'
import { StorageFailed } from '@docket/artifact-store/object-storage'
import { cacheControl, contentType } from '#delivered-paths.ts'
import { type DeliveredFile, DeliveryFailed, type DeliveryTarget } from '#delivery-target.ts'
import { inPlace, type PlainFiles } from '#layouts/in-place.ts'

/** A bucket. `prefix`: folder in it, without slashes around it; empty for the whole bucket. */
export type S3TargetOptions = S3Options & { prefix: string; graceMs: number }

/** Silence of a store. Milliseconds. */
const waits = { connectionTimeout: 5_000, socketTimeout: 30_000 }
const pausesMs = [500, 2_000]

/** Objects of an S3 bucket, with content types and cache headers. */
export const s3Target = (options: S3TargetOptions): DeliveryTarget => inPlace(bucketFiles(options), options.graceMs)

const bucketFiles = (options: S3TargetOptions): PlainFiles => {
  const client = openClient(options, waits)
  const start = options.prefix === '' ? '' : `${options.prefix}/`
  const place = (path: string) => ({ Bucket: options.bucket, Key: start + path })
  return {
    concurrency: 8,
    write: (file, open) =>
      explain('keep', () => retry(async () => putObject(client, place(file.path), file, await open()))),
    read: (path) =>
      explain(
        'read',
        async () => (await retry(() => client.send(new GetObjectCommand(place(path))))).Body as Readable,
        null,
      ),
    remove: (path) =>
      explain('remove', async () => void (await client.send(new DeleteObjectCommand(place(path)))), undefined),
    list: async function* () {
      const within = { Bucket: options.bucket, Prefix: start }
      const pages = paginateListObjectsV2({ client }, within)[Symbol.asyncIterator]()
      for (;;) {
        const { value, done } = await explain('list', () => pages.next())
        if (done === true) return
        for (const { Key } of value.Contents ?? []) if (Key !== undefined) yield Key.slice(start.length)
      }
    },
    listFolder: () => Promise.resolve([]),
    setRights: () => Promise.resolve(),
    close: () => {
      client.destroy()
      return Promise.resolve()
    },
  }
}

const putObject = async (
  client: S3Client,
  place: { Bucket: string; Key: string },
  file: DeliveredFile,
  content: Readable,
) => {
  const isSmall = file.sizeBytes <= 1024 ** 2
  const command = new PutObjectCommand({
    ...place,
    Body: isSmall ? await buffer(content) : content,
    ContentLength: file.sizeBytes,
    ContentType: contentType(file),
    CacheControl: cacheControl(file),
  })
  // The signature covers the content, so the store refuses other bytes.
  command.middlewareStack.add(
    (next) => (args) => {
      ;(args.request as { headers: Record<string, string> }).headers['x-amz-content-sha256'] = file.sha256
      return next(args)
    },
    { step: 'build', name: 'signTheBody' },
  )
  await client.send(command)
}

/** Tries again after a pause, unless the store understood and refused. The SDK does not do that for streams. */
const retry = async <T>(call: () => Promise<T>, pauses = pausesMs): Promise<T> => {
  try {
    return await call()
  } catch (error) {
    const [pause, ...later] = pauses
    if (pause === undefined || isRefusal(error) || error instanceof StorageFailed) throw error
    await sleep(pause)
    return retry(call, later)
  }
}

const explain = async <T>(what: string, work: () => Promise<T>, ...whenMissing: [T] | []): Promise<T> => {
  try {
    return await wrapFailure(what, work, ...whenMissing)
  } catch (error) {
    if (!(error instanceof StorageFailed)) throw error
    throw new DeliveryFailed(error.message.replace('the bundle:', 'a file of the site:'), true)
  }
}
