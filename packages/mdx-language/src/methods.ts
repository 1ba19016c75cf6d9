import { chargeSize, spendSteps } from './budget.ts'
import { isTrue } from './operators.ts'
import { joinTexts, toText, type Run } from './run.ts'
import {
  isCallable,
  isFields,
  isList,
  isPrimitive,
  isUnknown,
  unknown,
  type Fields,
  type Value,
  isMarkup,
  type Unknown,
  isRef,
  toRef,
} from './values.ts'

type Method<Self> = (self: Self, args: readonly Value[], run: Run) => Value

const maxRepeat = 10_000
const maxLength = 10_000

const toInteger = (value: Value): number | undefined =>
  value === undefined ? undefined : Math.trunc(Number(value)) || 0
const asString = (value: Value) => (typeof value === 'string' ? value : undefined)

const onText = (count: number, apply: (self: string, ...texts: string[]) => Value): Method<string> => {
  return (self, args) => {
    const texts = args.slice(0, count).map(asString)
    if (texts.length < count || texts.includes(undefined)) return unknown('a text method without texts')
    return apply(self, ...(texts as string[]))
  }
}

const onNumbers =
  (apply: (self: string, from: number | undefined, to: number | undefined) => Value): Method<string> =>
  (self, [from, to]) =>
    (from === undefined || typeof from === 'number') && (to === undefined || typeof to === 'number')
      ? apply(self, from, to)
      : unknown('a text method without numbers')

