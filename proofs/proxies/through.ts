import { request as askPlain } from 'node:http'
import { request, type RequestOptions } from 'node:https'
import { buffer } from 'node:stream/consumers'
import { connect } from 'node:tls'
import { hostName, type RunningProxy } from './proxy-servers.ts'

/** A response that came through a proxy. */
export type Reply = { status: number; headers: Record<string, string | string[] | undefined>; body: Buffer }

/** Address from which requests of this file come; the browser's come from 127.0.0.1. */
export const clientAddress = '127.0.0.2'

type Asked = { host?: string; method?: string; path: string; headers?: Record<string, string>; body?: Buffer | string }

const send = (
  ask: typeof request | typeof askPlain,
  port: number,
  certificates: string[],
  { host = hostName, method = 'GET', path, headers = {}, body }: Asked,
): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const options: RequestOptions = {
      host: '127.0.0.1',
      port,
      localAddress: clientAddress,
      servername: host,
      ca: certificates,
      agent: false,
      method,
      path,
      headers: { host, ...headers },
    }
    ask(options, (response) => {
      buffer(response).then(
        (bytes) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: bytes }),
        reject,
      )
    })
      .on('error', reject)
      .end(body)
  })

/** Sends a request through the proxy, over TLS, to Docket unless it names another host. Rejects without the right certificate. */
export const askThrough = ({ httpsPort, certificates }: RunningProxy, asked: Asked): Promise<Reply> =>
  send(request, httpsPort, certificates, asked)

/** Sends a request to the port without TLS. */
export const askWithoutTls = ({ httpPort }: RunningProxy, asked: Asked): Promise<Reply> =>
  send(askPlain, httpPort, [], asked)

/** Protocol that the proxy chooses when a client offers HTTP/2 and HTTP/1.1. */
export const readProtocol = (proxy: RunningProxy, host: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port: proxy.httpsPort, servername: host, ca: proxy.certificates }
    const socket = connect({ ...options, ALPNProtocols: ['h2', 'http/1.1'] }, () => {
      resolve(String(socket.alpnProtocol))
      socket.destroy()
    }).on('error', reject)
  })
