import { readFile } from 'node:fs/promises'
import { parseEnv } from 'node:util'
import { reservedNames } from '#sandbox/bubblewrap-arguments.ts'

/** Variables of AGENT_COMMAND_ENV_FILE for the sandbox. Read at each run, so that a new key needs no restart. Rejects with a sentence. */
export const readEnvFile = async (path: string): Promise<Record<string, string>> => {
  const text = await readFile(path, 'utf8').catch(({ code }: NodeJS.ErrnoException) => {
    throw new Error(`AGENT_COMMAND_ENV_FILE cannot be read (${code}). Check the path and who may read it.`)
  })
  const variables = parseEnv(text) as Record<string, string>
  for (const [name, value] of Object.entries(variables)) {
    if (!/^[A-Z_]\w*$/i.test(name) || value.includes('\0'))
      throw new Error('AGENT_COMMAND_ENV_FILE has a line that is not NAME=value. Correct it.')
    if (isReserved(name))
      throw new Error(`AGENT_COMMAND_ENV_FILE sets ${name}, which the sandbox sets itself. Remove that line.`)
  }
  return variables
}

const isReserved = (name: string) => {
  const upper = name.toUpperCase()
  return (
    reservedNames.has(upper) ||
    /^(LD_|DOCKET_|BASH_FUNC_)|_PROXY$/.test(upper) ||
    ['ENV', 'BASH_ENV', 'IFS'].includes(upper)
  )
}
