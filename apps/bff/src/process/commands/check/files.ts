import { access, constants, readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { DataDirInUse, lockDataDir } from '@docket/embedded-postgres'
import { environment } from '#ground/config/environment.ts'
import { VariableDescription } from '#ground/config/variable.ts'
import { findNextLevel, readSpace } from '#process/disks/watch-disks.ts'
import { describeFailure } from '#ground/log/failure.ts'
import { locatePreviousSecretFile, locateSecretFile } from '#ground/secret/secrets.ts'
import { fine, unwise, wrong, type Finding } from './finding.ts'

const formatMode = (mode: number) => `0${(mode & 0o777).toString(8)}`

/** Files with secrets that the settings name, by setting. */
const listSecretFiles = (env: NodeJS.ProcessEnv): { name: string; file: string }[] =>
  Object.entries(environment.shape).flatMap(([name, schema]) => {
    const file = env[name]?.trim()
    const holdsSecret =
      VariableDescription.parse(schema.meta()).fileOf !== undefined ||
      ['LOCAL_CODE_HOSTS_FILE', 'AGENT_COMMAND_ENV_FILE', 'AGENT_COMMIT_SIGNING_KEY_FILE'].includes(name)
    return holdsSecret && file ? [{ name, file }] : []
  })

const checkSecretFile = async (name: string, file: string): Promise<Finding[]> => {
  const found = await stat(file).catch(() => null)
  // A missing file is already reported as an error of the configuration.
  if (found === null || !found.isFile()) return []
  const own = process.getuid?.()
  const findings: Finding[] = []
  if ((found.mode & 0o026) !== 0)
    findings.push(
      unwise(
        `${name}: ${(found.mode & 0o022) === 0 ? 'everyone on this machine can read' : 'others can change'} ${file} (mode ${formatMode(found.mode)}). Set its mode to 0600.`,
      ),
    )
  if (own !== undefined && own !== 0 && found.uid !== own && found.uid !== 0)
    findings.push(
      unwise(`${name}: ${file} belongs to another user (${found.uid}), who can change it. Own it yourself.`),
    )
  return findings
}

const checkKeyFolder = async (folder: string): Promise<Finding[]> => {
  const names = await readdir(folder).catch(() => null)
  if (names === null) return [wrong(`CONNECTION_KEYS_DIR: ${folder} is no folder that Docket can read.`)]
  return (await Promise.all(names.map((name) => checkSecretFile('CONNECTION_KEYS_DIR', join(folder, name))))).flat()
}

const findExisting = async (path: string): Promise<string> =>
  (await stat(path).catch(() => null)) === null && dirname(path) !== path ? findExisting(dirname(path)) : path

const checkRoom = async (folder: string): Promise<Finding> => {
  const space = await readSpace(folder)
  // Some network file systems have no size.
  if (space.totalBytes === 0) return fine('The disk of DATA_DIR does not say how large it is.')
  const share = Math.round((space.freeBytes / space.totalBytes) * 100)
  const said = `${(space.freeBytes / 1e9).toFixed(1)} GB (${share} %) of the disk of DATA_DIR are free`
  if (findNextLevel('fine', space) === 'fine') return fine(`${said}.`)
  return unwise(`Only ${said}. Free some before Docket stops storing bundles.`)
}

const checkLock = async (dataDir: string): Promise<Finding[]> => {
  // Locking would create the file.
  if ((await stat(join(dataDir, 'docket.lock')).catch(() => null)) === null) return []
  try {
    const unlock = await lockDataDir(dataDir, 0)
    unlock()
    return []
  } catch (error) {
    return [
      error instanceof DataDirInUse
        ? fine(`A Docket, or one of its commands, uses ${dataDir} now. A second one would not start on it.`)
        : wrong(`${join(dataDir, 'docket.lock')} cannot be locked (${describeFailure(error)}).`),
    ]
  }
}

const checkDataDir = async (dataDir: string): Promise<Finding[]> => {
  const folder = await findExisting(dataDir)
  const found = await stat(folder)
  if (!found.isDirectory()) return [wrong(`DATA_DIR: ${folder} is no folder.`)]
  const writable = await access(folder, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  )
  if (!writable) return [wrong(`DATA_DIR: this user (${process.getuid?.() ?? 'unknown'}) may not write to ${folder}.`)]
  const room = await checkRoom(folder)
  if (folder !== dataDir) return [fine(`DATA_DIR ${dataDir} does not exist yet. The first start creates it.`), room]
  return [
    ...((found.mode & 0o067) === 0
      ? []
      : [
          unwise(
            `DATA_DIR: other users of this machine may enter ${dataDir} (mode ${formatMode(found.mode)}). Set its mode to 0700.`,
          ),
        ]),
    room,
    ...(await checkLock(dataDir)),
  ]
}

/** Checks the folder of the data, and who can read or change the files with secrets. Changes nothing. */
export const checkFiles = async (env: NodeJS.ProcessEnv, dataDir: string): Promise<Finding[]> => {
  const keyFolder = env['CONNECTION_KEYS_DIR']?.trim()
  const inDataDir = [locateSecretFile(dataDir), locatePreviousSecretFile(dataDir), join(dataDir, 'local-admin-api.key')]
  const files = [...listSecretFiles(env), ...inDataDir.map((file) => ({ name: 'DATA_DIR', file }))]
  const findings = await Promise.all([
    ...files.map(({ name, file }) => checkSecretFile(name, file)),
    ...(keyFolder ? [checkKeyFolder(keyFolder)] : []),
    checkDataDir(dataDir).catch((error: unknown) => [wrong(`DATA_DIR: ${describeFailure(error)}.`)]),
  ])
  return findings.flat()
}
