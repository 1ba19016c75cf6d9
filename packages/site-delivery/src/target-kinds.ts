import type { DeliveryTarget } from './delivery-target.ts'
import { openFolderTarget, type FolderOptions } from './drivers/folder.ts'
import type { GitTargetOptions } from './drivers/git.ts'
import type { S3TargetOptions } from './drivers/s3.ts'
import type { SftpOptions } from './drivers/sftp.ts'

export type TargetOptions = { folder: FolderOptions; s3: S3TargetOptions; git: GitTargetOptions; sftp: SftpOptions }

/** Opens a target of each kind. Nothing is sent before it is used. Drivers load when used, because their libraries are large. */
export const targetKinds: {
  readonly [Kind in keyof TargetOptions]: (options: TargetOptions[Kind]) => Promise<DeliveryTarget>
} = {
  folder: openFolderTarget,
  s3: async (options) => (await import('./drivers/s3.ts')).createS3Target(options),
  git: async (options) => (await import('./drivers/git.ts')).createGitTarget(options),
  sftp: async (options) => (await import('./drivers/sftp.ts')).createSftpTarget(options),
}
