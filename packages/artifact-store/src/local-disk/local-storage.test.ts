import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { onTestFinished } from 'vitest'
import { storageContract } from '#testing/storage-contract.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { linkPath, createLocalStorage, createSignedLinks } from './local-storage.ts'
import { createStorageRoutes } from './storage.routes.ts'

storageContract('the local disk', async () => {
  const time = { shiftMs: 0 }
  let origin = ''
  const storage = createLocalStorage({
    folder: await temporaryFolder(),
    links: createSignedLinks(crypto.getRandomValues(new Uint8Array(32))),
    origin: () => origin,
    now: () => new Date(Date.now() + time.shiftMs),
  })
  const app = new Hono().route(linkPath, createStorageRoutes(storage))
  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1', overrideGlobalObjects: false })
  await new Promise((resolve) => server.once('listening', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  onTestFinished(() => {
    server.close()
    if ('closeAllConnections' in server) server.closeAllConnections()
  })
  return { storage, time }
})
