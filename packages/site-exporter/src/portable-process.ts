import { join } from 'node:path'
import { type OrderFailure, serveOrder } from '@docket/site-bundle/analysis/serve-order'
import { exportSite } from './export-site.ts'
import { openSource } from './open-source.ts'
import { packFolder } from './pack-folder.ts'

/** `folder` is for the result `portable.tar.gz`. `domain` names the hosts whose absolute addresses are the site's own. */
export type PortableUpload = { file: string; folder: string; domain: string }
export type End = { kind: 'made' } | OrderFailure
export type PortableMessage = { kind: 'progress'; done: number; total: number } | End

// Nothing is read from other hosts, because the export names none.
serveOrder<PortableUpload, PortableMessage>(async ({ file, folder, domain }, send) => {
  const archive = { kind: 'archive', place: file, sha256: null, privateNetworks: [] } as const
  const opened = await openSource({ kind: 'built', of: archive }, folder, () => Promise.resolve())
  const built = { mount: null, origins: [`https://${domain}`, `http://${domain}`] }
  const target = join(folder, 'portable')
  const onPage = async (done: number, total: number) => {
    if (done % 8 === 0) await send({ kind: 'progress', done, total })
  }
  await exportSite({ ...opened, built }, { domain, version: null, paths: null, target }, { onPage })
  await packFolder(target, `${target}.tar.gz`)
  return { kind: 'made' }
})
