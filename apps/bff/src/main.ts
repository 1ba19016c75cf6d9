import { readStartArguments } from '#process/service-arguments.ts'
import { run } from './run.ts'

const usage = 'Use: npm start, or npm start -- --no-workers'

await run(process.env, async () => {
  const given = readStartArguments(process.argv.slice(2), usage)
  return (await import('#start.ts')).startDocket(given)
})
