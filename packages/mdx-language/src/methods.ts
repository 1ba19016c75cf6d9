import { charge, spend } from './budget.ts'
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

const whole = (value: Value): number | undefined => (value === undefined ? undefined : Math.trunc(Number(value)) || 0)
const text = (value: Value) => (typeof value === 'string' ? value : undefined)

const onText = (count: number, apply: (self: string, ...texts: string[]) => Value): Method<string> => {
  return (self, args) => {
    const texts = args.slice(0, count).map(text)
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
    charge(run.budget, self.length + uses * by.length)
    return isAll ? self.replaceAll(what, by) : self.replace(what, by)
  }

const pad =
  (isStart: boolean): Method<string> =>
  (self, [length, by = ' '], run) => {
    if (typeof length !== 'number' || typeof by !== 'string' || length > maxRepeat) return unknown('a long padding')
    charge(run.budget, Math.max(0, length))
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
    spend(run.budget, self.length)
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
    charge(run.budget, self.length * times)
    return self.repeat(times)
  },
}

/** Calls the callback for each item until `visit` returns true. An unknown result ends the loop, because no choice can depend on it. */
const each = (
  items: readonly Value[],
  [callback]: readonly Value[],
  run: Run,
  visit: (result: Value, item: Value, index: number) => boolean,
): Value => {
  if (!isCallable(callback)) return isUnknown(callback) ? callback : unknown('a method of a list without a function')
  for (const [index, item] of items.entries()) {
    spend(run.budget)
    const result = callback.call([item, index, items])
    if (isUnknown(result)) return result
    if (visit(result, item, index)) return undefined
  }
  return undefined
}

const flatten = (items: readonly Value[], depth: number, run: Run): Value[] =>
  items.flatMap((item) => {
    spend(run.budget)
    charge(run.budget, 1)
    return isList(item) && depth > 0 ? flatten(item, depth - 1, run) : [item]
  })

const copy = (items: readonly Value[], run: Run): Value[] => {
  spend(run.budget, items.length)
  charge(run.budget, items.length)
  return [...items]
}

const sort: Method<readonly Value[]> = (self, [compare], run) => {
  const items = copy(self, run)
  if (compare === undefined) {
    const texts = items.map((item) => ({ item, key: toText(item, run) }))
    if (texts.some(({ key }) => typeof key !== 'string')) return unknown('a sort of objects')
    return texts.toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)).map(({ item }) => item)
  }
  if (!isCallable(compare)) return unknown('a sort without a function')
  let failed: Value
  const sorted = items.toSorted((a, b) => {
    spend(run.budget)
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
    charge(run.budget, self.length)
    return self.map((item, index) => {
      spend(run.budget)
      return callback.call([item, index, self])
    })
  },
  flatMap: (self, args, run) => {
    const mapped = listMethods['map']!(self, args, run)
    return isList(mapped) ? flatten(mapped, 1, run) : mapped
  },
  filter: (self, args, run) => {
    const kept: Value[] = []
    charge(run.budget, self.length)
    return each(self, args, run, (result, item) => (isTrue(result) && kept.push(item), false)) ?? kept
  },
  find: (self, args, run) => {
    let found: Value
    return each(self, args, run, (result, item) => isTrue(result) && ((found = item), true)) ?? found
  },
  findIndex: (self, args, run) => {
    let found = -1
    return each(self, args, run, (result, _, index) => isTrue(result) && ((found = index), true)) ?? found
  },
  some: (self, args, run) => {
    let found = false
    return each(self, args, run, (result) => (found = isTrue(result))) ?? found
  },
  every: (self, args, run) => {
    let found = false
    return each(self, args, run, (result) => (found = !isTrue(result))) ?? !found
  },
  reduce: (self, [callback, ...start], run) => {
    if (!isCallable(callback)) return unknown('a reduce without a function')
    if (start.length === 0 && self.length === 0) return unknown('a reduce of nothing')
    const items = start.length > 0 ? [start[0], ...self] : self
    return items.slice(1).reduce((sum, item, index) => {
      spend(run.budget)
      return callback.call([sum, item, start.length > 0 ? index : index + 1])
    }, items[0])
  },
  join: (self, [separator = ','], run) =>
    typeof separator === 'string' ? joinTexts(self, separator, run) : unknown('a join without text'),
  slice: (self, [from, to], run) => copy(self, run).slice(whole(from), whole(to)),
  concat: (self, args, run) => flatten([self, ...args], 1, run),
  includes: (self, [item]) => self.includes(item),
  indexOf: (self, [item]) => self.indexOf(item),
  at: (self, [index]) => self.at(whole(index) ?? 0),
  flat: (self, [depth = 1], run) => flatten(self, typeof depth === 'number' ? Math.min(depth, 20) : 1, run),
  reverse: (self, _, run) => copy(self, run).toReversed(),
  toReversed: (self, _, run) => copy(self, run).toReversed(),
  sort,
  toSorted: sort,
  toString: (self: readonly Value[], _: readonly Value[], run: Run) => toText(self, run),
}

