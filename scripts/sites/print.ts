import { faultKinds, type Fault, type FaultKind } from './faults.ts'

const shownOfAKind = 25

/** Counts on one line, then every kind of fault with its first faults. */
export const asText = (name: string, counts: Readonly<Record<string, number>>, faults: readonly Fault[]): string => {
  const looked = Object.entries(counts).map(([what, number]) => `${number} ${what}`)
  const kinds = (Object.keys(faultKinds) as FaultKind[]).flatMap((kind) => {
    const found = faults.filter((fault) => fault.kind === kind)
    if (found.length === 0) return []
    const lines = found.slice(0, shownOfAKind).map(({ page, what }) => `    ${page}: ${what}`)
    const more = found.length > shownOfAKind ? [`    … and ${found.length - shownOfAKind} more`] : []
    return [`  ${found.length} ${faultKinds[kind]}`, ...lines, ...more]
  })
  return [`${faults.length === 0 ? '✓' : '✗'} ${name}: ${looked.join(', ')}; ${faults.length} faults`, ...kinds].join(
    '\n',
  )
}