const replaceWith =
  (isAll: boolean): Method<string> =>
  (self, [what, by], run) => {
    if (typeof what !== 'string' || typeof by !== 'string') return unknown('a replacement that is not text by text')
    if (/\$[$&`']/.test(by)) return unknown('a replacement with a pattern')
    const uses = isAll ? self.split(what).length + 1 : 1
    chargeSize(run.budget, self.length + uses * by.length)
    return isAll ? self.replaceAll(what, by) : self.replace(what, by)
  }

const pad =
  (isStart: boolean): Method<string> =>
  (self, [length, by = ' '], run) => {
    if (typeof length !== 'number' || typeof by !== 'string' || length > maxRepeat) return unknown('a long padding')
    chargeSize(run.budget, Math.max(0, length))
    return isStart ? self.padStart(length, by) : self.padEnd(length, by)
  }

const textMethods: Readonly<Record<string, Method<string>>> = {
  slice: onNumbers((self, from, to) => self.slice(from, to)),
  substring: onNumbers((self, from, to) => self.substring(from ?? 0, to)),
  charAt: onNumbers((self, at) => self.charAt(at ?? 0)),
  at: onNumbers((self, at) => self.at(at ?? 0)),
  includes: onText(1, (self, what) => self.includes(what!)),
  startsWith: onText(1, (self, what) => self.startsWith(what!)),
  endsWith: onText(1, (self, what) => self.endsWith(what!)),
  indexOf: onText(1, (self, what) => self.indexOf(what!)),
  split: (self, [by, limit], run) => {
    if (typeof by !== 'string' || limit !== undefined) return unknown('a split that is not by text')
    spendSteps(run.budget, self.length)
    return self.split(by)
  },
  trim: (self) => self.trim(),
  trimStart: (self) => self.trimStart(),
  trimEnd: (self) => self.trimEnd(),
  toUpperCase: (self) => self.toUpperCase(),
  toLowerCase: (self) => self.toLowerCase(),
  toString: (self: string) => self,
  concat: (self, args, run) => joinTexts([self, ...args], '', run),
  replace: replaceWith(false),
  replaceAll: replaceWith(true),
  padStart: pad(true),
  padEnd: pad(false),
  repeat: (self, [times], run) => {
    if (typeof times !== 'number' || !(times >= 0 && times <= maxRepeat)) return unknown('a text repeated too often')
    chargeSize(run.budget, self.length * times)
    return self.repeat(times)
  },
}

/** Calls the callback for each item until `visit` returns true. An unknown result ends the loop, because no choice can depend on it. */
const forEachItem = (
  items: readonly Value[],
  [callback]: readonly Value[],
  run: Run,
  visit: (result: Value, item: Value, index: number) => boolean,
): Value => {
  if (!isCallable(callback)) return isUnknown(callback) ? callback : unknown('a method of a list without a function')
  for (const [index, item] of items.entries()) {
    spendSteps(run.budget)
    const result = callback.call([item, index, items])
    if (isUnknown(result)) return result
    if (visit(result, item, index)) return undefined
  }
  return undefined
}

const flattenItems = (items: readonly Value[], depth: number, run: Run): Value[] =>
  items.flatMap((item) => {
    spendSteps(run.budget)
    chargeSize(run.budget, 1)
    return isList(item) && depth > 0 ? flattenItems(item, depth - 1, run) : [item]
  })

const copyItems = (items: readonly Value[], run: Run): Value[] => {
  spendSteps(run.budget, items.length)
  chargeSize(run.budget, items.length)
  return [...items]
}

const sortItems: Method<readonly Value[]> = (self, [compare], run) => {
  const items = copyItems(self, run)
  if (compare === undefined) {
    const texts = items.map((item) => ({ item, key: toText(item, run) }))
    if (texts.some(({ key }) => typeof key !== 'string')) return unknown('a sort of objects')
    return texts.toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)).map(({ item }) => item)
  }
  if (!isCallable(compare)) return unknown('a sort without a function')
  let failed: Value
  const sorted = items.toSorted((a, b) => {
    spendSteps(run.budget)
    const result = compare.call([a, b])
    if (typeof result === 'number') return result
    failed ??= isUnknown(result) ? result : unknown('a sort without numbers')
    return 0
  })
  return failed ?? sorted
}

const listMethods: Readonly<Record<string, Method<readonly Value[]>>> = {
  map: (self, [callback], run) => {
    if (!isCallable(callback)) return isUnknown(callback) ? callback : unknown('a map without a function')
    chargeSize(run.budget, self.length)
    return self.map((item, index) => {
      spendSteps(run.budget)
      return callback.call([item, index, self])
    })
  },
  flatMap: (self, args, run) => {
    const mapped = listMethods['map']!(self, args, run)
    return isList(mapped) ? flattenItems(mapped, 1, run) : mapped
  },
  filter: (self, args, run) => {
    const kept: Value[] = []
    chargeSize(run.budget, self.length)
    return forEachItem(self, args, run, (result, item) => (isTrue(result) && kept.push(item), false)) ?? kept
  },
  find: (self, args, run) => {
    let found: Value
    return forEachItem(self, args, run, (result, item) => isTrue(result) && ((found = item), true)) ?? found
  },
  findIndex: (self, args, run) => {
    let found = -1
    return forEachItem(self, args, run, (result, _, index) => isTrue(result) && ((found = index), true)) ?? found
  },
  some: (self, args, run) => {
    let found = false
    return forEachItem(self, args, run, (result) => (found = isTrue(result))) ?? found
  },
  every: (self, args, run) => {
    let found = false
    return forEachItem(self, args, run, (result) => (found = !isTrue(result))) ?? !found
  },
  reduce: (self, [callback, ...start], run) => {
    if (!isCallable(callback)) return unknown('a reduce without a function')
    if (start.length === 0 && self.length === 0) return unknown('a reduce of nothing')
    const items = start.length > 0 ? [start[0], ...self] : self
    return items.slice(1).reduce((sum, item, index) => {
      spendSteps(run.budget)
      return callback.call([sum, item, start.length > 0 ? index : index + 1])
    }, items[0])
  },
  join: (self, [separator = ','], run) =>
    typeof separator === 'string' ? joinTexts(self, separator, run) : unknown('a join without text'),
  slice: (self, [from, to], run) => copyItems(self, run).slice(toInteger(from), toInteger(to)),
  concat: (self, args, run) => flattenItems([self, ...args], 1, run),
  includes: (self, [item]) => self.includes(item),
  indexOf: (self, [item]) => self.indexOf(item),
  at: (self, [index]) => self.at(toInteger(index) ?? 0),
  flat: (self, [depth = 1], run) => flattenItems(self, typeof depth === 'number' ? Math.min(depth, 20) : 1, run),
  reverse: (self, _, run) => copyItems(self, run).toReversed(),
  toReversed: (self, _, run) => copyItems(self, run).toReversed(),
  sort: sortItems,
  toSorted: sortItems,
  toString: (self: readonly Value[], _: readonly Value[], run: Run) => toText(self, run),
}

const numberMethods: Readonly<Record<string, Method<number>>> = {
  toFixed: (self, [digits = 0]) =>
    typeof digits === 'number' && digits >= 0 && digits <= 20 ? self.toFixed(digits) : unknown('digits out of range'),
  toString: (self: number, [base]: readonly Value[]) => (base === undefined ? String(self) : unknown('another base')),
}

const findMethod = <Self>(methods: Readonly<Record<string, Method<Self>>>, name: string) =>
  Object.hasOwn(methods, name) ? methods[name] : undefined

export const callMethod = (self: Value, name: string, args: readonly Value[], run: Run): Value => {
  if (isUnknown(self)) return self
  spendSteps(run.budget)
  const missing = () => unknown(`a call of .${name}()`)
  if (typeof self === 'string') {
    // Charges for the whole text, because any method may scan all of it.
    spendSteps(run.budget, self.length / 16)
    const result = findMethod(textMethods, name)?.(self, args, run)
    if (result === undefined && !findMethod(textMethods, name)) return missing()
    if (typeof result === 'string') chargeSize(run.budget, result.length)
    return result
  }
  if (isList(self)) {
    spendSteps(run.budget, self.length / 16)
    const method = findMethod(listMethods, name)
    return method ? method(self, args, run) : missing()
  }
  if (typeof self === 'number') return findMethod(numberMethods, name)?.(self, args, run) ?? missing()
  if (typeof self === 'boolean' && name === 'toString') return String(self)
  return missing()
}

type Static = (args: readonly Value[], run: Run) => Value

const maxJsonDepth = 100

/** JSON of a value as `JSON.stringify` gives it. Unknown if a value has no JSON. */
const toJson = (value: Value, indent: Value, run: Run): string | undefined | Unknown => {
  let problem: Unknown | null = null
  const copy = (from: Value, depth: number): unknown => {
    spendSteps(run.budget)
    if (isUnknown(from)) problem ??= from
    else if (isMarkup(from)) problem ??= unknown('elements as JSON')
    else if (depth > maxJsonDepth) problem ??= unknown('JSON that is nested too deep')
    else if (isList(from)) return from.map((item) => copy(item, depth + 1))
    else if (isFields(from)) return Object.fromEntries([...from].map(([key, item]) => [key, copy(item, depth + 1)]))
    else if (!isCallable(from)) {
      chargeSize(run.budget, typeof from === 'string' ? from.length : 1)
      return from
    }
    return undefined
  }
  const data = copy(value, 0)
  if (problem !== null) return problem
  const json = JSON.stringify(data, null, typeof indent === 'number' ? indent : undefined) as string | undefined
  chargeSize(run.budget, json?.length ?? 0)
  return json
}

const onNumber =
  (apply: (...numbers: number[]) => number): Static =>
  (args, run) => {
    spendSteps(run.budget, args.length)
    return args.every(isPrimitive) ? apply(...args.map(Number)) : unknown('a number from an object')
  }

const entries =
  (toValue: (key: string, value: Value) => Value): Static =>
  ([of], run) => {
    if (!isFields(of) && !isList(of)) return isUnknown(of) ? of : unknown('the keys of no object')
    const fields: Fields = isFields(of) ? of : new Map(of.map((item, index) => [String(index), item]))
    spendSteps(run.budget, fields.size)
    chargeSize(run.budget, fields.size)
    return [...fields].map(([key, value]) => toValue(key, value))
  }

/** Functions that return their argument, as far as a page shows it. */
const transparent = new Set(
  `useCallback memo forwardRef useBaseUrl reactive shallowReactive readonly markRaw defineComponent defineLoader withBase
Promise.all`.split(/\s/),
)

const createReference: Static = ([value]) => toRef(value)

/** Finds `() => import('./X.vue')`, alone or as the `loader` option. */
const loadComponent: Static = ([options]) => {
  const load = isFields(options) ? options.get('loader') : options
  const loaded = isCallable(load) ? load.call([]) : undefined
  return isFields(loaded) ? loaded.get('default') : unknown('a component that is loaded later')
}

const statics: Readonly<Record<string, Static>> = {
  String: ([value = ''], run) => toText(value, run),
  Number: onNumber((value = 0) => value),
  Boolean: ([value]) => (isUnknown(value) ? value : isTrue(value)),
  parseInt: ([value]) => (typeof value === 'string' ? Number.parseInt(value.slice(0, 30), 10) : unknown('a number')),
  parseFloat: ([value]) => (typeof value === 'string' ? Number.parseFloat(value.slice(0, 30)) : unknown('a number')),
  ...Object.fromEntries(
    (['round', 'floor', 'ceil', 'trunc', 'abs'] as const).map((name) => [
      `Math.${name}`,
      onNumber((value = Number.NaN) => Math[name](value)),
    ]),
  ),
  'Math.min': onNumber((...values) => values.reduce((least, value) => Math.min(least, value), Infinity)),
  'Math.max': onNumber((...values) => values.reduce((most, value) => Math.max(most, value), -Infinity)),
  'Object.keys': entries((key) => key),
  'Object.values': entries((_, value) => value),
  'Object.entries': entries((key, value) => [key, value]),
  'Object.fromEntries': ([pairs], run) => {
    if (!isList(pairs) || !pairs.every(isList)) return unknown('an object from no pairs')
    chargeSize(run.budget, pairs.length)
    return new Map(pairs.map(([key, value]) => [String(isPrimitive(key) ? key : ''), value]))
  },
  'Array.isArray': ([value]) => (isUnknown(value) ? value : isList(value)),
  'Array.from': ([of, callback], run) => {
    const length = isFields(of) ? of.get('length') : undefined
    const isLength = typeof length === 'number' && length >= 0 && length <= maxLength
    if (!isList(of) && !isLength) return unknown('a list from something else')
    chargeSize(run.budget, isList(of) ? of.length : Number(length))
    const items: readonly Value[] = isList(of) ? of : Array.from({ length: Number(length) }, () => undefined)
    return callback === undefined ? [...items] : callMethod(items, 'map', [callback], run)
  },
  'JSON.stringify': ([value, replacer, indent], run) =>
    replacer === undefined || replacer === null ? toJson(value, indent, run) : unknown('JSON with a replacer'),
  btoa: ([value], run) => {
    if (typeof value !== 'string' || /[^\0-\xff]/.test(value)) return unknown('Base64 of something else than text')
    chargeSize(run.budget, 2 * value.length)
    return btoa(value)
  },
  encodeURIComponent: ([value], run) => {
    if (typeof value !== 'string' || !value.isWellFormed()) return unknown('an address from something else than text')
    chargeSize(run.budget, 9 * value.length)
    return encodeURIComponent(value)
  },
  // A page shows the initial state of a component.
  useState: ([first]) => [isCallable(first) ? first.call([]) : first, unknown('a change of state')],
  useRef: ([current]) => new Map([['current', current]]),
  useMemo: ([make]) => (isCallable(make) ? make.call([]) : unknown('a memo of no function')),
  // For the same reason, a Vue ref never changes here.
  ref: createReference,
  shallowRef: createReference,
  computed: ([make]) => {
    const get = isFields(make) ? make.get('get') : make
    return isCallable(get) ? toRef(get.call([])) : unknown('a computed value of no function')
  },
  unref: ([value]) => (isRef(value) ? value.get('value') : value),
  defineAsyncComponent: loadComponent,
  lazy: loadComponent,
}

/** Finds a listed function by `name` or `Owner.name`; `React.name` is `name`. */
export const findStatic = (name: string): Static | undefined => {
  const plain = name.replace(/^React\./, '')
  if (transparent.has(plain)) return ([value]) => value
  return Object.hasOwn(statics, plain) ? statics[plain] : undefined
}