const numberMethods: Readonly<Record<string, Method<number>>> = {
  toFixed: (self, [digits = 0]) =>
    typeof digits === 'number' && digits >= 0 && digits <= 20 ? self.toFixed(digits) : unknown('digits out of range'),
  toString: (self: number, [base]: readonly Value[]) => (base === undefined ? String(self) : unknown('another base')),
}

const byName = <Self>(methods: Readonly<Record<string, Method<Self>>>, name: string) =>
  Object.hasOwn(methods, name) ? methods[name] : undefined

export const callMethod = (self: Value, name: string, args: readonly Value[], run: Run): Value => {
  if (isUnknown(self)) return self
  spend(run.budget)
  const missing = () => unknown(`a call of .${name}()`)
  if (typeof self === 'string') {
    // Charges for the whole text, because any method may scan all of it.
    spend(run.budget, self.length / 16)
    const result = byName(textMethods, name)?.(self, args, run)
    if (result === undefined && !byName(textMethods, name)) return missing()
    if (typeof result === 'string') charge(run.budget, result.length)
    return result
  }
  if (isList(self)) {
    spend(run.budget, self.length / 16)
    const method = byName(listMethods, name)
    return method ? method(self, args, run) : missing()
  }
  if (typeof self === 'number') return byName(numberMethods, name)?.(self, args, run) ?? missing()
  if (typeof self === 'boolean' && name === 'toString') return String(self)
  return missing()
}

type Static = (args: readonly Value[], run: Run) => Value

const maxJsonDepth = 100

/** JSON of a value as `JSON.stringify` gives it. Unknown if a value has no JSON. */
const toJson = (value: Value, indent: Value, run: Run): string | undefined | Unknown => {
  let problem: Unknown | null = null
  const copy = (from: Value, depth: number): unknown => {
    spend(run.budget)
    if (isUnknown(from)) problem ??= from
    else if (isMarkup(from)) problem ??= unknown('elements as JSON')
    else if (depth > maxJsonDepth) problem ??= unknown('JSON that is nested too deep')
    else if (isList(from)) return from.map((item) => copy(item, depth + 1))
    else if (isFields(from)) return Object.fromEntries([...from].map(([key, item]) => [key, copy(item, depth + 1)]))
    else if (!isCallable(from)) {
      charge(run.budget, typeof from === 'string' ? from.length : 1)
      return from
    }
    return undefined
  }
  const data = copy(value, 0)
  if (problem !== null) return problem
  const json = JSON.stringify(data, null, typeof indent === 'number' ? indent : undefined) as string | undefined
  charge(run.budget, json?.length ?? 0)
  return json
}

const onNumber =
  (apply: (...numbers: number[]) => number): Static =>
  (args, run) => {
    spend(run.budget, args.length)
    return args.every(isPrimitive) ? apply(...args.map(Number)) : unknown('a number from an object')
  }

