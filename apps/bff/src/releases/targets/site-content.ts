import type { TargetSettings } from '@docket/api-types/targets'
import { isHostRule, isLeftOut } from '@docket/site-bundle/locator/hidden-files'
import type { StoredSite } from '@docket/site-bundle/open-site'
import { DeliveryFailed, type SiteContent } from '@docket/site-delivery/delivery-target'
import { findSiteFolder, placeSite } from '@docket/site-delivery/mounted-site'

const readPlace = (settings: TargetSettings) =>
  settings.kind === 'folder' ? settings.path : settings.kind === 's3' ? settings.prefix : settings.folder

/** Folder of a target that a site belongs in. Throws `DeliveryFailed` when readers of the target can't get what is at the site's path. */
export const chooseSiteFolder = (mount = '/', settings: TargetSettings): string => {
  const { address } = settings
  // Hosts of branches put the name of the repository before the site.
  if (address === null && settings.kind === 'git') return ''
  const folder = findSiteFolder(mount, address, readPlace(settings))
  if (folder !== null) return folder
  throw new DeliveryFailed(
    `The site is built for ${mount}, and readers find this target at ${address}. Build the site for that path, or deliver it to a place at ${new URL(mount, address!).href} instead.`,
  )
}

/** The files of a stored site that a delivery includes, where the target's readers look for them. */
export const readSiteContent = async (
  sum: string,
  site: StoredSite,
  settings: TargetSettings,
): Promise<SiteContent> => {
  const { files, root, mount } = await site.manifest()
  const content = {
    sum,
    files: files
      .filter(({ path }) => path.startsWith(root))
      .map((file) => ({ ...file, path: file.path.slice(root.length) }))
      .filter(({ path }) => !isLeftOut(path) && (settings.kind === 'git' || !isHostRule(path))),
    open: (path: string) => site.read(root + path),
  }
  return placeSite(content, chooseSiteFolder(mount, settings))
}
