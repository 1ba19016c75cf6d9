import { text } from 'node:stream/consumers'
import { scriptPrompts } from '#packages/doc-agent/src/testing/script-prompts.ts'
import { localAdminApi } from '#packages/local-admin-api/src/local-admin-api.ts'
import type { LocalAdminApiOptions } from '#packages/local-admin-api/src/options.ts'

// A local Admin API in a process of its own, with the options that come as JSON on its standard input.
scriptPrompts()
const options = JSON.parse(await text(process.stdin)) as LocalAdminApiOptions
const api = await localAdminApi(options)
process.once('SIGTERM', () => void api.close().then(() => process.exit(0)))
console.log(`listening at ${api.url} `)
