import { join } from 'node:path'
import { openStore } from '@docket/artifact-store/bundle-stores'
import type { AnalyseBundle } from '#bundles/storing/store-bundle.ts'
import type { Config } from '#ground/config/config.ts'

const analyse: AnalyseBundle = async (...args) => {
  const { analyseBundle } = await import('@docket/site-bundle/analyse-bundle')
  return analyseBundle(...args)
}

/** Opens the store of bundles that the settings choose, and what reads bundles. Touches nothing yet. */
export const openArtifacts = async ({ artifacts, dataDir }: Pick<Config, 'artifacts' | 'dataDir'>) => {
  const { storage, close } = await openStore(artifacts.store)
  const { openSite } = await import('@docket/site-bundle/open-site')
  return {
    needs: {
      settings: artifacts,
      storage,
      stagingFolder: join(dataDir, 'artifact-staging'),
      openSite,
      analyse,
    },
    close,
  }
}
