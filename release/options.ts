import { parseArgs } from 'node:util'
import { resolve } from 'node:path'
import { architectures, type Architecture } from './platforms.ts'
import { ReleaseProblem } from './run.ts'

/** Printed by `pnpm release --help`. */
export const usage = `Use: pnpm release [options]
     pnpm release keys FOLDER

Builds the release of a commit. \`keys\` makes a pair of keys to sign releases with.

--commit REVISION        The commit; HEAD by default
--ignore-changes         Builds it although files are changed that are not committed. They are not in the release
--out FOLDER             Where the files go; dist/release by default
--architecture NAME      Only this one, x64 or arm64. May be repeated
--archive-only           No container image, which needs mmdebstrap from Debian
--debian-mirror URL      Where the packages of the image come from; deb.debian.org by default
--sign-key FILE          Signs SHA256SUMS with this secret key of minisign
--passphrase-file FILE   The password of that key, if it has one

SOURCE_DATE_EPOCH (seconds) is the time of every file; by default that of the commit.`

/** What to build. Paths are absolute. */
export type ReleaseOptions = {
  commit: string
  ignoreChanges: boolean
  out: string
  architectures: readonly Architecture[]
  image: boolean
  debianMirror: string | null
  signKey: string | null
  passphraseFile: string | null
}

/** What a person asked for. */
export type Task = { kind: 'help' } | { kind: 'keys'; folder: string } | ({ kind: 'release' } & ReleaseOptions)

const toArchitecture = (name: string): Architecture => {
  const found = architectures.find((one) => one === name)
  if (found === undefined)
    throw new ReleaseProblem(`There is no release for ${name}. Use ${architectures.join(' or ')}.`)
  return found
}

const options = {
  commit: { type: 'string', default: 'HEAD' },
  'ignore-changes': { type: 'boolean', default: false },
  out: { type: 'string', default: 'dist/release' },
  architecture: { type: 'string', multiple: true },
  'archive-only': { type: 'boolean', default: false },
  'debian-mirror': { type: 'string' },
  'sign-key': { type: 'string' },
  'passphrase-file': { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
} as const

const parse = (args: readonly string[]) => {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (error) {
    throw new ReleaseProblem(`${(error as Error).message}\n\n${usage}`)
  }
}

/** Reads the arguments. Paths are relative to `from`. Throws `ReleaseProblem`. */
export const readTask = (args: readonly string[], from: string): Task => {
  const { values, positionals } = parse(args)
  if (values.help) return { kind: 'help' }
  const [word, folder, ...more] = positionals
  if (word === 'keys' && folder !== undefined && more.length === 0)
    return { kind: 'keys', folder: resolve(from, folder) }
  if (word !== undefined) throw new ReleaseProblem(usage)
  const path = (name: string | undefined) => (name === undefined ? null : resolve(from, name))
  if (values['passphrase-file'] !== undefined && values['sign-key'] === undefined)
    throw new ReleaseProblem('--passphrase-file belongs to --sign-key. Name the key too.')
  const wanted = [...new Set((values.architecture ?? architectures).map(toArchitecture))]
  return {
    kind: 'release',
    commit: values.commit,
    ignoreChanges: values['ignore-changes'],
    out: resolve(from, values.out),
    architectures: wanted,
    // The image is for x64.
    image: !values['archive-only'] && wanted.includes('x64'),
    debianMirror: values['debian-mirror'] ?? null,
    signKey: path(values['sign-key']),
    passphraseFile: path(values['passphrase-file']),
  }
}
