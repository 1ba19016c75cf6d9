import { readStartArguments } from '#process/start/service-arguments.ts'
import { run } from './process/start/run.ts'

const usage = 'Use: npm start, or npm start -- --no-workers'

await run(process.env, async () => {
  const given = readStartArguments(process.argv.slice(2), usage)
  return (await import('#process/start/start.ts')).startDocket(given)
})
