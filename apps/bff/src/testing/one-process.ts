// Vitest runs this file before each file of tests; the modules it imports load once a process.

// A server of the local Admin API replaces the global Response, and what this module holds must have been made before
// that, as it is in Docket, where every import comes before the first server.
import '@hono/node-server/utils/response'
import { afterAll } from 'vitest'
import { killDockets } from '#testing/docket-process.ts'

afterAll(killDockets)
