import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { loseSecret, rotateSecret } from '#apps/bff/src/backup/rotate-secret.ts'
import { readConfig } from '#apps/bff/src/config.ts'
import { fail } from './backup/say.ts'

// `pnpm rotate-secret`: a new instance secret in DATA_DIR, with the present one beside it. `--lost`: goes on without the one that is gone.
const usage = 'Use: pnpm rotate-secret, or pnpm rotate-secret --lost when the secret is gone'

try {
  const { values } = parseArgs({ options: { lost: { type: 'boolean', default: false } } })
  const { databaseUrl, dataDir, authSecret } = await readConfig(process.env, (problem) => console.error(problem))
  const place = { databaseUrl: databaseUrl?.() ?? null, dataDir: resolve(dataDir) }
  if (values.lost) {
    const removed = await loseSecret(place)
    console.log(`The next start takes the secret it finds, or makes one. Removed second factors: ${removed}.`)
    console.log('Everybody signs in again.')
  } else if (authSecret !== null)
    throw new Error('AUTH_SECRET is set: set a new one, the present one as AUTH_SECRET_PREVIOUS, and restart Docket.')
  else {
    const previous = await rotateSecret(place)
    console.log('Wrote a new instance secret. Restart Docket, and it encrypts second factors with it.')
    console.log(`Nobody is signed out while ${previous} is there. Delete it after 30 days.`)
  }
} catch (error) {
  fail(error, usage)
}
