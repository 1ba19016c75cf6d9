import { resolve } from 'node:path'
import { makeSignInLinkOn } from '#apps/bff/src/accounts/first-start/sign-in-link.ts'
import { openForBackup } from '#apps/bff/src/backup/database.ts'
import { hasTwin } from '#apps/bff/src/http/server/listen.ts'
import { readOwnName } from '#apps/bff/src/data-folder/own-name.ts'
import { readConfig } from '#apps/bff/src/config/config.ts'
import { fail } from './backup/say.ts'

// `pnpm admin:link [email]`: a link that signs an admin in once, for whoever lost their password, while the Docket of
// this environment runs or not.
const usage = 'Use: pnpm admin:link [email address of an admin]'

try {
  const [email, ...more] = process.argv.slice(2)
  if (more.length > 0 || email?.startsWith('-') === true) throw new Error(usage)
  const { databaseUrl, databaseDirectUrl, dataDir, publicUrl, host, port } = await readConfig(process.env, (problem) =>
    console.error(problem),
  )
  const reached = await openForBackup({
    databaseUrl: (databaseDirectUrl ?? databaseUrl)?.() ?? null,
    dataDir: resolve(dataDir),
  })
  try {
    const wanted = { now: Date.now(), ...(email !== undefined && { email }) }
    const link = await makeSignInLinkOn(reached.config, wanted)
    const name =
      (hasTwin(host) ? await readOwnName(resolve(dataDir)) : null) ?? (host.includes(':') ? `[${host}]` : host)
    const address = publicUrl?.origin ?? `http://${name}:${port}`
    console.log(`Open ${address}/link#${link.token} to sign in as ${link.name} (${link.email}).`)
    console.log(`It works once, until ${link.expiresAt.toISOString()}, while Docket runs at that address.`)
  } finally {
    await reached.close()
  }
} catch (error) {
  fail(error, usage)
}
