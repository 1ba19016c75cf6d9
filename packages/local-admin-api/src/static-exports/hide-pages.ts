import type { SourceSite } from '#source/site.ts'
import type { SourceFolder } from '@docket/sources/source-folder'

/**
 * The folder of `whole` for a site with a part of its pages: the files of the others are not in the list, so that a link to one of them
 * does not bring its text along as a file. They can still be read, for pages that include them.
 */
export const hidePages = (folder: SourceFolder, whole: SourceSite, site: SourceSite): SourceFolder => {
  const wanted = new Set([...site.pages.values()].map(({ file }) => file))
  const hidden = new Set([...whole.pages.values()].map(({ file }) => file).filter((file) => !wanted.has(file)))
  // A document may stand for many pages, and be a file as well.
  const isHidden = (file: string) => hidden.has(file) && /\.mdx?$/i.test(file)
  return { ...folder, files: new Set([...folder.files].filter((file) => !isHidden(file))) }
}
