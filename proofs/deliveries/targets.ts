import { folderTarget, type FolderOptions } from '#packages/site-delivery/src/drivers/folder.ts'
import { gitTarget, type GitTargetOptions } from '#packages/site-delivery/src/drivers/git.ts'
import { s3Target, type S3TargetOptions } from '#packages/site-delivery/src/drivers/s3.ts'
import { sftpTarget, type SftpOptions } from '#packages/site-delivery/src/drivers/sftp.ts'
import type { DeliveryTarget, SiteContent } from '#packages/site-delivery/src/delivery-target.ts'
import { builtSite } from '#packages/site-delivery/src/testing/test-site.ts'

/** A target as a worker is told about it. Plain values only. */
export type TargetOrder =
  | { kind: 'folder'; options: FolderOptions }
  | { kind: 'git'; options: GitTargetOptions }
  | { kind: 'sftp'; options: SftpOptions }
  | { kind: 's3'; options: Omit<S3TargetOptions, 'secretAccessKey'>; secret: string }

/** Opens one. */
export const openTarget = async (order: TargetOrder): Promise<DeliveryTarget> => {
  if (order.kind === 'folder') return folderTarget(order.options)
  if (order.kind === 'git') return gitTarget(order.options)
  if (order.kind === 'sftp') return sftpTarget(order.options)
  return s3Target({ ...order.options, secretAccessKey: () => order.secret })
}

/** The site of a build. */
export const buildSite = (build: string): SiteContent => builtSite(build, 3)
