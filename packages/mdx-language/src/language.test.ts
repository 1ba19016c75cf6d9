import fc from 'fast-check'
import { expect, test } from 'vitest'
import { playProgram } from '#testing/outcome.ts'
import { programs, waysOut } from '#testing/programs.ts'
import { createBudget } from './budget.ts'
import { createRun, evaluate } from './evaluate.ts'
import { parseExpression, parseSource } from './parse-source.ts'
import { readLiterals } from './read-literals.ts'
import { runWithinBudget } from './run.ts'
import { createScope } from './scope.ts'
import { unknown } from './values.ts'

/** One step more than there are, or the charge of one method. */
const maxSteps = 40_000

const host = { element: () => [], hole: () => [] }

const readValue = (source: string) => {
  const run = createRun(createBudget(20_000, 100_000), host)
  return runWithinBudget(() => evaluate(parseExpression(source, 'expression.js'), createScope(null), run), unknown)
}

const kinds = ['program.jsx', 'program.astro', 'program.vue']

/** Replaces functions that only the host has, so that a call of one is noticed even if the program hides its value. */
const setTraps = () => {
  const reached: string[] = []
  const traps: readonly (readonly [object, readonly string[]])[] = [
    [globalThis, ['fetch', 'eval', 'setTimeout', 'queueMicrotask', 'structuredClone']],
    [process, ['exit', 'kill', 'cwd', 'getBuiltinModule']],
    [Function.prototype, ['constructor']],
    [Object.prototype, ['__defineGetter__']],
  ]
  const undo = traps.flatMap(([owner, names]) =>
    names.map((name) => {
      const before = Object.getOwnPropertyDescriptor(owner, name)!
      Object.defineProperty(owner, name, { configurable: true, value: () => void reached.push(name) })
      return () => Object.defineProperty(owner, name, before)
    }),
  )
  return { reached, [Symbol.dispose]: () => undo.forEach((free) => free()) }
}

test('generated programs stay within their budget, never throw, and reach no value or function of the host', () => {
  const samples = Number(process.env['SAMPLES'] ?? 1_500)
  let read = 0
  fc.assert(
    fc.property(programs, fc.constantFrom(...kinds), (source, file) => {
      using traps = setTraps()
      const { foreign, steps, parsed } = playProgram(source, file)
      if (parsed) read += 1
      return foreign.length === 0 && steps < maxSteps && traps.reached.length === 0
    }),
    { numRuns: samples, seed: 46 },
  )
  expect(read).toBeGreaterThan(samples / 2)
  expect(Object.keys(globalThis)).not.toContain('a')
})

test.each(waysOut)('%s is unavailable both as a member of any value and as a global name', (way) => {
  for (const owner of ['({})', '[]', '"text"', '1', 'true', '(() => 1)', '<b/>', '[1].map', 'String', '"".trim'])
    for (const source of [`${owner}.${way}`, `${owner}["${way}"]`, `(({ "${way}": x }) => x)(${owner})`]) {
      const { foreign, text } = playProgram(`export default ${source}`)
      expect([source, foreign, text]).toEqual([source, [], ''])
    }
  expect(playProgram(`export default ${way}`).text).toBe('')
})

test.each([
  ['1 + 2 * 3 - 4 / 2 + "!"', '5!'],
  ['[3, 1, 2].sort((a, b) => a - b).map((x, at) => `${at}:${x}`).join(" ")', '0:1 1:2 2:3'],
  ['"a-b-c".split("-").reverse().concat(["d"]).join("")', 'cbad'],
  ['Object.entries({ a: 1, b: 2 }).map(([key, value]) => key + value).join()', 'a1,b2'],
  ['(({ a = 1, ...rest }) => a + rest.b)({ b: 2, c: 3 })', 3],
  ['[[1, [2]], 3].flat().length', 3],
  ['"x".repeat(3).padStart(5, "-").toUpperCase()', '--XXX'],
  ['"a.a".replaceAll(".", "$1") + "aa".replace("a", "b")', 'a$1aba'],
  ['[1, 2, 3].filter((x) => x > 1).some((x) => x === 3) && [1].every((x) => x < 2)', true],
  ['[1, 2, 3].reduce((sum, x) => sum + x, 0) + [5, 6].find((x) => x > 5)', 12],
  ['({ a: { b: null } }).a?.b?.c?.d ?? "none"', 'none'],
  ['Math.max(...[1, 5, 3]) + Number("2") + String(null)', '7null'],
  [
    'JSON.stringify({ a: [1, "x", null, undefined, () => 1], b: undefined }, null, 2)',
    '{\n  "a": [\n    1,\n    "x",\n    null,\n    null,\n    null\n  ]\n}',
  ],
  ['btoa(JSON.stringify({ url: "https://a.b" })) + encodeURIComponent("ä&")', 'eyJ1cmwiOiJodHRwczovL2EuYiJ9%C3%A4%26'],
  ['Array.from({ length: 3 }, (_, at) => at * 2).join("")', '024'],
  ['((...all) => all.length)(1, 2, 3)', 3],
  ['typeof [] + typeof "" + typeof (() => 1)', 'objectstringfunction'],
])('%s evaluates to %j, as in JavaScript', (source, value) => {
  expect(readValue(source)).toBe(value)
  // oxlint-disable-next-line typescript/no-implied-eval -- the sources are those above
  expect(new Function(`return (${source})`)()).toBe(value)
})

