import { resolve } from 'node:path'
import { ConfigError, readConfig } from '#ground/config/config.ts'
import { findUnusableRepositories } from '#releases/targets/open-target.ts'
import { checkFiles } from './files.ts'
import { unwise, wrong, type Finding } from './finding.ts'
import { checkMachine } from './machine.ts'
import { checkSettings, findUnknownNames } from './settings.ts'

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
