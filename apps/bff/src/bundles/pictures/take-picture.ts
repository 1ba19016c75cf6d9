import { constants } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { sandboxOrigin } from '@docket/sandbox/bubblewrap-arguments'
import { sandboxLimits } from '@docket/sandbox/limits'
import { runInSandbox } from '@docket/sandbox/run-in-sandbox'
import { openWorkFolders, removeFolder, type WorkFolders } from '@docket/sandbox/work-folders'
import { listReaderPages } from '@docket/site-bundle/locator/page-address'
import type { StoredSite } from '@docket/site-bundle/open-site'
import { createOpenedSites, type OpenedSite } from '@docket/site-bundle/serve/opened-sites'
import { readBody, respondWithFile } from '@docket/site-bundle/serve/respond'
import { sendBody } from '#ground/http/server/send-file.ts'

const MiB = 1024 ** 2
const maxMs = 30_000
const maxBytes = 4 * MiB
const limits = { ...sandboxLimits, memory: 1024 * MiB, tasks: 512, file: 64 * MiB, checkout: 64 * MiB }

/** Neither scripts nor frames: what a page shows depends on its own files only. */
const headers = {
  'Content-Security-Policy':
    "default-src 'self' data: 'unsafe-inline'; script-src 'none'; frame-src 'none'; object-src 'none'; form-action 'none'; sandbox allow-same-origin",
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
}

const flags = [
  '--headless',
  // The browser's own sandbox needs namespaces, which this one forbids.
  '--no-sandbox',
  '--no-proxy-server',
  '--no-first-run',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--hide-scrollbars',
  '--force-prefers-reduced-motion',
  '--window-size=1280,800',
  '--user-data-dir=/tmp/profile',
  '--screenshot=/work/picture.png',
  // The picture is taken then, even if files are still missing.
  '--timeout=10000',
]

/** Takes a picture of the first page of a site; of an empty page without one. Rejects with a sentence when a limit ends it. */
export type TakePicture = (site: StoredSite | null, signal: AbortSignal) => Promise<Buffer>

export const createPictureTaker = (
  browser: string,
  { dataDir, hidden }: { dataDir: string; hidden: readonly string[] },
): TakePicture => {
  let folders: WorkFolders | undefined
  return async (stored, signal) => {
    const site = stored && (await createOpenedSites(() => stored, 1)(''))
    // Opening removes the folders of a running Docket, so a command that takes no picture must not do it.
    folders ??= await openWorkFolders(dataDir)
    const scratch = await folders.create()
    try {
      const checkout = join(scratch, 'tree')
      await mkdir(checkout)
      const first = new URL(stored === null ? '/' : await findFirstPage(stored), sandboxOrigin)
      const network = (socketPath: string) => serveSite(site, socketPath)
      const order = {
        words: [browser, ...flags, first.href] as const,
        input: '',
        scratch,
        checkout,
        hidden: [dataDir, ...hidden],
        settingFolders: ['/etc/chromium.d', '/etc/fonts'],
        network,
      }
      const timeout = AbortSignal.timeout(maxMs)
      const within = AbortSignal.any([signal, timeout])
      const { lines } = await runInSandbox(order, within, { limits }).catch((error: unknown) => {
        throw timeout.aborted ? new Error(`The browser took longer than ${maxMs / 1000} s.`) : error
      })
      return await readPicture(join(checkout, 'picture.png'), lines)
    } finally {
      await removeFolder(scratch)
    }
  }
}

const findFirstPage = async (site: StoredSite): Promise<string> => {
  const { pages } = await site.manifest()
  const readerPages = listReaderPages(pages)
  const to = pages.find(({ address }) => address === '/')?.redirectsTo ?? '/'
  const found = readerPages.find(({ address }) => address === to) ?? readerPages[0]
  return found?.address ?? '/'
}

/** What the browser left is not trusted: it may be a link, a pipe or anything else. */
const readPicture = async (path: string, lines: readonly string[]): Promise<Buffer> => {
  const none = () => new Error(`The browser took no picture: ${lines.at(-1) ?? 'it said nothing'}`)
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(() => null)
  if (file === null) throw none()
  try {
    const found = await file.stat()
    if (!found.isFile() || found.size > maxBytes) throw none()
    const picture = await file.readFile()
    if (!picture.subarray(0, 8).equals(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'))) throw none()
    return picture
  } finally {
    await file.close()
  }
}

const serveSite = async (site: OpenedSite | null, socketPath: string) => {
  const server = createServer((request, response) => {
    if (site === null) response.writeHead(200, { ...headers, 'Content-Type': 'text/html' }).end()
    else sendFile(site, request, response).catch(() => response.destroy())
  })
  await new Promise<void>((listening, reject) => {
    server.once('error', reject)
    server.listen(socketPath, listening)
  })
  return {
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

const sendFile = async ({ site, locate }: OpenedSite, request: IncomingMessage, response: ServerResponse) => {
  const [address = '/', query = ''] = (request.url ?? '/').split(/\?(.*)/s, 2)
  const located = await locate(address, query)
  if (located.kind === 'redirect')
    return void response.writeHead(located.status, { ...headers, Location: located.to }).end()
  if (located.kind === 'not_found') return void response.writeHead(located.status, headers).end()
  const { file, status } = located
  const { status: sent, headers: own, body } = respondWithFile(file, request, status)
  const content = await readBody(site, file.path, body)
  response.writeHead(sent, { ...own, ...headers })
  await sendBody(response, content)
}
