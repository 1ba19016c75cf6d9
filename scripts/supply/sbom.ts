import { createHash } from 'node:crypto'

/** A part of a bill of materials, as CycloneDX 1.6 writes it; only what is read here is named. */
export type Component = { 'bom-ref': string; type: string; name: string; [more: string]: unknown }

/** A bill of materials in CycloneDX 1.6. */
export type Bom = {
  serialNumber?: string
  metadata: { timestamp?: string; component: { 'bom-ref': string }; [more: string]: unknown }
  components: Component[]
  dependencies: { ref: string; dependsOn: string[] }[]
  [more: string]: unknown
}

/** A component that is no npm package, and what needs it: a `bom-ref`, or `null` for Docket itself. */
export type Addition = { component: Component; neededBy: string | null }

const byRef = (a: string, b: string) => (a < b ? -1 : 1)

/** A UUID (version 8) made of a hash, so that the same content has the same number. */
const toUuid = (content: string): string => {
  const hex = createHash('sha256').update(content).digest('hex')
  const [a, b, c, d, e] = [
    [0, 8],
    [8, 12],
    [13, 16],
    [17, 20],
    [20, 32],
  ].map(([from, to]) => hex.slice(from, to))
  return `urn:uuid:${a}-${b}-8${c}-8${d}-${e}`
}

/** Packages that name their licence in a form that pnpm does not read. */
const unreadLicences: Readonly<Record<string, string>> = { ssh2: 'MIT' }

const nameLicence = (one: Component): Component => {
  const id = unreadLicences[one.name]
  return id === undefined || one['licenses'] !== undefined ? one : { ...one, licenses: [{ license: { id } }] }
}

const isOwn = (ref: string) => ref.startsWith('pkg:npm/%40docket/')

/**
 * Which component needs which. Docket's own packages are Docket: pnpm counts what they need now to them and now to the
 * whole, as its threads happen to run.
 */
const needsIn = ({ metadata, dependencies }: Bom, components: readonly Component[]): Map<string, Set<string>> => {
  const whole = metadata.component['bom-ref']
  const needs = new Map([whole, ...components.map((one) => one['bom-ref'])].map((ref) => [ref, new Set<string>()]))
  for (const { ref, dependsOn } of dependencies)
    for (const needed of dependsOn) if (!isOwn(needed)) needs.get(isOwn(ref) ? whole : ref)?.add(needed)
  return needs
}

/**
 * The bill of what pnpm found, with additions, in one order and without chance in it: the serial number comes from the
 * content, and there is no time unless `timestamp` (ISO 8601) gives one.
 */
export const buildSbom = (found: Bom, additions: readonly Addition[], timestamp?: string): Bom => {
  const { timestamp: _now, ...metadata } = found.metadata
  const components = [...found.components.map(nameLicence), ...additions.map(({ component }) => component)].filter(
    (one) => !isOwn(one['bom-ref']),
  )
  const needs = needsIn(found, components)
  for (const { component, neededBy } of additions)
    needs.get(neededBy ?? found.metadata.component['bom-ref'])?.add(component['bom-ref'])
  const content = {
    ...found,
    serialNumber: undefined,
    metadata: { ...(timestamp === undefined ? {} : { timestamp }), ...metadata },
    components: components.toSorted((a, b) => byRef(a['bom-ref'], b['bom-ref'])),
    dependencies: [...needs]
      .map(([ref, dependsOn]) => ({ ref, dependsOn: [...dependsOn].toSorted(byRef) }))
      .toSorted((a, b) => byRef(a.ref, b.ref)),
  }
  return { ...content, serialNumber: toUuid(JSON.stringify(content)) }
}
