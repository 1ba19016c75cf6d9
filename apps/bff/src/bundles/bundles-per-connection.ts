import type { PerConnection } from '#connections/per-connection.ts'
import type { BundleService } from './bundles.service.ts'

/** Bundles of exports at the connection that each belongs to. `conflict` while that connection is read-only. */
export const bundlesPerConnection = (
  findConnection: (exportId: string) => Promise<string>,
  connections: Pick<PerConnection<BundleService>, 'open'>,
): Omit<BundleService, 'close'> => {
  const at = async (exportId: string) => connections.open(await findConnection(exportId))
  return {
    link: async (exportId, by) => (await at(exportId)).link(exportId, by),
    prepare: async (exportId, by) => (await at(exportId)).prepare(exportId, by),
    redirect: async (exportId, by) => (await at(exportId)).redirect(exportId, by),
    peek: async (exportId) => (await at(exportId)).peek(exportId),
    download: async (exportId, ask, signal) => (await at(exportId)).download(exportId, ask, signal),
  }
}
