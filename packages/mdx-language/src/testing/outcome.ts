import type { ElementContent, Properties } from 'hast'
import { createAstroComponent, parseAstro } from '#astro.ts'
import { createBudget } from '#budget.ts'
import { readModule } from '#modules.ts'
import { parseSource } from '#parse-source.ts'
import { createRun } from '#evaluate.ts'
import { toNodes, type Host, type Run } from '#run.ts'
import { createTemplateEvaluator } from '#template.ts'
import { isCallable, isFields, isList, isMarkup, isUnknown, markup, type Callable, type Value } from '#values.ts'
import { openVueScript } from '#vue.ts'

/** Result of a program: its text, its forbidden values, and its cost. */
export type Outcome = {
  parsed: boolean
  text: string
  foreign: string[]
  steps: number
  ended: 'by itself' | 'by budget'
}

const steps = 20_000
const size = 50_000

/** Evaluates a module, or the same program as a component in an `.astro` or `.vue` file; calls every function it returns, and checks each value for objects of the host. */
export const playProgram = (source: string, file = 'program.jsx'): Outcome => {
  const outcome: Outcome = { parsed: false, text: '', foreign: [], steps: 0, ended: 'by itself' }
  const budget = createBudget(steps, size)
  const seen = new Set<unknown>()
  const inspect = (value: Value, depth = 0): void => {
    if (depth > 20 || seen.size > 2_000 || (typeof value === 'object' && value !== null && seen.has(value))) return
    seen.add(value)
    const problem = findForeign(value)
    if (problem !== null) outcome.foreign.push(problem)
    else if (isList(value)) for (const item of value) inspect(item, depth + 1)
    else if (isFields(value)) for (const item of value.values()) inspect(item, depth + 1)
    else if (isCallable(value)) inspect(value.call([new Map([['children', 'x']])]), depth + 1)
  }
  const host: Host = {
    element: (name, props, children) => {
      for (const value of props.values()) inspect(value)
      return [{ type: 'element', tagName: name, properties: {}, children }]
    },
    hole: () => [{ type: 'element', tagName: 'hole', properties: {}, children: [] }],
  }
  const run = createRun(budget, host)
  let play
  try {
    play = (players[file.replace(/.*\./, '')] ?? playModule)(source, file, run)
  } catch {
    return outcome
  }
  outcome.parsed = true
  try {
    const exports = play()
    for (const value of exports.values()) inspect(value())
    outcome.text = toNodes(exports.get('default')?.(), run).map(toText).join('')
  } catch (error) {
    if (!(error instanceof Error) || error.constructor.name !== 'OutOfBudget') throw error
    outcome.ended = 'by budget'
  }
  outcome.steps = steps - budget.steps
  return outcome
}

type Exports = ReadonlyMap<string, () => Value>
/** Parses a program, and returns a function that evaluates it. */
type Play = (source: string, file: string, run: Run) => () => Exports

const playModule: Play = (source, file, run) => {
  const program = parseSource(source, file)
  return () => readModule([program], null, () => null, run).exports
}

const call = ({ call: open }: Callable) =>
  new Map([
    [
      'default',
      () =>
        open([
          new Map<string, Value>([
            ['a', 1],
            ['children', 'x'],
          ]),
        ]),
    ],
  ])

/** The declarations of a program before its last expression. */
const split = (source: string): [declarations: string, last: string] => {
  const at = source.lastIndexOf('export default ')
  return [source.slice(0, at), source.slice(at + 'export default '.length)]
}

/** The same program as an Astro component. */
const playAstro: Play = (source, _, run) => {
  const [declarations, last] = split(source)
  const page = `---\n${declarations}\n---\n<b title={${last}} {...(${last})}>{${last}}<slot name={${last}}>x</slot></b>`
  const { component } = createAstroComponent(parseAstro(page), 'program', new Map(), () => null, run)
  return () => call(component)
}

/** The same program as a component of Vue, with its last expression in every place of a template. */
const playVue: Play = (source, _, run) => {
  const [declarations, last] = split(source)
  const program = parseSource(declarations, 'script.ts')
  const element = (tagName: string, properties: Properties): ElementContent => ({
    type: 'element',
    tagName,
    properties,
    children: [{ type: 'text', value: `{{ ${last} }}` }],
  })
  const nodes = [
    element('b', { 'v-for': `(a, b) in ${last}`, ':title': last, 'v-bind': last }),
    element('i', { 'v-if': last, 'v-html': last }),
    element('component', { ':is': last, 'v-slot:x': '{ a, b = a }' }),
    element('list', { ':a': last }),
    element('slot', { ':name': last }),
  ]
  const { all, repeating } = createTemplateEvaluator(run)
  const open = ([given]: readonly Value[]) => {
    const { scope } = openVueScript([program], null, () => null, isFields(given) ? given : new Map(), run)
    return markup(repeating(() => all(nodes, scope)))
  }
  return () => call({ kind: 'callable', name: 'program', call: open })
}

const players: Readonly<Record<string, Play>> = { astro: playAstro, vue: playVue }

/** Reason why a value is not one of the language; null if it is. */
const findForeign = (value: unknown): string | null => {
  if (typeof value === 'function' || typeof value === 'symbol' || typeof value === 'bigint') return `a ${typeof value}`
  if (typeof value !== 'object' || value === null) return null
  const of: unknown = Object.getPrototypeOf(value)
  if (Array.isArray(value)) return of === Array.prototype ? null : 'a strange list'
  if (value instanceof Map) return of === Map.prototype ? null : 'a strange map'
  const isOwn = isCallable(value as Value) || isMarkup(value as Value) || isUnknown(value as Value)
  return isOwn && of === Object.prototype
    ? null
    : `an object of the host (${Object.keys(value).slice(0, 3).join(', ')})`
}

const toText = (node: ElementContent): string =>
  node.type === 'text' ? node.value : node.type === 'element' ? node.children.map(toText).join('') : ''
