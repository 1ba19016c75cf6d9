import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

/** Version of this Docket, from the server's package.json. */
export const readOwnVersion = async (): Promise<string> =>
  z
    .object({ version: z.string() })
    .parse(JSON.parse(await readFile(join(import.meta.dirname, '..', '..', 'package.json'), 'utf8'))).version
