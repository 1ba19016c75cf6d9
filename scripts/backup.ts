import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { makeBackup } from '#apps/bff/src/backup/make-backup.ts'
import { readConfig } from '#apps/bff/src/config.ts'
import { fail, listed, versionOfDocket } from './backup/say.ts'

// `pnpm backup [file]`: everything that the Docket of this environment knows, in one file.
const usage = 'Use: pnpm backup [file]'

try {
  const [given, ...more] = process.argv.slice(2)
  if (more.length > 0 || given?.startsWith('-') === true) throw new Error(usage)
  const { databaseUrl, dataDir } = await readConfig(process.env, (problem) => console.error(problem))
  const stamp = new Date().toISOString().replace(/[-:]|\.\d+/g, '')
  // Relative to where the person is, not to where pnpm runs scripts.
  const file = resolve(process.env['INIT_CWD'] ?? '.', given ?? `docket-backup-${stamp}.tar`)
  const place = { databaseUrl: databaseUrl?.() ?? null, dataDir: resolve(dataDir) }
  const manifest = await makeBackup({ place, file, docket: await versionOfDocket(), now: Date.now })
  const { size } = await stat(file)
  console.log(`Wrote ${file} (${(size / 1e6).toFixed(1)} MB): ${listed(manifest)}.`)
  console.log('It holds secrets, such as password hashes. Keep it as private as the database itself.')
} catch (error) {
  fail(error)
}
