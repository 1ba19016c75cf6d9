import type { Client } from 'pg'
import { forgetSecret } from '#secret/forget-secret.ts'
import { belongs, knownInstance } from '#secret/right-secret.ts'
import type { Secrets } from '#secret/secrets.ts'
import { BackupRefused } from './refused.ts'

/**
 * Makes sure that the restored Docket can start with the secret it will find. Without the right one it cannot read second factors: with
 * `withoutSecret` it removes them, and where nobody has one it needs none. Returns how many second factors were removed. Errors:
 * `BackupRefused`.
 */
export const settleSecret = async (
  client: Client,
  { secrets, withoutSecret }: { secrets: Secrets; withoutSecret: boolean },
): Promise<number> => {
  const known = await knownInstance(client)
  // A backup of an earlier version holds the secret itself, and the next start moves it out.
  if (known === null || known.secretCheck === null || belongs(known, secrets)) return 0
  const { rows } = await client.query<{ found: number }>('select count(*)::int as found from public.two_factors')
  const found = rows[0]!.found
  if (found > 0 && !withoutSecret)
    throw new BackupRefused(
      `The backup holds second factors (${found}), and ${secrets.current === null ? 'the instance secret that opens them is not here' : `the secret in ${secrets.from} does not open them`}. Set the AUTH_SECRET of the Docket that was backed up, or copy its docket.secret into DATA_DIR, and restore again. If it is lost, restore with --without-secret: these people then sign in with their password alone and set up their app again. Nothing was restored.`,
    )
  return forgetSecret(client)
}
