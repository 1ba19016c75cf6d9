import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { role } from './cluster.ts'

/**
 * How to reach the server that another process of this user runs on a data directory; undefined while none is ready there. It may end at any
 * moment: the one who started it decides.
 */
export const findRunningServer = async (
  dataDir: string,
): Promise<{ host: string; port: number; user: string; database: string } | undefined> => {
  const content = await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').catch(() => '')
  const [, , , port, host, , , state] = content.split('\n').map((line) => line.trim())
  if (state !== 'ready' || host === undefined || host === '') return undefined
  return { host, port: Number(port), user: role, database: 'postgres' }
}
