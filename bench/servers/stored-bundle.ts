import { open, stat } from 'node:fs/promises'
import { sendDownload } from '#apps/bff/src/bundles/download/send-download.ts'
import { type DownloadCtx, downloadBundle } from '#apps/bff/src/bundles/download/stored-bundles.ts'
import { readFilePieces } from '#packages/artifact-store/src/local-disk/file-pieces.ts'
import { listen, readInput } from './listen.ts'

// Docket's own code for a stored bundle on the local disk, without router, sign-in and database.
const { file } = readInput<{ file: string }>()
const { size: sizeBytes } = await stat(file)
const unused = () => Promise.reject(new Error('The bench stores no site.'))
const ctx: DownloadCtx = {
  findStored: async () => ({
    sha256: '0'.repeat(64),
    ending: '.tar.gz',
    sizeBytes,
    read: async (range) => readFilePieces(await open(file), range),
    zip: { readSize: unused, read: unused },
    site: { find: unused, read: unused, readEncoded: unused },
  }),
  findRefusal: async () => null,
  findRight: async () => ({ isPublic: true, through: undefined }),
  records: {
    findBundle: async (exportId) => ({ exportId, jobId: null, name: 'bundle', sizeBytes }),
    findConnection: unused,
    recordBundle: async () => {},
    recordDownload: async () => {},
  },
  connections: {
    open: () => {
      throw new Error('The bundle is stored.')
    },
  },
}
const by = { name: 'bench' } as Parameters<typeof downloadBundle>[3]['by']
const request = {
  isHead: false,
  range: undefined,
  ifRange: undefined,
  ifNoneMatch: undefined,
  acceptEncoding: undefined,
}

listen((_, response) => {
  void downloadBundle(ctx, 'bench', request, { by, signal: new AbortController().signal })
    .then((download) => sendDownload(download, response, { requestId: 'bench', stalledMs: 120_000 }))
    .catch(() => response.destroy())
})
