import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '#ground/config/config.ts'
import { environment } from '#ground/config/environment.ts'
import { listSecrets } from '#ground/config/variable.ts'
import { previousSecretFile, secretFile } from '#ground/secret/secrets.ts'

/** Settings that are no secrets by themselves, and whose values name people, commands or halves of credentials. */
export const unshownSettings: readonly string[] = [
  ...listSecrets(environment.shape),
  'SETUP_ADMIN_EMAIL',
  'ARTIFACT_S3_ACCESS_KEY_ID',
  'LOCAL_S3_ACCESS_KEY_ID',
  'ADMIN_API_KEY_PREFIX',
  'AGENT_COMMAND',
  'AGENT_CHECK_COMMAND',
  'AGENT_COMMIT_AUTHOR',
  'AGENT_COMMIT_COMMITTER',
  'AGENT_PULL_REQUEST_REVIEWERS',
]

const maxFileBytes = 65_536

const readSmallFile = async (file: string | undefined): Promise<string> => {
  if (file === undefined || file === '') return ''
  const found = await stat(file).catch(() => null)
  // A pipe would wait for its writer.
  if (found === null || !found.isFile() || found.size > maxFileBytes) return ''
  return readFile(file, 'utf8').catch(() => '')
}

/** Passwords of an address, as written and as meant. */
const readPasswords = (address: string): string[] => {
  const url = URL.parse(address)
  if (url === null) return []
  const written = [url.password, url.searchParams.get('password') ?? '']
  return written.flatMap((text) => [text, URL.canParse(`x:${text}`) ? safeDecode(text) : text])
}

const safeDecode = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Every secret that this environment and its data folder hold, to be removed from everything that leaves. */
export const findKnownSecrets = async (
  env: NodeJS.ProcessEnv,
  dataDir: string,
  config: Config | null,
): Promise<Set<string>> => {
  const inEnvironment = await Promise.all(
    unshownSettings.map(async (name) => [env[name] ?? '', await readSmallFile(env[`${name}_FILE`]?.trim())]),
  )
  const keyFolder = env['CONNECTION_KEYS_DIR']?.trim()
  const keyNames = keyFolder ? await readdir(keyFolder).catch(() => []) : []
  const files = [
    secretFile(dataDir),
    previousSecretFile(dataDir),
    join(dataDir, 'local-admin-api.key'),
    ...keyNames.map((name) => join(keyFolder!, name)),
  ]
  const inFiles = await Promise.all(files.map(readSmallFile))
  const agentEnv = await readSmallFile(env['AGENT_COMMAND_ENV_FILE']?.trim())
  const hosts = (config?.local.codeHosts ?? []).map((host) => ('token' in host ? host.token() : host.app.privateKey()))
  const found = [
    ...inEnvironment.flat(),
    ...inFiles,
    ...hosts,
    ...agentEnv.split('\n').map((line) => line.slice(line.indexOf('=') + 1)),
  ].map((text) => text.trim())
  return new Set([...found, ...found.flatMap(readPasswords)].filter((text) => text !== ''))
}
