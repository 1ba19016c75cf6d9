import { createReadStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { NodeHttpHandler } from '@smithy/node-http-handler'
import { hashFile, StorageFailed, type ObjectStorage } from '#object-storage.ts'

/** An S3 object store. */
export type S3Options = {
  bucket: string
  /** Null: the endpoint of AWS in `region`. */
  endpoint: string | null
  region: string
  accessKeyId: string
  secretAccessKey: () => string
}

/** The storage, and `close`, which ends its connections. */
export type S3Storage = ObjectStorage & { close(): void }

const contentType = 'application/gzip'
const fileName = 'bundle.tar.gz'
/** Milliseconds. Stores answer a large upload only once it is complete. */
const waits = { connectionTimeout: 5_000, requestTimeout: 120_000, socketTimeout: 30_000 }
const silent = { trace: () => {}, debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
/** Pauses between upload attempts; the SDK does not retry streams. Milliseconds. */
const uploadPauses = [500, 2_000]
/** Oldest signature that no store accepts any more. Milliseconds. */
const longExpiredMs = 24 * 60 * 60_000

/**
 * Objects in an S3 bucket, with presigned links. Sends checksums only where the protocol requires them, because many stores misread
 * newer ones; the signature covers the SHA-256 of the body.
 */
export const s3Storage = (options: S3Options, now: () => Date): S3Storage => {
  const { bucket, endpoint, region, accessKeyId, secretAccessKey } = options
  const client = new S3Client({
    region,
    credentials: () => Promise.resolve({ accessKeyId, secretAccessKey: secretAccessKey() }),
    ...(endpoint !== null && { endpoint, forcePathStyle: true }),
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    followRegionRedirects: false,
    maxAttempts: 3,
    // The SDK would log to the console; failures are reported anyway.
    logger: silent,
    requestHandler: new NodeHttpHandler(waits),
  })
  const place = (key: string) => ({ Bucket: bucket, Key: key })

  return {
    put: async (key, file) => {
      const [{ size }, sha256] = await Promise.all([stat(file), hashFile(file)])
      const upload = () => {
        const content = { Body: createReadStream(file), ContentLength: size, ContentType: contentType }
        const command = new PutObjectCommand({ ...place(key), ...content })
        command.middlewareStack.add(
          (next) => (args) => {
            ;(args.request as { headers: Record<string, string> }).headers['x-amz-content-sha256'] = sha256
            return next(args)
          },
          { step: 'build', name: 'signTheBody' },
        )
        return client.send(command)
      }
      await wrapFailure('keep', () => retry(upload, uploadPauses))
      await rm(file, { force: true })
    },
    readSize: (key) =>
      wrapFailure('find', async () => (await client.send(new HeadObjectCommand(place(key)))).ContentLength ?? 0, null),
    link: async (key, expiresAt, misbehaves) => {
      const seconds = Math.max(1, Math.floor((expiresAt.getTime() - now().getTime()) / 1000))
      const command = new GetObjectCommand({
        ...place(key),
        ResponseContentType: contentType,
        ResponseContentDisposition: `attachment; filename="${fileName}"`,
      })
      const signingDate = new Date(now().getTime() - (misbehaves ? longExpiredMs : 0))
      return wrapFailure('sign a link to', () => getSignedUrl(client, command, { expiresIn: seconds, signingDate }))
    },
    remove: async (key) => {
      await wrapFailure('remove', () => client.send(new DeleteObjectCommand(place(key))), undefined)
    },
    close: () => client.destroy(),
  }
}

/** Tries again after each pause, unless the store understood and refused. */
const retry = async <T>(call: () => Promise<T>, [pause, ...later]: readonly number[]): Promise<T> => {
  try {
    return await call()
  } catch (error) {
    const refused = error instanceof S3ServiceException && error.$fault === 'client'
    if (pause === undefined || refused) throw error
    await sleep(pause)
    return retry(call, later)
  }
}

/**
 * Describes a failure in our own words, because messages of stores contain addresses and the SDK's errors the whole
 * request. `whenMissing` replaces a 404.
 */
const wrapFailure = async <T>(what: string, call: () => Promise<T>, ...whenMissing: [T] | []): Promise<T> => {
  try {
    return await call()
  } catch (error) {
    const status = error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined
    if (status === 404 && !isNoBucket(error) && whenMissing.length === 1) return whenMissing[0]
    throw new StorageFailed(`The object storage did not ${what} the bundle: ${explainFailure(error, status)}.`)
  }
}

const isNoBucket = (error: unknown) => error instanceof Error && error.name === 'NoSuchBucket'

const explainFailure = (error: unknown, status: number | undefined) => {
  if (isNoBucket(error)) return 'there is no such bucket'
  if (status === 403 || status === 401) return 'it refused the access key, or what the key may do'
  if (status !== undefined) return `it answered ${status}`
  const code = (error as NodeJS.ErrnoException).code
  return code === undefined ? 'it did not answer as a store does' : `it cannot be reached (${code})`
}
