import { expect, test } from 'vitest'
import { seccompFilter, type FilterArch } from './filter.ts'

/** Verdict of a filter on a system call, as the kernel computes it. */
const verdict = (filter: Buffer, call: { architecture: number; number: number; words?: readonly number[] }) => {
  const data = Buffer.alloc(64)
  data.writeUInt32LE(call.number >>> 0, 0)
  data.writeUInt32LE(call.architecture >>> 0, 4)
  for (const [index, word] of (call.words ?? []).entries()) data.writeUInt32LE(word >>> 0, 16 + 8 * index)
  let loaded = 0
  for (let at = 0; at < filter.length; at += 8) {
    const [code, value] = [filter.readUInt16LE(at), filter.readUInt32LE(at + 4)]
    const jump = (isTrue: boolean) => (at += 8 * filter.readUInt8(at + (isTrue ? 2 : 3)))
    if (code === 0x06) return { 0x7fff: 'allow', 0x8000: 'kill', 0x0005: `errno ${value & 0xffff}` }[value >>> 16]
    else if (code === 0x20) loaded = data.readUInt32LE(value)
    else if (code === 0x15) jump(loaded === value)
    else if (code === 0x25) jump(loaded > value)
    else if (code === 0x45) jump((loaded & value) !== 0)
    else throw new Error(`unknown instruction ${code}`)
  }
  throw new Error('no verdict')
}

const machines = [
  {
    arch: 'x64' as FilterArch,
    audit: 0xc000003e,
    calls: { read: 0, execve: 59, clone: 56, socket: 41, ioctl: 16, personality: 135, mount: 165, ptrace: 101 },
  },
  {
    arch: 'arm64' as FilterArch,
    audit: 0xc00000b7,
    calls: { read: 63, execve: 221, clone: 220, socket: 198, ioctl: 29, personality: 92, mount: 40, ptrace: 117 },
  },
]

test.each(machines)(
  'on $arch the filter allows ordinary system calls and refuses the others',
  ({ arch, audit, calls }) => {
    const filter = seccompFilter(arch)
    const ask = (number: number, ...words: number[]) => verdict(filter, { architecture: audit, number, words })
    for (const call of [calls.read, calls.execve]) expect(ask(call)).toBe('allow')
    for (const call of [calls.mount, calls.ptrace]) expect(ask(call)).toBe('errno 1')
    // clone3, a call that nobody knows yet, one of x32, and none.
    for (const call of [435, 470, 0x40000000, -1]) expect(ask(call)).toBe('errno 38')
    const [thread, fork, newUser] = [0x3d0f00, 0x1200011, 0x10000011]
    expect([ask(calls.clone, thread), ask(calls.clone, fork), ask(calls.clone, newUser)]).toEqual([
      'allow',
      'allow',
      'errno 1',
    ])
    expect([1, 2, 10, 16, 17, 38].map((family) => ask(calls.socket, family))).toEqual([
      'allow',
      'allow',
      'allow',
      'errno 97',
      'errno 97',
      'errno 97',
    ])
    const [size, type, linux] = [0x5413, 0x5412, 0x541c]
    expect([size, type, linux].map((request) => ask(calls.ioctl, 0, request))).toEqual(['allow', 'errno 1', 'errno 1'])
    expect([0, -1, 0x40000].map((persona) => ask(calls.personality, persona))).toEqual(['allow', 'allow', 'errno 1'])
    for (const other of machines.filter((machine) => machine.arch !== arch))
      expect(verdict(filter, { architecture: other.audit, number: calls.read })).toBe('kill')
  },
)
