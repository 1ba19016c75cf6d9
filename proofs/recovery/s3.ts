import { join } from 'node:path'
import { onEnd } from '#bench/harness/cleanup.ts'
import { testSecret } from '#apps/bff/src/testing/instance.ts'
import { hasSwift, startSwift } from '#packages/artifact-store/src/testing/swift.ts'
import { startDocket, temporaryFolder } from '#proofs/harness/docket.ts'
import type { Fault } from '#proofs/harness/plant.ts'
import { callDocket, type openDatabases, publishSite, siteLabel, waitForPage } from './installation.ts'

/** Loses the database of a Docket whose bundles are in S3, and restores it without and with the settings of S3. Null without Swift. */
export const playS3 = async (
  databases: Awaited<ReturnType<typeof openDatabases>>,
  planted: readonly Fault[],
): Promise<boolean | null> => {
  if (!hasSwift) return null
  const { options, stop } = await startSwift()
  onEnd(stop)
  const s3 = {
    ARTIFACT_S3_BUCKET: options.bucket,
    ARTIFACT_S3_ENDPOINT: options.endpoint!,
    ARTIFACT_S3_REGION: options.region,
    ARTIFACT_S3_ACCESS_KEY_ID: options.accessKeyId,
    ARTIFACT_S3_SECRET_ACCESS_KEY: options.secretAccessKey(),
  }
  const environment = (databaseUrl: string) => ({
    DATABASE_URL: databaseUrl,
    DATA_DIR: join(temporaryFolder(), 'data'),
    AUTH_SECRET: testSecret,
    // The harness would add a folder.
    ARTIFACT_STORE_DIR: '',
  })
  const env = { ...environment(await databases.first()), ...s3 }
  const docket = await startDocket(env)
  await publishSite(docket)
  const file = join(temporaryFolder(), 'backup.tar')
  await callDocket(env, planted, 'backup', file)
  await docket.stop()
  const next = environment(await databases.create())
  const said = await callDocket(next, planted, 'restore', file).catch((error: { stderr: string }) => error.stderr)
  await callDocket({ ...next, ...s3 }, planted, 'restore', file)
  const restored = await startDocket({ ...next, ...s3 }, planted, '')
  const isServed = await waitForPage(restored, siteLabel, 'published')
  await restored.stop()
  return isServed && said.includes(`ARTIFACT_S3_BUCKET=${options.bucket}`)
}
