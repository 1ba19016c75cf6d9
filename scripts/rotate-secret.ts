import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { loseSecret, rotateSecret } from '#apps/bff/src/backup/rotate-secret.ts'
import { readConfig } from '#apps/bff/src/config/config.ts'
import { fail } from './backup/say.ts'

// `pnpm rotate-secret`: writes a new instance secret to DATA_DIR and keeps the current one beside it. `--lost`: gives
// up a lost secret.
const usage = 'Use: pnpm rotate-secret, or pnpm rotate-secret --lost when the secret is lost'

try {
  const { values } = parseArgs({ options: { lost: { type: 'boolean', default: false } } })
  const { databaseUrl, databaseDirectUrl, dataDir, authSecret } = await readConfig(process.env, (problem) =>
    console.error(problem),
  )
  const place = { databaseUrl: (databaseDirectUrl ?? databaseUrl)?.() ?? null, dataDir: resolve(dataDir) }
  if (values.lost) {
    const removed = await loseSecret(place)
    console.log(`The next start takes the secret it finds, or makes one. Removed second factors: ${removed}.`)
    console.log('Everybody signs in again.')
  } else if (authSecret !== null)
    throw new Error(
      'AUTH_SECRET is set: set a new one, set the current one as AUTH_SECRET_PREVIOUS, and restart Docket.',
    )
  else {
    const previous = await rotateSecret(place)
    console.log('Wrote a new instance secret. Restart Docket, which then encrypts second factors with it.')
    console.log('With several Dockets, copy both files to each of them before you restart any.')
    console.log(`Nobody is signed out while ${previous} is there. Delete it after 30 days.`)
  }
} catch (error) {
  fail(error, usage)
}
