import { type BundleNeeds, openBundles, openStore } from '#bundles/bundles.ts'
import type { BundleService } from '#bundles/download/bundles.service.ts'
import type { Ground } from '#ground/ground.ts'
import { onlyConnection } from '#testing/connection.ts'

/** Stored bundles without the lower areas. `readWhole` returns the service's bundle of every export. */
export const testBundles = (
  ground: Ground,
  options: {
    needs: BundleNeeds & { alone: boolean }
    readWhole: BundleService['readWhole']
    isEmbedded?: boolean
    hasRoom?: () => boolean
  },
) => {
  const { needs, readWhole, isEmbedded = false, hasRoom = () => true } = options
  const store = openStore(ground, needs)
  const here = { ...onlyConnection({ readWhole }), isEmbedded: () => isEmbedded }
  const bundles = openBundles(ground, {
    ...needs,
    store,
    registry: { ...here, addPart: () => here as never },
    bundleDelivery: 'stream',
    hasRoom,
  })
  return { store, ...bundles }
}