const entries =
  (toValue: (key: string, value: Value) => Value): Static =>
  ([of], run) => {
    if (!isFields(of) && !isList(of)) return isUnknown(of) ? of : unknown('the keys of no object')
    const fields: Fields = isFields(of) ? of : new Map(of.map((item, index) => [String(index), item]))
    spend(run.budget, fields.size)
    charge(run.budget, fields.size)
    return [...fields].map(([key, value]) => toValue(key, value))
  }

const same: Static = ([value]) => value

const reference: Static = ([value]) => toRef(value)

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
  'Math.round': onNumber((value = Number.NaN) => Math.round(value)),
  'Math.floor': onNumber((value = Number.NaN) => Math.floor(value)),
  'Math.ceil': onNumber((value = Number.NaN) => Math.ceil(value)),
  'Math.trunc': onNumber((value = Number.NaN) => Math.trunc(value)),
  'Math.abs': onNumber((value = Number.NaN) => Math.abs(value)),
  'Math.min': onNumber((...values) => values.reduce((least, value) => Math.min(least, value), Infinity)),
  'Math.max': onNumber((...values) => values.reduce((most, value) => Math.max(most, value), -Infinity)),
  'Object.keys': entries((key) => key),
  'Object.values': entries((_, value) => value),
  'Object.entries': entries((key, value) => [key, value]),
  'Object.fromEntries': ([pairs], run) => {
    if (!isList(pairs) || !pairs.every(isList)) return unknown('an object from no pairs')
    charge(run.budget, pairs.length)
    return new Map(pairs.map(([key, value]) => [String(isPrimitive(key) ? key : ''), value]))
  },
  'Array.isArray': ([value]) => (isUnknown(value) ? value : isList(value)),
  'Array.from': ([of, callback], run) => {
    const length = isFields(of) ? of.get('length') : undefined
    const isLength = typeof length === 'number' && length >= 0 && length <= maxLength
    if (!isList(of) && !isLength) return unknown('a list from something else')
    charge(run.budget, isList(of) ? of.length : Number(length))
    const items: readonly Value[] = isList(of) ? of : Array.from({ length: Number(length) }, () => undefined)
    return callback === undefined ? [...items] : callMethod(items, 'map', [callback], run)
  },
  'JSON.stringify': ([value, replacer, indent], run) =>
    replacer === undefined || replacer === null ? toJson(value, indent, run) : unknown('JSON with a replacer'),
  btoa: ([value], run) => {
    if (typeof value !== 'string' || /[^\0-\xff]/.test(value)) return unknown('Base64 of something else than text')
    charge(run.budget, 2 * value.length)
    return btoa(value)
  },
  encodeURIComponent: ([value], run) => {
    if (typeof value !== 'string' || !value.isWellFormed()) return unknown('an address from something else than text')
    charge(run.budget, 9 * value.length)
    return encodeURIComponent(value)
  },
  // A page shows the initial state of a component.
  useState: ([first]) => [isCallable(first) ? first.call([]) : first, unknown('a change of state')],
  useRef: ([current]) => new Map([['current', current]]),
  useMemo: ([make]) => (isCallable(make) ? make.call([]) : unknown('a memo of no function')),
  useCallback: same,
  memo: same,
  forwardRef: same,
  useBaseUrl: same,
  // For the same reason, a Vue ref never changes here.
  ref: reference,
  shallowRef: reference,
  computed: ([make]) => {
    const get = isFields(make) ? make.get('get') : make
    return isCallable(get) ? toRef(get.call([])) : unknown('a computed value of no function')
  },
  unref: ([value]) => (isRef(value) ? value.get('value') : value),
  reactive: same,
  shallowReactive: same,
  readonly: same,
  markRaw: same,
  defineComponent: same,
  defineLoader: same,
  defineAsyncComponent: loadComponent,
  lazy: loadComponent,
  withBase: same,
  'Promise.all': same,
}

/** Finds a listed function by `name` or `Owner.name`; `React.name` is `name`. */
export const findStatic = (name: string): Static | undefined => {
  const plain = name.replace(/^React\./, '')
  return Object.hasOwn(statics, plain) ? statics[plain] : undefined
}
