import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A server on a free loopback port that answers as a test likes. `close` cuts every connection. */
export const standInServer = async (listener: RequestListener) => {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections()
      return new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

/** Lets a test keep the answer to the next call back, and wait until a call has come. */
export const callTurnstile = () => {
  let hold: Promise<void> = Promise.resolve()
  let heard: (() => void)[] = []
  return {
    /** To be called by the stand-in when it has decided what to answer: resolves when it may be sent. */
    pass: async () => {
      const wait = hold
      hold = Promise.resolve()
      for (const call of heard) call()
      heard = []
      await wait
    },
    /** Keeps the answer to the next call back until the function it gives is called. */
    holdNext: () => {
      let release: () => void = () => {}
      hold = new Promise((resolve) => (release = resolve))
      return release
    },
    /** Resolves when `count` says so many calls. */
    reached: async (count: () => number, times: number) => {
      while (count() < times) await new Promise<void>((resolve) => heard.push(resolve))
    },
  }
}
