import { parseArgs } from 'node:util'
import { readConfig, toDatabasePlace } from '#ground/config/config.ts'
import type { Command } from './command.ts'
import { forgetSecret, rotateSecretFile } from '#ground/secret/forget-secret.ts'
import { readKnownInstance, WrongSecret } from '#ground/secret/right-secret.ts'
import { refuseWhileInUse } from '#process/backup/fresh.ts'
import { type Place, withClient } from '#process/backup/database.ts'

const options = { application_name: 'docket-rotate-secret' }

/** The secret counts from the next start. Returns the file with the previous one. Throws `WrongSecret`. */
export const writeNewSecret = (place: Place): Promise<string> =>
  withClient(place, options, async (client) => rotateSecretFile(place.dataDir, await readKnownInstance(client)))

/**
 * Prepares for a new secret at the next start. Returns the number of second factors that it removed. Throws `WrongSecret` when no secret is
 * known, and `BackupRefused` while Docket runs.
 */
export const giveUpSecret = (place: Place): Promise<number> =>
  withClient(place, options, async (client) => {
    await refuseWhileInUse(client)
    const known = await readKnownInstance(client)
    if (known === null || known.secretCheck === null)
      throw new WrongSecret('This database knows no secret, so none can be lost. Start Docket.')
    await client.query('begin')
    const removed = await forgetSecret(client)
    await client.query('commit')
    return removed
  })

export const aboutSealed =
  'Nothing else was removed: keys of connections, tokens of code hosts and secrets of targets stay sealed. Enter them again, or set the lost secret as AUTH_SECRET_PREVIOUS once you find it.'

/** Writes a new instance secret to DATA_DIR and keeps the current one beside it. `--lost`: gives up a lost secret. */
export const rotateSecret: Command = async ({ args, env, print, warn }) => {
  const { values } = parseArgs({ args, options: { lost: { type: 'boolean', default: false } } })
  const config = await readConfig(env, warn)
  const place = toDatabasePlace(config)
  if (values.lost) {
    const removed = await giveUpSecret(place)
    print(`The next start takes the secret it finds, or makes one. Removed second factors: ${removed}.`)
    print(`Everybody signs in again. ${aboutSealed}`)
  } else if (config.authSecret !== null)
    throw new Error(
      'AUTH_SECRET is set: set a new one, set the current one as AUTH_SECRET_PREVIOUS, and restart Docket.',
    )
  else {
    const previous = await writeNewSecret(place)
    print('Wrote a new instance secret. Restart Docket, which then encrypts second factors with it.')
    print('With several Dockets, copy both files to each of them before you restart any.')
    print(`Nobody is signed out while ${previous} is there. Delete it after 30 days.`)
  }
  return 0
}
