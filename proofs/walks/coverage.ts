// Loaded before a server: prints a port, and whoever asks there gets the files of which a function ran since the last
// time.

import { createServer } from 'node:http'
import { Session } from 'node:inspector/promises'
import type { AddressInfo } from 'node:net'
import { findCalled } from './called.ts'

const session = new Session()
session.connect()
await session.post('Profiler.enable')
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })

const server = createServer((_, response) => {
  void session
    .post('Profiler.takePreciseCoverage')
    .then(({ result }) => response.end(JSON.stringify(findCalled(result))))
}).listen(0, '127.0.0.1', () => console.log(`coverage at port ${(server.address() as AddressInfo).port}`))
server.unref()
