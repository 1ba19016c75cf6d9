import type { Command } from './process/commands/command.ts'
import { readStartArguments, readWorkerArguments } from './process/start/service-arguments.ts'

// `docket <command>` in a release, `pnpm docket <command>` in a checkout. Loads only the command that was asked for.

type Entry = {
  /** Arguments, as the usage shows them. */
  takes: string
  notes?: string
  about: string
  load: () => Promise<Command>
}

const commands: Readonly<Record<string, Entry>> = {
  start: {
    takes: '[--no-workers]',
    notes: '--no-workers leaves exports and agent jobs to `docket worker`. It needs DATABASE_URL.',
    about: 'Starts Docket.',
    load:
      async () =>
      async ({ args, env, usage }) => {
        const { run } = await import('./process/start/run.ts')
        const { works } = readStartArguments(args, usage)
        await run(env, async () => (await import('./process/start/start.ts')).startDocket({ works }))
        return 0
      },
  },
  worker: {
    takes: '[--exports n] [--agents n]',
    notes:
      'n: how many at once; 0 leaves them to others. Without, LOCAL_EXPORTS_AT_ONCE and AGENT_JOBS_AT_ONCE count. Needs the DATABASE_URL and the settings of the Docket that it works for.',
    about: 'Works on exports and agent jobs, without the page.',
    load:
      async () =>
      async ({ args, env, usage }) => {
        const { run } = await import('./process/start/run.ts')
        const amounts = readWorkerArguments(args, usage)
        await run(env, async () => (await import('./process/start/work.ts')).startWorker(amounts))
        return 0
      },
  },
  backup: {
    takes:
      '[file] [--artifacts] [--verify [--identity-file FILE]] [--passphrase-file FILE | --recipient age1… | --recipients-file FILE]',
    notes:
      '--artifacts includes the stored bundles of a folder. --verify restores the backup for a test and compares it; with a file, it makes no new one. --recipient may be repeated. A passphrase is read from a file only, so that no list of processes shows it.',
    about: 'Writes all data to one file.',
    load: async () => (await import('./process/commands/backup.ts')).backup,
  },
  restore: {
    takes: '<file> [--passphrase-file FILE | --identity-file FILE] [--without-secret] [--without-store]',
    notes:
      'DATA_DIR or DATABASE_URL must be of a Docket that holds nothing yet. --without-store: the store of the bundles is lost, so they count as missing until Docket finds them in its own store.',
    about: 'Puts a backup into an empty Docket.',
    load: async () => (await import('./process/commands/restore.ts')).restore,
  },
  'adopt-store': {
    takes: '[--leave]',
    notes: 'For a store that had bundles before the database knew it. --leave keeps them as they are.',
    about: 'Adopts the bundles in the store.',
    load: async () => (await import('./process/commands/adopt-store.ts')).adoptStore,
  },
  'admin-link': {
    takes: '[email address of an admin]',
    about: 'Prints a link that signs an admin in, once.',
    load: async () => (await import('./process/commands/admin-link.ts')).adminLink,
  },
  'audit-verify': {
    takes: '[export.jsonl] [--head <id>-<hash>]',
    about: 'Verifies the audit, or an export of it.',
    load: async () => (await import('./process/commands/audit-verify.ts')).auditVerify,
  },
  'rotate-secret': {
    takes: '[--lost]',
    notes: '--lost gives up a secret that is lost.',
    about: 'Replaces the instance secret.',
    load: async () => (await import('./process/commands/rotate-secret.ts')).rotateSecret,
  },
  'check-config': {
    takes: '[--reach] [--json]',
    notes:
      '--reach also connects to the database, the Admin API (one call), the bucket and the provider of single sign-on. Ends with 1 if something is wrong.',
    about: 'Says what is wrong or unwise before a start.',
    load: async () => (await import('./process/commands/check-config.ts')).checkConfig,
  },
  'support-bundle': {
    takes: '[file]',
    about: 'Writes facts for support to one file, without secrets.',
    load: async () => (await import('./process/commands/support-bundle.ts')).supportBundle,
  },
  version: {
    takes: '',
    about: 'Prints the versions of Docket, Node and PostgreSQL.',
    load: async () => (await import('./process/commands/version.ts')).version,
  },
}

/** Time for the output of a finished command. Milliseconds. */
const lingerMs = 5_000

const print = (line: string) => void process.stdout.write(`${line}\n`)
const warn = (line: string) => void process.stderr.write(`${line}\n`)

const list = [
  'Use: docket <command> [arguments]. In a checkout: pnpm docket <command>',
  '',
  ...Object.entries(commands).map(([name, { about }]) => `  ${name.padEnd(16)}${about}`),
  '',
  'docket <command> --help prints the arguments of a command. Settings come from the environment.',
].join('\n')

const run = async (name: string | undefined, args: string[]): Promise<number> => {
  if (name === undefined || ['help', '--help', '-h'].includes(name)) {
    print(list)
    return 0
  }
  const entry = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (entry === undefined) {
    warn(`Docket has no command ${name}.\n\n${list}`)
    return 2
  }
  const usage = [
    `Use: docket ${name} ${entry.takes}`.trimEnd(),
    ...(entry.notes === undefined ? [] : [entry.notes]),
    `In a checkout: pnpm docket ${name}`,
  ].join('\n')
  if (args.includes('--help') || args.includes('-h')) {
    print(usage)
    return 0
  }
  try {
    const command = await entry.load()
    // Paths are relative to where the person is, not to where pnpm runs scripts.
    return await command({ args, env: process.env, from: process.env['INIT_CWD'] ?? '.', usage, print, warn })
  } catch (error) {
    const { sayFailure } = await import('./process/commands/say.ts')
    warn(sayFailure(error, usage))
    return 1
  }
}

// A program that reads only the first line may close the pipe.
process.stdout.on('error', () => {})
process.stderr.on('error', () => {})
const [name, ...args] = process.argv.slice(2)
const code = await run(name, args)
if (code !== 0) process.exitCode = code
// A service that stopped answering may leave a connection open, which must not keep a finished command.
if (name !== 'start' && name !== 'worker') setTimeout(() => process.exit(), lingerMs).unref()
