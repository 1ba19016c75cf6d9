import { run } from './run.ts'

await run(process.env, async () => (await import('#start.ts')).startDocket({ works: true }))
