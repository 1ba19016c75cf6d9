import { readFile } from 'node:fs/promises'
import { url as debuggerAddress } from 'node:inspector'
import { unwise, wrong, type Finding } from './finding.ts'

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
export const checkMachine = async (now: number): Promise<Finding[]> => [
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
