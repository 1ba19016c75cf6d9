import { join } from 'node:path'
import { openStore } from '@docket/artifact-store/bundle-stores'
import type { AnalyseBundle, MakePortable } from '#bundles/bundles-ctx.ts'
import { type Config, toDatabasePlace } from '#ground/config/config.ts'
import { describeStoreLocation, findLocalFolder } from '#ground/config/stores.ts'

/** Opens what scheduled backups need, according to the settings. Null without a schedule. */
export const openBackups = async (config: Config, docket: string) => {
  const { backups, dataDir, authSecret, artifacts } = config
  if (backups === null) return null
  const { cron, timeZone, keep, target, encryption, withArtifacts } = backups
  const { storage, close } = await openStore(target)
  const encryptTo =
    encryption !== null && 'passphrase' in encryption ? { passphrase: encryption.passphrase() } : encryption
  return {
    needs: {
      cron,
      timeZone,
      keep,
      kind: target.kind === 'disk' ? ('folder' as const) : target.kind,
      target: { storage, prefix: target.prefix },
      order: {
        place: toDatabasePlace(config),
        docket,
        encryptTo,
        secretInFile: authSecret === null,
        artifacts: withArtifacts ? findLocalFolder(artifacts.store) : null,
        store: describeStoreLocation(artifacts.store, dataDir),
      },
    },
    close,
  }
}

const analyse: AnalyseBundle = async (...args) => {
  const { analyseBundle } = await import('@docket/site-bundle/analyse-bundle')
  return analyseBundle(...args)
}

const openPictures = async (
  browser: string,
  { artifacts, dataDir, connectionKeysDir }: Pick<Config, 'artifacts' | 'dataDir' | 'connectionKeysDir'>,
) => {
  const { createPictureTaker } = await import('#bundles/pictures/take-picture.ts')
  const hidden = [findLocalFolder(artifacts.store), connectionKeysDir].filter((folder) => folder !== null)
  return createPictureTaker(browser, { dataDir, hidden })
}

/** Opens the store of bundles that the settings choose, and the reader of bundles. Accesses neither yet. */
export const openArtifacts = async (
  config: Pick<Config, 'artifacts' | 'pictureBrowser' | 'dataDir' | 'connectionKeysDir'>,
) => {
  const { artifacts, pictureBrowser, dataDir } = config
  const { storage, close } = await openStore(artifacts.store)
  const { openSite } = await import('@docket/site-bundle/open-site')
  return {
    needs: {
      settings: artifacts,
      storage,
      stagingFolder: join(dataDir, 'artifact-staging'),
      openSite,
      analyse,
      makePortable: async (...args: Parameters<MakePortable>) =>
        (await import('@docket/site-exporter/make-upload-portable')).makeUploadPortable(...args),
      ...(pictureBrowser !== null && { takePicture: await openPictures(pictureBrowser, config) }),
    },
    close,
  }
}
