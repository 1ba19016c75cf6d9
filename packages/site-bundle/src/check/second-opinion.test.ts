import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { LinkChecker } from 'linkinator'
import { expect, test } from 'vitest'
import { breaks } from '#testing/planted-breaks.ts'
import { healthySite, page } from '#testing/planted-defects.ts'
import { checkContents } from '#testing/site.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'

/** A page for each defect, side by side. Addresses without a host stay as they are. */
const manyPages = (files: readonly [string, string][]) => ({
  ...healthySite,
  'index.html': page(files.map(([path]) => `<a href="/${encodeURI(path)}">.</a>`).join(''), '', 'Home'),
  ...Object.fromEntries(files),
})

/** Defects of one page that a crawler can see: it reads no redirects, scripts and other hosts, and takes templates for pages. */
const seen = breaks.filter(
  ({ name, files }) =>
    Object.keys(files).length === 1 && !/fragment|invalid|^image|module|fonts|refresh|blocking/.test(name),
)

test('linkinator finds the same broken links in the unpacked site, and none in the site without defects', async () => {
  for (const which of ['files', 'twin'] as const) {
    const site = manyPages(
      seen.map((defect) => [`planted/${defect.name.replaceAll(' ', '-')}.html`, defect[which]['planted/index.html']!]),
    )
    const folder = await temporaryFolder()
    for (const [path, content] of Object.entries(site)) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), content)
    }
    const { links } = await new LinkChecker().check({
      path: folder,
      recurse: true,
      cleanUrls: true,
      linksToSkip: ['^(?!http://localhost)', '/\\?$'],
    })
    const broken = links.flatMap(({ state, url }) =>
      state === 'BROKEN' ? decodeURIComponent(new URL(url, 'http://localhost').pathname).replace(folder, '') : [],
    )
    const { report } = await checkContents(site)
    const ours = report.findings.flatMap(({ level, target }) => (level === 'breaks' ? (target ?? []) : []))
    expect(ours.toSorted()).toEqual([...new Set(broken)].toSorted())
    expect(ours.length > 0).toBe(which === 'files')
  }
})
