import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  paginateListObjectsV2,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3'
import {
  openClient,
  retryWithPauses,
  type S3Options,
  signBody,
  wrapFailure,
} from '@docket/artifact-store/s3/s3-storage'
import { StorageFailed } from '@docket/artifact-store/object-storage'
import { formatContentType } from '@docket/site-bundle/serve/respond'
import { formatCacheControl } from '#delivered-paths.ts'
import { type DeliveredFile, DeliveryFailed, type DeliveryTarget } from '#delivery-target.ts'
import { createInPlaceTarget, type PlainFiles } from '#layouts/in-place.ts'

/** A bucket. `prefix`: folder in it, without slashes around it; empty for the whole bucket. */
export type S3TargetOptions = S3Options & { prefix: string; graceMs: number }

/** Maximum silence of a store. Milliseconds. */
const waits = { connectionTimeout: 5_000, socketTimeout: 30_000 }

export const createS3Target = (options: S3TargetOptions): DeliveryTarget =>
  createInPlaceTarget(createBucketFiles(options), options.graceMs)

const createBucketFiles = (options: S3TargetOptions): PlainFiles => {
  const client = openClient(options, waits)
  const start = options.prefix === '' ? '' : `${options.prefix}/`
  const place = (path: string) => ({ Bucket: options.bucket, Key: start + path })
  return {
    concurrency: 8,
    write: (file, open) =>
      wrapStoreFailure('keep', () =>
        retryWithPauses(async () => putObject(client, place(file.path), file, await open())),
      ),
    read: (path) =>
      wrapStoreFailure(
        'read',
        async () => (await retryWithPauses(() => client.send(new GetObjectCommand(place(path))))).Body as Readable,
        null,
      ),
    remove: (path) =>
      wrapStoreFailure('remove', async () => void (await client.send(new DeleteObjectCommand(place(path)))), undefined),
    list: async function* () {
      const within = { Bucket: options.bucket, Prefix: start }
      const pages = paginateListObjectsV2({ client }, within)[Symbol.asyncIterator]()
      for (;;) {
        const { value, done } = await wrapStoreFailure('list', () => pages.next())
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
    ContentType: formatContentType(file),
    ContentEncoding: file.contentEncoding,
    CacheControl: formatCacheControl(file),
  })
  signBody(command, file.sha256)
  await client.send(command)
}

const wrapStoreFailure = async <T>(what: string, work: () => Promise<T>, ...whenMissing: [T] | []): Promise<T> => {
  try {
    return await wrapFailure(what, work, ...whenMissing)
  } catch (error) {
    if (!(error instanceof StorageFailed)) throw error
    throw new DeliveryFailed(error.message.replace('the bundle:', 'a file of the site:'), true)
  }
}
