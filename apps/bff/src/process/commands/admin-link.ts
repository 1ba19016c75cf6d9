import { resolve } from 'node:path'
import { makeSignInLinkOn } from '#people/accounts/first-start/sign-in-link.ts'
import { openForBackup } from '#process/backup/database.ts'
import { hasTwin } from '#ground/http/server/listen.ts'
import { readOwnName } from '#ground/data-folder.ts'
import { readConfig, toDatabasePlace } from '#ground/config/config.ts'
import type { Command } from './command.ts'

/** Prints a link that signs an admin in once, for an admin who lost their password. Docket may be running or stopped. */
export const adminLink: Command = async ({ args, env, usage, print, warn }) => {
  const [email, ...more] = args
  if (more.length > 0 || email?.startsWith('-') === true) throw new Error(usage)
  const config = await readConfig(env, warn)
  const { dataDir, publicUrl, host, port } = config
  const reached = await openForBackup(toDatabasePlace(config))
  try {
    const wanted = { now: Date.now(), ...(email !== undefined && { email }) }
    const link = await makeSignInLinkOn(reached.config, wanted)
    const name =
      (hasTwin(host) ? await readOwnName(resolve(dataDir)) : null) ?? (host.includes(':') ? `[${host}]` : host)
    const address = publicUrl?.origin ?? `http://${name}:${port}`
    print(`Open ${address}/link#${link.token} to sign in as ${link.name} (${link.email}).`)
    print(`It works once, until ${link.expiresAt.toISOString()}, while Docket runs at that address.`)
  } finally {
    await reached.close()
  }
  return 0
}
