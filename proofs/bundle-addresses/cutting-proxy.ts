import { createServer, request as forward } from 'node:http'
import { listenHere } from '#bench/harness/processes.ts'

/** Stands before a Docket as proxies do, and cuts two of three downloads somewhere in the middle. */
export const cuttingProxy = async (docketUrl: string) => {
  const seen = { cut: 0, resumed: 0 }
  let downloads = 0
  const server = createServer((incoming, outgoing) => {
    const { method, url = '', headers } = incoming
    const asked = forward(docketUrl + url, { method, headers: { ...headers, host: new URL(docketUrl).host } })
    asked.on('error', () => outgoing.destroy())
    asked.on('response', (response) => {
      const size = Number(response.headers['content-length'] ?? 0)
      const isPart = response.statusCode === 206
      const isDownload = url.startsWith('/bundles/') && (isPart || response.statusCode === 200)
      if (isPart) seen.resumed += 1
      outgoing.writeHead(response.statusCode ?? 500, response.headers)
      const isCut = isDownload && (downloads += 1) % 3 !== 0
      let left = isCut ? 1 + Math.floor(size * Math.random()) : Infinity
      if (isCut) seen.cut += 1
      response.on('data', (chunk: Buffer) => {
        if (left <= 0) return
        outgoing.write(chunk.subarray(0, left))
        left -= chunk.length
        // A moment later, so that what was sent arrives.
        if (left <= 0) setTimeout(() => outgoing.destroy(), 10)
      })
      response.on('end', () => (left > 0 ? outgoing.end() : undefined))
      response.on('error', () => outgoing.destroy())
    })
    incoming.pipe(asked)
  })
  return { seen, url: `http://127.0.0.1:${await listenHere(server)}` }
}
