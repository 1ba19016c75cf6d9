import { analyseBundle } from '@docket/site-bundle/analyse-bundle'
import { join } from 'node:path'
import { diskStorage } from '@docket/artifact-store/local-disk/disk-storage'
import type { Config } from '#ground/config/config.ts'

const openStorage = async ({ folder, s3 }: Config['artifacts']) => {
  if (s3 === null) return { storage: diskStorage(folder), close: () => {} }
  // Loaded only when used, because the SDK is large.
  const { s3Storage } = await import('@docket/artifact-store/s3/s3-storage')
  const storage = s3Storage(s3, () => new Date())
  return { storage, close: () => storage.close() }
}

/** Opens the store of bundles that the settings choose, and what reads bundles. Touches nothing yet. */
export const openArtifacts = async ({ artifacts, dataDir }: Pick<Config, 'artifacts' | 'dataDir'>) => {
  const { storage, close } = await openStorage(artifacts)
  const { openSite } = await import('@docket/site-bundle/open-site')
  return {
    needs: {
      settings: artifacts,
      storage,
      stagingFolder: join(dataDir, 'artifact-staging'),
      openSite,
      analyse: analyseBundle,
    },
    close,
  }
}
