import { afterAll, beforeAll, onTestFinished, test } from 'vitest'
import { storageContract } from '#testing/storage-contract.ts'
import { hasSwift, startSwift } from '#testing/swift.ts'
import { createS3Storage } from './s3-storage.ts'

// `pnpm test:s3` needs Swift, so a missing installation must be visible.
if (!hasSwift && process.env.S3_REQUIRED !== 'true') {
  test.skip('OpenStack Swift is not installed, so no real S3 server was tested', () => {})
} else {
  let swift: Awaited<ReturnType<typeof startSwift>>
  beforeAll(async () => {
    swift = await startSwift()
  })
  afterAll(() => swift.stop())
  storageContract('S3', () => {
    const time = { shiftMs: 0 }
    const storage = createS3Storage(swift.options, () => new Date(Date.now() + time.shiftMs))
    onTestFinished(() => storage.close())
    return Promise.resolve({ storage, time })
  })
}
