import { removeLeftOut, type ConfigurationFile, type HostedSite } from './hosted-site.ts'
import { writeHeadersFile } from './headers-file.ts'
import { noteLeftOut, writeRedirectLines } from './redirect-lines.ts'
import { writeComment } from './text.ts'

export const writeNetlify = (site: HostedSite): ConfigurationFile[] => {
  const { path, root, notFound, name, sha256 } = site
  const { exact, prefixes, leftOut } = writeRedirectLines(site)
  const needsRule = notFound !== null && (path !== '/' || notFound !== '404.html')
  const head = writeComment('#', [
    `${name} on Netlify, made by Docket from the bundle ${sha256}.`,
    path === '/'
      ? `Put _redirects and _headers into ${root === '' ? 'the folder of the unpacked bundle' : 'the folder of the site in the unpacked bundle'}, in place of its own, and publish that folder.`
      : `Move the site to a folder ${path.slice(1)}, put _redirects and _headers beside its first folder, and publish the folder above.`,
    removeLeftOut,
    'Netlify serves files before redirects, and answers 301 where Docket answers 308.',
    ...site.notes,
    ...noteLeftOut(leftOut),
  ])
  const lines = [...exact, ...prefixes].map(({ text }) => text)
  const text = [head, '', ...lines, ...(needsRule ? [`${path}* ${path}${notFound} 404`] : []), ''].join('\n')
  return [{ name: '_redirects', text }, writeHeadersFile(site, [])]
}
