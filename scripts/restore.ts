import { resolve } from 'node:path'
import { restoreBackup } from '#apps/bff/src/backup/restore-backup.ts'
import { readConfig } from '#apps/bff/src/config.ts'
import { fail, listed } from './backup/say.ts'

// `pnpm restore <file>`: puts a backup into the empty Docket of this environment.
const usage = 'Use: pnpm restore <file>, with DATA_DIR or DATABASE_URL of a Docket that holds nothing yet'

try {
  const [given, ...more] = process.argv.slice(2)
  if (given === undefined || more.length > 0 || given.startsWith('-')) throw new Error(usage)
  const { databaseUrl, dataDir } = await readConfig(process.env, (problem) => console.error(problem))
  const file = resolve(process.env['INIT_CWD'] ?? '.', given)
  const place = { databaseUrl: databaseUrl?.() ?? null, dataDir: resolve(dataDir) }
  const manifest = await restoreBackup({ place, file })
  console.log(`Restored what Docket ${manifest.docket} knew at ${manifest.madeAt}: ${listed(manifest)}.`)
  console.log('Start Docket as usual. Everybody signs in again, and running records are watched from there on.')
} catch (error) {
  fail(error)
}
