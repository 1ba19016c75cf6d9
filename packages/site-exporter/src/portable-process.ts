import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { limitReports, serveOrder } from '@docket/site-bundle/analysis/serve-order'
import { ArchiveRefused } from '@docket/site-bundle/archive/archive-file'
import { NoPages } from '@docket/portable-site/built-site'
import { makePortable } from '@docket/portable-site/make-portable'
import { unpackArchive } from '@docket/portable-site/open-archive'
import { openSourceFolder } from '@docket/sources/source-folder'
import { portableSearch } from '#writer/search/portable-search.ts'
import type { PortableMessage, PortableUpload } from './make-upload-portable.ts'
import { packFolder } from './pack-folder.ts'

const noPage =
  'The archive has no page. Upload the folder that your generator builds, with its HTML files, such as build, dist or site.'

// Nothing is read from other hosts, because there is no `readRemote`.
serveOrder<PortableUpload, PortableMessage>(async ({ file, folder, domain }, send) => {
  const [unpacked, target, archive] = ['unpacked', 'portable', 'portable.tar.gz'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  const isDue = limitReports()
  const leftOut = await unpackArchive(file, unpacked)
  const origins = [`https://${domain}`, `http://${domain}`]
  const site = { folder: await openSourceFolder(unpacked, { leftOut }), mount: null, origins }
  const onPage = async (done: number, total: number) => {
    if (isDue(done, total)) await send({ kind: 'progress', done, total })
  }
  await makePortable(site, { domain, version: null, target, paths: null, search: portableSearch, onPage }).catch(
    (error: unknown) => {
      throw error instanceof NoPages ? new ArchiveRefused('refused', noPage) : error
    },
  )
  await rm(unpacked, { recursive: true })
  await packFolder(target, archive)
  return { kind: 'made' }
})
