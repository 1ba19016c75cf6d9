import { isCallable, isFields, isRef, toRef, unknown, type Value } from './values.ts'

type Static = (args: readonly Value[]) => Value

const same: Static = ([value]) => value
const reference: Static = ([value]) => toRef(value)

/** `() => import('./X.vue')`, alone or as the `loader` of options. */
const loadComponent: Static = ([options]) => {
  const load = isFields(options) ? options.get('loader') : options
  const loaded = isCallable(load) ? load.call([]) : undefined
  return isFields(loaded) ? loaded.get('default') : unknown('a component that is loaded later')
}

/** Functions of Vue. A page shows the first state of a component, so a reference never changes. */
export const vueFunctions: Readonly<Record<string, Static>> = {
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
}
