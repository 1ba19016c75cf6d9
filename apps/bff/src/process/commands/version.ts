import { readEmbeddedVersion } from '@docket/embedded-postgres'
import { readOwnCommit, readOwnVersion } from '#process/start/own-version.ts'
import type { Command } from './command.ts'

export const listVersions = async (): Promise<string[]> => {
  const commit = await readOwnCommit()
  const postgres = await readEmbeddedVersion().catch(() => 'not installed')
  return [
    `Docket ${await readOwnVersion()}${commit === null ? '' : ` (${commit})`}`,
    `Node ${process.version} (${process.platform} ${process.arch})`,
    `Embedded PostgreSQL ${postgres}`,
  ]
}

export const version: Command = async ({ args, usage, print }) => {
  if (args.length > 0) throw new Error(usage)
  print((await listVersions()).join('\n'))
  return 0
}
