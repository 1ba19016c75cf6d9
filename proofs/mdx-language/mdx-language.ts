import type { Proof } from '#proofs/harness/proof.ts'
import { plant, type Fault } from '#proofs/harness/plant.ts'

const allPrograms = 40_000
const quickPrograms = 4_000
/** What a program may take, and one method more. */
const maxSteps = 40_000
/** Half of the limit on a page, for a busy machine. Milliseconds. */
const maxMs = 5_000

const faults: Fault[] = [
  {
    file: 'mdx-language/src/patterns.ts',
    instead: '  if (isFields(owner)) return owner.get(String(key))\n',
    write: '  if (isFields(owner)) return (owner as never)[key]\n',
  },
  {
    file: 'mdx-language/src/budget.ts',
    instead: '  if (!(budget.steps >= 0)) throw',
    write: '  if (false) throw',
  },
]

const double = (expression: string) =>
  Array.from({ length: 20 }, (_, at) => `const a${at + 1} = ${expression.replaceAll('$', `a${at}`)}`).join('\n')

/** Kinds of files that hold programs, in turn. */
const kinds = ['jsx', 'astro', 'vue']

/** Programs that would take a million steps. */
const bombs = [
  `const a0 = [1]\n${double('[$, $]')}\nexport default a20.flat(99).join("")`,
  `const a0 = <b>x</b>\n${double('<>{$}{$}</>')}\nexport default a20`,
  `const a0 = (x) => x\n${double('(x) => [$(x), $(x)]')}\nexport default a20("x").length`,
  'const n = Array.from({ length: 1000 })\nexport default n.map(() => n.map(() => 1)).length',
  'const f = (x) => f(x) + f(x)\nexport default f(1)',
]

/** Counts uses of what only the host has, so that a program that reaches one is noticed even if it hides the value. */
const setTraps = () => {
  const reached: string[] = []
  const trap = (owner: object, name: string) => {
    const before = Object.getOwnPropertyDescriptor(owner, name)
    Object.defineProperty(owner, name, {
      configurable: true,
      value: () => {
        reached.push(name)
        return undefined
      },
    })
    return () => {
      if (before) Object.defineProperty(owner, name, before)
      else Reflect.deleteProperty(owner, name)
    }
  }
  const undo = [
    ...['fetch', 'eval', 'setTimeout', 'queueMicrotask', 'structuredClone'].map((name) => trap(globalThis, name)),
    ...['exit', 'kill', 'cwd', 'getBuiltinModule'].map((name) => trap(process, name)),
    trap(Function.prototype, 'constructor'),
    trap(Object.prototype, '__defineGetter__'),
  ]
  return { reached, free: () => undo.forEach((free) => free()) }
}

/** Generated programs of MDX, Astro and Vue, most of them reaching for what the language does not have. */
export const proof: Proof = {
  name: 'mdx-language',
  bar: `of ${allPrograms.toLocaleString('en')} generated programs none reaches a value or function of the host, throws, or takes more than its steps and ${maxMs / 1000} s`,
  faults,
  run: async ({ planted, quick }) => {
    if (planted) plant(faults)
    const { playProgram } = await import('#packages/mdx-language/src/testing/outcome.ts')
    const { samplePrograms } = await import('#packages/mdx-language/src/testing/programs.ts')
    const sources = [
      ...bombs.flatMap((bomb) => kinds.map(() => bomb)),
      ...samplePrograms(quick ? quickPrograms : allPrograms, 20_261_123),
    ]
    const wrong: string[] = []
    const counts = { parsed: 0, foreign: 0, threw: 0, over: 0 }
    let slowestMs = 0
    const traps = setTraps()
    for (const [at, source] of sources.entries()) {
      const startMs = performance.now()
      try {
        const { parsed, foreign, steps } = playProgram(source, `program.${kinds[at % kinds.length]}`)
        if (parsed) counts.parsed += 1
        if (foreign.length > 0) counts.foreign += 1
        if (steps > maxSteps) counts.over += 1
        if ((foreign.length > 0 || steps > maxSteps) && wrong.length < 10) wrong.push(`${foreign.join()}: ${source}`)
      } catch (error) {
        counts.threw += 1
        if (wrong.length < 10) wrong.push(`${String(error)}: ${source}`)
      }
      slowestMs = Math.max(slowestMs, performance.now() - startMs)
    }
    traps.free()
    for (const line of wrong) console.log(`  ${line.slice(0, 500)}`)
    const { parsed, foreign, threw, over } = counts
    const reached = traps.reached.length
    return {
      ok: foreign + threw + over + reached === 0 && slowestMs < maxMs && parsed > sources.length / 2,
      figure: `${foreign} reached a value and ${reached} a function of the host, ${threw} threw, ${over} took too many steps, of ${parsed} programs that parse (${sources.length} in all); the slowest took ${Math.round(slowestMs)} ms`,
    }
  },
}
