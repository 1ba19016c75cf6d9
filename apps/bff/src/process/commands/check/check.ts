import { resolve } from 'node:path'
import { readFile } from 'node:fs/promises'
import { url as debuggerAddress } from 'node:inspector'
import { ConfigError, readConfig } from '#ground/config/config.ts'
import { findUnusableRepositories } from '#releases/targets/open-target.ts'
import { checkFiles } from './files.ts'
import { unwise, wrong, type Finding } from './finding.ts'
import { checkSettings, findUnknownNames } from './settings.ts'

/** No Docket of this version ran before this year. */
const firstYear = 2026

const checkCoreDumps = async (): Promise<Finding[]> => {
  const [limits, pattern] = await Promise.all(
    ['/proc/self/limits', '/proc/sys/kernel/core_pattern'].map((file) => readFile(file, 'utf8').catch(() => '')),
  )
  const soft = /^Max core file size +(\S+)/m.exec(limits!)?.[1]
  if (pattern!.startsWith('|'))
    return [
      unwise(
        'kernel.core_pattern is a pipe, so a crash could store Docket’s memory, secrets included. Turn the collector off for Docket.',
      ),
    ]
  return soft === undefined || soft === '0'
    ? []
    : [
        unwise(
          'A crash could write Docket’s memory, secrets included, to a core file. Set the limit to 0 (ulimit -c 0, LimitCORE=0, --ulimit core=0).',
        ),
      ]
}

/** Checks this process and its machine: clock, debugger, user, core dumps. */
const checkMachine = async (now: number): Promise<Finding[]> => [
  ...(new Date(now).getUTCFullYear() < firstYear
    ? [wrong(`The clock of this machine says ${new Date(now).toISOString()}. Set it: sign-in and links depend on it.`)]
    : []),
  ...(debuggerAddress() === undefined
    ? []
    : [
        wrong(
          'Node was started with a debugger (--inspect, perhaps in NODE_OPTIONS). Docket refuses to start with it.',
        ),
      ]),
  ...(process.getuid?.() === 0 ? [unwise('Docket runs as root and needs no root. Give it a user of its own.')] : []),
  ...(await checkCoreDumps()),
]

/** Data folder of an environment, even of one with mistakes. */
export const findDataDir = (env: NodeJS.ProcessEnv): string => resolve(env['DATA_DIR']?.trim() || './data')

/** Reads the configuration. Null with its mistakes when it has some. */
export const readSettings = async (env: NodeJS.ProcessEnv) => {
  const findings: Finding[] = []
  try {
    return { config: await readConfig(env, (problem) => findings.push(unwise(problem))), findings }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return { config: null, findings: error.problems.map(wrong) }
  }
}

/** Everything that can be found out about an environment before a start. Connects somewhere only with `reach`. */
export const checkAll = async (env: NodeJS.ProcessEnv, { reach }: { reach: boolean }): Promise<Finding[]> => {
  const { config, findings } = await readSettings(env)
  return [
    ...findings,
    ...findUnknownNames(env),
    ...(config === null ? [] : checkSettings(config)),
    ...(config === null ? [] : (await findUnusableRepositories(config.targets)).map(wrong)),
    ...(await checkFiles(env, findDataDir(env))),
    ...(await checkMachine(Date.now())),
    ...(reach && config !== null ? await (await import('./services.ts')).checkServices(config) : []),
  ]
}
