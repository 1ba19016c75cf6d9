import { request as ask } from 'node:http'
import { text } from 'node:stream/consumers'
import pino from 'pino'
import { previewAddress } from '#ground/config/preview-address.ts'
import { serveHelp } from '#overview/help/serve-help.ts'
import type { Guide } from '#overview/help/stored-guide.ts'
import { createHostedHosts } from '#releases/hosting/hosted-hosts.ts'
import { startServer } from '#ground/http/server/server.ts'

/** Only the user guide, as a process with these addresses serves it. `get` sends a request under any host name. */
export const startHelpServer = async (
  guide: Guide,
  { publicUrl, hostingUrl }: { publicUrl?: string; hostingUrl?: string } = {},
) => {
  const hosts =
    publicUrl === undefined
      ? { publicUrl: null, ownName: 'docket-0123456789ab.localhost' }
      : { publicUrl: new URL(publicUrl), ownName: null }
  const log = pino({ level: 'silent' })
  const server = await startServer({
    fetch: () => new Response('Docket', { status: 418 }),
    first: serveHelp({
      hosts,
      hostedHosts: createHostedHosts({
        hosts,
        hostingUrl: hostingUrl === undefined ? null : previewAddress.parse(hostingUrl),
        previewUrl: null,
        isPreview: () => false,
      }),
      guide,
      log,
    }),
    host: '127.0.0.1',
    port: 0,
    log,
  })
  return {
    port: server.port,
    get: (host: string, path: string, headers: Record<string, string> = {}, method = 'GET') =>
      new Promise<{ status: number; headers: Record<string, string | string[] | undefined>; body: string }>(
        (resolve, reject) => {
          const options = { host: '127.0.0.1', port: server.port, path, method, headers: { ...headers, host } }
          ask({ ...options, agent: false }, (response) => {
            text(response).then(
              (body) => resolve({ status: response.statusCode!, headers: response.headers, body }),
              reject,
            )
          })
            .on('error', reject)
            .end()
        },
      ),
    close: () => server.stop(0),
  }
}
