import { createReadStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  paginateListObjectsV2,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { isMetadataHost } from '@docket/outbound/addresses'
import { explainConnection } from '@docket/outbound/explain-connection'
import { createNodeAgents } from '@docket/outbound/outbound'
import { NodeHttpHandler, type NodeHttpHandlerOptions } from '@smithy/node-http-handler'
import {
  assertKey,
  checkContent,
  hashFile,
  StorageFailed,
  type ByteRange,
  type LinkStorage,
  StorageFull,
} from '#object-storage.ts'

export type S3Options = {
  bucket: string
  /** Null for the AWS endpoint of `region`. */
  endpoint: string | null
  region: string
  accessKeyId: string
  secretAccessKey: () => string
  sessionToken?: (() => string) | undefined
  /** Ignores the keys for the role of this machine, as the SDK finds it: only then, a client of Docket asks a metadata service. */
  usesRole?: boolean
}

export type S3Storage = LinkStorage & { close(): void }

const fileName = 'bundle.tar.gz'
const linkType = 'application/gzip'
/** Milliseconds. */
const waits = {
  connectMs: 5_000,
  /** Limits silence on the connection only, because stores answer a large upload only once it is complete. */
  writing: { connectionTimeout: 5_000, socketTimeout: 30_000 },
  /** Time until the first byte. A socket timeout would also count pauses of a slow reader. */
  reading: { connectionTimeout: 5_000, requestTimeout: 30_000, throwOnRequestTimeout: true, socketTimeout: 0 },
  idle: 30_000,
}
const maxSockets = 1_000
const silent = { trace: () => {}, debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
/** Milliseconds. */
const uploadPauses = [500, 2_000]
/** Larger files are uploaded in parts, four of which are in memory at a time. */
const partBytes = 16 * 1024 ** 2
const maxParts = 10_000
/** Age from which no store accepts a signature. Milliseconds. */
const longExpiredMs = 24 * 60 * 60_000
const markerKey = 'docket-storage-id'
const settleMs = 2_000

/** Sends checksums only where the protocol requires them, because many stores misread newer ones. */
export const createS3Storage = (options: S3Options, now: () => Date, idleMs = waits.idle): S3Storage => {
  const { bucket } = options
  const client = openClient(options, waits.writing)
  const reader = openClient(options, waits.reading, maxSockets)
  const place = (key: string) => ({ Bucket: bucket, Key: key })
  const locate = (key: string) => {
    assertKey(key)
    return place(key)
  }

  const readSize = async (key: string) => {
    const command = new HeadObjectCommand(locate(key))
    return wrapFailure('find', async () => (await reader.send(command)).ContentLength ?? 0, null)
  }
  const remove = async (key: string) => {
    const command = new DeleteObjectCommand(locate(key))
    await wrapFailure('remove', () => client.send(command), undefined)
  }
  const open = async (command: GetObjectCommand, range: ByteRange | undefined) => {
    const { Body, ContentLength, ContentRange } = await reader.send(command)
    const body = Body as Readable
    const isWanted =
      range === undefined ||
      (ContentLength === range.end - range.start + 1 &&
        (ContentRange?.startsWith(`bytes ${range.start}-${range.end}/`) ?? range.start === 0))
    if (ContentLength !== undefined && isWanted)
      return checkContent(body, ContentLength, (error) => toStorageFailed('read', error), idleMs)
    body.destroy()
    throw new StorageFailed('The object storage answered with other bytes than were asked for.')
  }
  const read = async (key: string, range?: ByteRange) => {
    const Range = range && `bytes=${range.start}-${range.end}`
    const command = new GetObjectCommand({ ...locate(key), Range })
    return wrapFailure('read', () => open(command, range), null)
  }
  const uploadWhole = async (key: string, file: string, size: number) => {
    const sha256 = await hashFile(file)
    const upload = () => {
      const command = new PutObjectCommand({ ...place(key), Body: createReadStream(file), ContentLength: size })
      signBody(command, sha256)
      return client.send(command)
    }
    await retryWithPauses(upload)
  }
  const uploadParts = async (key: string, file: string, size: number) => {
    const partSize = Math.max(partBytes, Math.ceil(size / maxParts))
    const params = { ...place(key), Body: createReadStream(file), ContentLength: size }
    try {
      await new Upload({ client, params, partSize }).done()
    } catch (error) {
      // Not every store supports multipart uploads.
      if (readStatus(error) !== 501) throw error
      await uploadWhole(key, file, size)
    } finally {
      params.Body.destroy()
    }
  }
  const readText = async (key: string) => {
    const { Body } = await reader.send(new GetObjectCommand(place(key)))
    return (await Body?.transformToString()) ?? ''
  }
  const readMarker = () => wrapFailure('find the marker of', () => readText(markerKey), null)

  return {
    put: async (key, file, putOptions) => {
      locate(key)
      await wrapFailure('keep', async () => {
        const { size } = await stat(file)
        await (size > partBytes ? uploadParts(key, file, size) : uploadWhole(key, file, size))
        if ((await readSize(key)) === size) return
        await remove(key)
        throw new StorageFailed('The object storage did not keep the whole of the bundle.')
      })
      if (putOptions?.link !== true) await rm(file, { force: true })
    },
    readSize,
    read,
    readPieces: read,
    list: async function* (prefix) {
      try {
        for await (const page of paginateListObjectsV2({ client: reader }, { Bucket: bucket, Prefix: prefix }))
          for (const { Key, Size, LastModified } of page.Contents ?? [])
            if (Key !== undefined) yield { key: Key, sizeBytes: Size ?? 0, modifiedAt: LastModified ?? now() }
      } catch (error) {
        throw toStorageFailed('list', error)
      }
    },
    link: async (key, expiresAt, misbehaves) => {
      const seconds = Math.max(1, Math.floor((expiresAt.getTime() - now().getTime()) / 1000))
      const command = new GetObjectCommand({
        ...locate(key),
        ResponseContentType: linkType,
        ResponseContentDisposition: `attachment; filename="${fileName}"`,
      })
      const signingDate = new Date(now().getTime() - (misbehaves ? longExpiredMs : 0))
      return wrapFailure('sign a link to', () => getSignedUrl(client, command, { expiresIn: seconds, signingDate }))
    },
    remove,
    removeUnfinished: (prefix, before) =>
      wrapFailure('clean up after', () => abortUploads(client, { Bucket: bucket, Prefix: prefix }, before)),
    check: () =>
      wrapFailure('keep', async () => {
        const [key, content] = [`docket-storage-check/${crypto.randomUUID()}`, crypto.randomUUID()]
        await client.send(new PutObjectCommand({ ...place(key), Body: content }))
        const isSame = (await readText(key)) === content
        await remove(key)
        if (!isSame) throw new StorageFailed('The object storage returned other bytes than were written.')
        return { freeBytes: null }
      }),
    readMarker,
    ensureMarker: () =>
      wrapFailure('keep', async () => {
        const found = await readMarker()
        if (found !== null) return found
        const command = { ...place(markerKey), Body: crypto.randomUUID() }
        try {
          await client.send(new PutObjectCommand({ ...command, IfNoneMatch: '*' }))
        } catch (error) {
          // Another replica wrote it first, or writes it now.
          const status = readStatus(error)
          if (status === 501) await client.send(new PutObjectCommand(command))
          else if (status !== 409 && status !== 412) throw error
        }
        // Stores that ignore the condition keep the last of several markers, so wait until all are written.
        await sleep(settleMs)
        const id = await readMarker()
        if (id === null) throw new StorageFailed('The object storage lost its marker.')
        return id
      }),
    close: () => {
      client.destroy()
      reader.destroy()
    },
  }
}

export const openClient = (options: S3Options, times: NodeHttpHandlerOptions, maxSockets = 50) => {
  const { endpoint, region, accessKeyId, secretAccessKey, sessionToken, usesRole = false } = options
  const readKeys = async () => ({
    accessKeyId,
    secretAccessKey: secretAccessKey(),
    ...(sessionToken && { sessionToken: sessionToken() }),
  })
  if (endpoint !== null && isMetadataHost(new URL(endpoint).hostname))
    throw new StorageFailed(`The object storage is ${metadataService}.`)
  const agents = createNodeAgents({ keepAlive: true, maxSockets, connectMs: waits.connectMs })
  return new S3Client({
    region,
    ...(!usesRole && { credentials: readKeys }),
    ...(endpoint !== null && { endpoint, forcePathStyle: true }),
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    followRegionRedirects: false,
    maxAttempts: 3,
    // The SDK would log to the console; failures are reported anyway.
    logger: silent,
    requestHandler: new NodeHttpHandler({ ...times, ...agents }),
  })
}

/** Ends multipart uploads that began before `before`, because stores keep and bill their parts. */
const abortUploads = async (client: S3Client, within: { Bucket: string; Prefix: string }, before: Date) => {
  let count = 0
  let from = {}
  for (;;) {
    const page = await client.send(new ListMultipartUploadsCommand({ ...within, ...from }))
    for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
      if (Key === undefined || Initiated === undefined || Initiated >= before) continue
      await client.send(new AbortMultipartUploadCommand({ Bucket: within.Bucket, Key, UploadId }))
      count += 1
    }
    if (page.IsTruncated !== true) return count
    from = { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker }
  }
}

/** Tries again after each pause, unless the store understood and refused. The SDK does not do that for streams. Milliseconds. */
export const retryWithPauses = async <T>(
  call: () => Promise<T>,
  [pause, ...later]: readonly number[] = uploadPauses,
): Promise<T> => {
  try {
    return await call()
  } catch (error) {
    if (pause === undefined || isRefusal(error) || error instanceof StorageFailed) throw error
    await sleep(pause)
    return retryWithPauses(call, later)
  }
}

/** The signature covers the SHA-256 of the body, so the store refuses other bytes. */
export const signBody = (command: PutObjectCommand, sha256: string): void =>
  command.middlewareStack.add(
    (next) => (args) => {
      ;(args.request as { headers: Record<string, string> }).headers['x-amz-content-sha256'] = sha256
      return next(args)
    },
    { step: 'build', name: 'signTheBody' },
  )

/** Undefined when the store did not respond. */
const readStatus = (error: unknown): number | undefined =>
  error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined

const isRefusal = (error: unknown): boolean =>
  isStorageFullError(error) || (error instanceof S3ServiceException && error.$fault === 'client')

export const wrapFailure = async <T>(what: string, call: () => Promise<T>, ...whenMissing: [T] | []): Promise<T> => {
  try {
    return await call()
  } catch (error) {
    if (readStatus(error) === 404 && !isMissingBucketError(error) && whenMissing.length === 1) return whenMissing[0]
    throw toStorageFailed(what, error)
  }
}

/** Describes a failure in our own words, because store messages contain addresses and SDK errors contain the whole request. */
export const toStorageFailed = (what: string, error: unknown): StorageFailed => {
  if (error instanceof StorageFailed) return error
  const status = readStatus(error)
  const reason = isStorageFullError(error) ? 'it is full' : explainFailure(error, status)
  const Failure = isStorageFullError(error) ? StorageFull : StorageFailed
  return new Failure(`The object storage did not ${what} the bundle: ${reason}.`)
}

const fullNames = new Set([
  'QuotaExceeded',
  'XMinioStorageFull',
  'StorageFull',
  'InsufficientStorage',
  'InsufficientCapacity',
])

const isStorageFullError = (error: unknown) =>
  readStatus(error) === 507 || (error instanceof Error && fullNames.has(error.name))

const isMissingBucketError = (error: unknown) => error instanceof Error && error.name === 'NoSuchBucket'

const metadataService = 'the metadata service of a cloud, which Docket never calls'

const explainFailure = (error: unknown, status: number | undefined) => {
  if (isMissingBucketError(error)) return 'there is no such bucket'
  if (error instanceof Error && error.name === 'CredentialsProviderError') return 'this machine has no role for it'
  if (status === 401 || status === 403) return 'it refused the access key, or what the key may do'
  if (status === 416) return 'its object is shorter than it should be'
  if (status !== undefined) return `it answered ${status}`
  if (error instanceof Error && error.name === 'TimeoutError') return 'it did not answer in time'
  const code = (error as NodeJS.ErrnoException).code
  if (code === 'ERR_METADATA_ADDRESS') return `its name leads to ${metadataService}`
  const why = explainConnection(error)
  return why === null ? 'it did not answer as a store does' : `it cannot be reached: ${why}`
}
