import { Client } from 'pg'
import { forgetSecret, rotateSecretFile } from '#ground/secret/forget-secret.ts'
import { knownInstance, WrongSecret } from '#ground/secret/right-secret.ts'
import { refuseWhileInUse } from './fresh.ts'
import { type Place, openForBackup } from './database.ts'

const withClient = async <T>(place: Place, work: (client: Client) => Promise<T>): Promise<T> => {
  await using ending = new AsyncDisposableStack()
  const { config, close } = await openForBackup(place)
  ending.defer(close)
  const client = new Client({ application_name: 'docket-rotate-secret', ...config })
  client.on('error', () => {})
  ending.defer(() => client.end().catch(() => {}))
  await client.connect()
  return await work(client)
}

/** Replaces the secret in the data folder for the next start, also while Docket runs. Returns the previous file. Throws `WrongSecret`. */
export const rotateSecret = (place: Place): Promise<string> =>
  withClient(place, async (client) => rotateSecretFile(place.dataDir, await knownInstance(client)))

/**
 * Makes room for a new secret at the next start. Returns how many second factors it removed. Throws `WrongSecret` when no secret is
 * known, `BackupRefused` while a Docket runs.
 */
export const loseSecret = (place: Place): Promise<number> =>
  withClient(place, async (client) => {
    await refuseWhileInUse(client)
    const known = await knownInstance(client)
    if (known === null || known.secretCheck === null)
      throw new WrongSecret('This database knows no secret, so none can be lost. Start Docket.')
    await client.query('begin')
    const removed = await forgetSecret(client)
    await client.query('commit')
    return removed
  })
