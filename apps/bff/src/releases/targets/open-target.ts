import { StorageFailed } from '@docket/artifact-store/object-storage'
import type { TargetSettings } from '@docket/api-types/targets'
import { SiteMissing } from '@docket/site-bundle/open-site'
import { DeliveryFailed, type DeliveryTarget } from '@docket/site-delivery/delivery-target'
import { type LocalPlaces, locateRepository } from '@docket/site-delivery/drivers/folder'
import { targetKinds } from '@docket/site-delivery/target-kinds'

export type TargetMachine = LocalPlaces & {
  /** Folder for short-lived clones. */
  workFolder: string
}

/** A readable message for each listed repository that cannot be a target. */
export const findUnusableRepositories = async (places: LocalPlaces): Promise<string[]> => {
  const tries = await Promise.allSettled(places.repositories.map((path) => locateRepository(path, places)))
  return tries.flatMap((tried, at) =>
    tried.status === 'rejected'
      ? `TARGET_REPOSITORIES: ${places.repositories[at]}: ${(tried.reason as Error).message}`
      : [],
  )
}

type Git = Extract<TargetSettings, { kind: 'git' }>

/** Opens targets. Rejects with `DeliveryFailed`. Nothing is sent before the target is used. */
export const createTargetOpener =
  ({ workFolder, ...machine }: TargetMachine) =>
  async (settings: TargetSettings, secret: string | null): Promise<DeliveryTarget> => {
    switch (settings.kind) {
      case 'folder':
        return targetKinds.folder({ path: settings.path, keep: settings.keep, within: machine.folders })
      case 's3': {
        const { endpoint, region, bucket, prefix, accessKeyId } = settings
        const graceMs = settings.graceMinutes * 60_000
        const secretAccessKey = requireSecret(secret)
        const place = { endpoint: endpoint?.replace(/\/+$/, '') ?? null, region, bucket, prefix }
        return targetKinds.s3({ ...place, accessKeyId, secretAccessKey: () => secretAccessKey, graceMs })
      }
      case 'git': {
        const { url, branch, folder } = settings
        return targetKinds.git({ url, branch, folder, credential: toCredential(settings, secret), machine, workFolder })
      }
      case 'sftp': {
        const { host, port, user, hostKey, folder, keep, graceMinutes } = settings
        const login =
          settings.login === 'password'
            ? { user, password: requireSecret(secret) }
            : { user, privateKey: requireSecret(secret), passphrase: null }
        const layout =
          settings.layout === 'releases'
            ? { kind: 'releases' as const, keep }
            : { kind: 'in_place' as const, graceMs: graceMinutes * 60_000 }
        return targetKinds.sftp({ host, port, hostKey, login, folder, layout })
      }
    }
  }

export type OpenTarget = ReturnType<typeof createTargetOpener>

const toCredential = ({ url, user, hostKey }: Git, secret: string | null) => {
  if (url.startsWith('/')) return null
  if (url.startsWith('ssh:')) return { privateKey: requireSecret(secret), hostKey: hostKey ?? '' }
  return user === null ? null : { user, token: requireSecret(secret) }
}

const requireSecret = (secret: string | null): string => {
  if (secret === null)
    throw new DeliveryFailed(
      'Docket can’t read the secret of this target, because another instance secret sealed it. Enter it again.',
    )
  return secret
}

/** Returns a readable message for a failure of a target or of the store of bundles. Null for any other error. */
export const explainFailure = (error: unknown): DeliveryFailed | null => {
  if (error instanceof DeliveryFailed) return error
  if (error instanceof SiteMissing)
    return new DeliveryFailed('Docket no longer has this bundle. Save it again, or deliver another release.')
  return error instanceof StorageFailed ? new DeliveryFailed(error.message, true) : null
}

/** Uses a target during a request. Rejects with `DeliveryFailed` after `limitMs`. */
export const useTarget = async <T>(
  open: () => Promise<DeliveryTarget>,
  limitMs: number,
  use: (target: DeliveryTarget, signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  const signal = AbortSignal.timeout(limitMs)
  const opening = open()
  const late = Promise.withResolvers<never>()
  signal.addEventListener('abort', () =>
    late.reject(new DeliveryFailed(`The target did not answer in ${limitMs / 1000} s.`, true)),
  )
  try {
    return await Promise.race([opening.then((target) => use(target, signal)), late.promise])
  } finally {
    // A target that hangs must not delay the response.
    void opening.then((target) => target.close()).catch(() => {})
  }
}
