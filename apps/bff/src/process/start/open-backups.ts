import { diskStorage } from '@docket/artifact-store/local-disk/disk-storage'
import { describeStore } from '#ground/config/artifacts.ts'
import { type Config, toPlace } from '#ground/config/config.ts'

const openTarget = async (target: NonNullable<Config['backups']>['target']) => {
  if ('folder' in target) return { storage: diskStorage(target.folder), prefix: '', close: () => {} }
  // Loaded only when used, because the SDK is large.
  const { s3Storage } = await import('@docket/artifact-store/s3/s3-storage')
  const storage = s3Storage(target.s3, () => new Date())
  return { storage, prefix: target.prefix, close: () => storage.close() }
}

/** What scheduled backups need, as the settings say. Null without a schedule. */
export const openBackups = async (config: Config, docket: string) => {
  const { backups, dataDir, authSecret, artifacts } = config
  if (backups === null) return null
  const { cron, timeZone, keep, target, encryption, withArtifacts } = backups
  const { close, ...opened } = await openTarget(target)
  const encryptTo =
    encryption !== null && 'passphrase' in encryption ? { passphrase: encryption.passphrase() } : encryption
  return {
    needs: {
      cron,
      timeZone,
      keep,
      kind: 'folder' in target ? ('folder' as const) : ('s3' as const),
      target: opened,
      order: {
        place: toPlace(config),
        docket,
        encryptTo,
        secretInFile: authSecret === null,
        artifacts: withArtifacts && artifacts.s3 === null ? artifacts.folder : null,
        store: describeStore(artifacts, dataDir),
      },
    },
    close,
  }
}
