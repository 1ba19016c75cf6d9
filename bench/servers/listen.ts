import { readFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Serves on a free port of 127.0.0.1 until SIGTERM, and prints the address. */
export const listen = (listener: RequestListener): void => {
  const server = createServer({ keepAliveTimeout: 75_000 }, listener)
  server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
  process.once('SIGTERM', () => process.exit(0))
}

/** Reads the input of this process from the bench. */
export const readInput = <T>(): T => JSON.parse(readFileSync(0, 'utf8')) as T
