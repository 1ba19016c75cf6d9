import { execFile } from 'node:child_process'
import { dirname, delimiter } from 'node:path'
import { promisify } from 'node:util'

const runFile = promisify(execFile)

/** A release that could not be made, as a sentence for the person who makes it. */
export class ReleaseProblem extends Error {
  override readonly name = 'ReleaseProblem'
}

/** Environment of every command: this Node first, and nothing that changes what is installed or built. */
export const buildEnvironment = (): NodeJS.ProcessEnv => {
  const { NODE_ENV: _mode, NODE_OPTIONS: _options, ...rest } = process.env
  return {
    ...rest,
    PATH: [dirname(process.execPath), rest['PATH']].join(delimiter),
    CI: 'true',
    LC_ALL: 'C.UTF-8',
    TZ: 'UTC',
  }
}

/** Runs a command in a folder. Resolves with its output. Throws `ReleaseProblem` with everything it printed. */
export const run = async (
  cwd: string,
  [command, ...args]: readonly [string, ...string[]],
  env: NodeJS.ProcessEnv = {},
): Promise<string> => {
  try {
    const { stdout } = await runFile(command, args, {
      cwd,
      env: { ...buildEnvironment(), ...env },
      maxBuffer: 256 << 20,
    })
    return stdout
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as Error & { stdout?: string; stderr?: string }
    throw new ReleaseProblem(`${[command, ...args].join(' ')} failed.\n${`${stdout}${stderr}`.trim() || message}`)
  }
}
