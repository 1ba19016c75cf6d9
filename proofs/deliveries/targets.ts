import type { DeliveryTarget, SiteContent } from '#packages/site-delivery/src/delivery-target.ts'
import { targetKinds, type TargetOptions } from '#packages/site-delivery/src/target-kinds.ts'
import { builtSite } from '#packages/site-delivery/src/testing/test-site.ts'

/** A target as a worker is told about it. Plain values only. */
export type TargetOrder =
  | { kind: 'folder'; options: TargetOptions['folder'] }
  | { kind: 'git'; options: TargetOptions['git'] }
  | { kind: 'sftp'; options: TargetOptions['sftp'] }
  | { kind: 's3'; options: Omit<TargetOptions['s3'], 'secretAccessKey'>; secret: string }

/** Opens one. */
export const openTarget = async (order: TargetOrder): Promise<DeliveryTarget> => {
  if (order.kind === 'folder') return targetKinds.folder(order.options)
  if (order.kind === 'git') return targetKinds.git(order.options)
  if (order.kind === 'sftp') return targetKinds.sftp(order.options)
  return targetKinds.s3({ ...order.options, secretAccessKey: () => order.secret })
}

/** The site of a build. */
export const buildSite = (build: string): SiteContent => builtSite(build, 3)
