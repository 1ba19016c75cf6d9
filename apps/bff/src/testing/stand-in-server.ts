import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A server on a free loopback port whose responses the test defines. `close` cuts every connection. */
export const standInServer = async (listener: RequestListener) => {
  const server = createServer((request, response) => {
    // Tests move their clock by hand, so the date of this machine would be another machine's time.
    response.sendDate = false
    listener(request, response)
  })
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

/** Lets a test hold back the response to the next call, and wait until a call has arrived. */
export const callTurnstile = () => {
  let hold: Promise<void> = Promise.resolve()
  let heard: (() => void)[] = []
  return {
    /** The stand-in calls this when it has decided on a response. Resolves when the response may be sent. */
    pass: async () => {
      const wait = hold
      hold = Promise.resolve()
      for (const call of heard) call()
      heard = []
      await wait
    },
    /** Holds back the response to the next call until the returned function is called. */
    holdNext: () => {
      let release: () => void = () => {}
      hold = new Promise((resolve) => (release = resolve))
      return release
    },
    /** Resolves when `count` returns this number of calls. */
    reached: async (count: () => number, times: number) => {
      while (count() < times) await new Promise<void>((resolve) => heard.push(resolve))
    },
  }
}