test.each([
  ['a call of itself', 'export const f = (x) => f(x); export default f(1)'],
  ['a function given to itself', 'export const w = (x) => x(x); export default w(w)'],
  ['two components that use each other', 'const A = () => <B />; const B = () => <A />; export default <A />'],
  ['a constant that needs itself', 'const a = [b]; const b = [a]; export default b'],
  ['lists of lists of lists', `const a0 = [1, 1]; ${double('[a, a]')} export default a40.flat(99).join("")`],
  ['elements in elements', `const a0 = <b />; ${double('<>{a}{a}</>')} export default a40`],
  ['text that doubles', `const a0 = "aaaa"; ${double('a + a')} export default a40`],
  ['templates that double', `const a0 = "aaaa"; ${double('`${a}${a}`')} export default a40`],
  ['loops in loops', 'const n = Array.from({ length: 9999 }); export default n.map(() => n.map(() => n.map(() => 1)))'],
  ['functions in functions', `const a0 = (x) => x; ${double('(x) => [a(x), a(x)]')} export default a40("x").length`],
  ['a text that is too long', 'export default "x".repeat(1e9).padEnd(1e9)'],
  ['replacements that multiply', 'export default "x".repeat(9999).replaceAll("", "y".repeat(9999))'],
  ['parentheses', `export default ${'('.repeat(900)}1${')'.repeat(900)}`],
  ['members', `export default a${'.a'.repeat(3_000)}`],
  ['arrows', `export default ${'() => '.repeat(900)}1`],
])('a program with %s ends in time and within its budget', (_, source) => {
  const startMs = performance.now()
  for (const file of kinds) {
    const { foreign, steps } = playProgram(source, file)
    expect(foreign).toEqual([])
    expect(steps).toBeLessThan(maxSteps)
  }
  // A busy machine takes several times as long as an idle one.
  expect(performance.now() - startMs).toBeLessThan(20_000)
})

test('a component with hooks renders its initial state, and one that changes variables evaluates to unknown', () => {
  const shown = playProgram(
    `const Tabs = ({ items }) => { const [at, setAt] = useState(1); useEffect(() => { track() }, []); return <b onClick={() => setAt(2)}>{items[at]}</b> }
    export default <Tabs items={['one', 'two']} />`,
  )
  expect(shown.text).toBe('two')
  const changing = playProgram(
    'const Sum = ({ xs }) => { let sum = 0; xs.forEach((x) => { sum += x }); return <b>{sum}</b> }\nexport default <Sum xs={[1, 2]}>kept</Sum>',
  )
  expect(changing.text).toBe('kept')
})

test('TypeScript types are stripped from modules', () => {
  const source = `type P = { a: string }; interface Q { b?: number }
    export const A = ({ a }: P): unknown => <b>{(a as string)!.trim() satisfies string}</b>; export default <A a=" x " />`
  expect(playProgram(source, 'a.tsx').text).toBe('x')
})

test('in a configuration, an unlisted call evaluates to its first known argument, and an unknown value to undefined', () => {
  const source = `const base = process.env.BASE || '/docs'
    export default async function config() { return wrap({ base, ['a' + 1]: [...more, 1], f: () => ({ x: 1 }), now: Date.now(), d: import.meta.url, p: join(__dirname, 'p.json') }) }`
  const unread: string[] = []
  const read = (text: string) =>
    readLiterals(
      'a.ts',
      new Map([['a.ts', { program: parseSource(text, 'a.ts'), files: new Map() }]]),
      (place, reason) => unread.push(`${place}: ${reason}`),
    )
  expect(read(source.replace('async function', 'function*'))).toBeUndefined()
  expect(read(source)).toEqual({
    base: '/docs',
    a1: [1],
    f: { x: 1 },
    now: undefined,
    d: undefined,
    p: 'p.json',
  })
  expect(read('export default { base: process.env.BASE, list: [1, new X()] }')).toEqual({ list: [1, undefined] })
  expect(unread).toEqual([
    ': the generator config',
    'a part of a1: the name more',
    'now: a call of Date.now()',
    'd: a MetaProperty',
    'base: process.env.BASE',
    'list.1: a NewExpression',
  ])
})

function double(expression: string): string {
  return Array.from({ length: 40 }, (_, at) => `const a${at + 1} = ${expression.replaceAll(/\ba\b/g, `a${at}`)};`).join(
    '',
  )
}
