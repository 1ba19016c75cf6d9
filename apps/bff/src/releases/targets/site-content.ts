import { isLeftOut } from '@docket/site-bundle/locator/hidden-files'
import type { StoredSite } from '@docket/site-bundle/open-site'
import type { SiteContent } from '@docket/site-delivery/delivery-target'

/** The files below the root of a stored site that a delivery includes. */
export const readSiteContent = async (sum: string, site: StoredSite): Promise<SiteContent> => {
  const { files, root } = await site.manifest()
  return {
    sum,
    files: files
      .filter(({ path }) => path.startsWith(root) && !isLeftOut(path.slice(root.length)))
      .map(({ path, sizeBytes, sha256, type }) => ({ path: path.slice(root.length), sizeBytes, sha256, type })),
    open: (path) => site.read(root + path),
  }
}
