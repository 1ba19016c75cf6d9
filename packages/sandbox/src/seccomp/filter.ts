import { absentCalls, checkedCalls, forbiddenCalls, lastKnownCall, type CallNumbers } from './denied-calls.ts'

export type FilterArch = 'x64' | 'arm64'

const architectures = { x64: { audit: 0xc000003e, column: 0 }, arm64: { audit: 0xc00000b7, column: 1 } } as const

/** Offsets in `struct seccomp_data`. Checks the low half of arguments: the kernel ignores the rest of these. */
const at = { call: 0, architecture: 4, argument: (index: number) => 16 + 8 * index }
const code = { load: 0x20, jumpIfEqual: 0x15, jumpIfAbove: 0x25, jumpIfBits: 0x45, return: 0x06 }

const killProcess = 0x80000000
const allow = 0x7fff0000
const fail = (errno: number) => 0x00050000 | errno
const [EPERM, ENOSYS, EAFNOSUPPORT] = [1, 38, 97]

/** CLONE_NEWNS, CLONE_NEWCGROUP, CLONE_NEWUTS, CLONE_NEWIPC, CLONE_NEWUSER, CLONE_NEWPID and CLONE_NEWNET. */
const newNamespaces = 0x7e020000
/** TIOCSTI and TIOCLINUX, which type into a terminal. */
const typingIntoTerminals = [0x5412, 0x541c]
/** AF_UNIX, AF_INET and AF_INET6. */
const socketFamilies = [1, 2, 10]
/** The default personality, and the value that queries the current one. */
const personalities = [0, 0xffffffff]

type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, value: number]

const load = (offset: number): Instruction => [code.load, 0, 0, offset]
const give = (value: number): Instruction => [code.return, 0, 0, value]
const giveIfEqual = (equal: number, value: number): Instruction[] => [[code.jumpIfEqual, 0, 1, equal], give(value)]

/** Skips `checks`, which end with a verdict, for every other system call. */
const forCall = (call: number, checks: readonly Instruction[]): Instruction[] => [
  [code.jumpIfEqual, 0, checks.length, call],
  ...checks,
]

/** Kills programs of another architecture; x32 calls of x86-64 fail with ENOSYS. */
export const seccompFilter = (arch: FilterArch): Buffer => {
  const { audit, column } = architectures[arch]
  const numbers = (calls: Readonly<Record<string, CallNumbers>>) =>
    Object.values(calls).flatMap((call) => call[column] ?? [])
  const only = (argument: number, values: readonly number[], otherwise: number) => [
    load(at.argument(argument)),
    ...values.flatMap((value) => giveIfEqual(value, allow)),
    give(otherwise),
  ]
  return assemble([
    load(at.architecture),
    [code.jumpIfEqual, 1, 0, audit],
    give(killProcess),
    load(at.call),
    // x32 calls carry a high bit, so they are above it too.
    [code.jumpIfAbove, 0, 1, lastKnownCall],
    give(fail(ENOSYS)),
    ...numbers(absentCalls).flatMap((call) => giveIfEqual(call, fail(ENOSYS))),
    ...numbers(forbiddenCalls).flatMap((call) => giveIfEqual(call, fail(EPERM))),
    ...forCall(checkedCalls.clone[column], [
      load(at.argument(0)),
      [code.jumpIfBits, 0, 1, newNamespaces],
      give(fail(EPERM)),
      give(allow),
    ]),
    ...forCall(checkedCalls.socket[column], only(0, socketFamilies, fail(EAFNOSUPPORT))),
    ...forCall(checkedCalls.socketpair[column], only(0, socketFamilies, fail(EAFNOSUPPORT))),
    ...forCall(checkedCalls.ioctl[column], [
      load(at.argument(1)),
      ...typingIntoTerminals.flatMap((request) => giveIfEqual(request, fail(EPERM))),
      give(allow),
    ]),
    ...forCall(checkedCalls.personality[column], only(0, personalities, fail(EPERM))),
    give(allow),
  ])
}

/** Encodes instructions as `struct sock_filter`, in the byte order of both architectures. */
const assemble = (instructions: readonly Instruction[]): Buffer => {
  const bytes = Buffer.alloc(instructions.length * 8)
  for (const [index, [operation, ifTrue, ifFalse, value]] of instructions.entries()) {
    bytes.writeUInt16LE(operation, index * 8)
    bytes.writeUInt8(ifTrue, index * 8 + 2)
    bytes.writeUInt8(ifFalse, index * 8 + 3)
    bytes.writeUInt32LE(value >>> 0, index * 8 + 4)
  }
  return bytes
}
