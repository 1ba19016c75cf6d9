import { registerHooks } from 'node:module'

/** A fault to plant: a piece of a source file, by the end of its path, and what stands there instead. */
export type Fault = { file: string; instead: string; write: string }

/** The source with the fault in it. Throws unless it holds the piece to replace exactly once. */
export const withFault = (source: string, { file, instead, write }: Fault): string => {
  if (source.split(instead).length !== 2) throw new Error(`${file} does not hold this exactly once: ${instead}`)
  return source.replace(instead, () => write)
}

/**
 * Breaks source files as they are loaded from now on in this process; nothing is written. Must come before the first
 * import of them. Throws, at their import, when a fault does not fit any more.
 */
export const plant = (faults: readonly Fault[]): void => {
  registerHooks({
    load: (url, context, next) => {
      const loaded = next(url, context)
      const here = faults.filter(({ file }) => url.endsWith(`/${file}`))
      if (here.length === 0 || loaded.source === undefined || loaded.source === null) return loaded
      return { ...loaded, source: here.reduce(withFault, Buffer.from(loaded.source as Uint8Array).toString()) }
    },
  })
}

/** Faults that this process was started with. */
export const ownFaults = (): Fault[] => JSON.parse(process.env['PLANTED_FAULTS'] ?? '[]') as Fault[]

/** The variables that make a Node process of its own start with these faults, and with those of this process. */
export const plantedEnvironment = (faults: readonly Fault[]): Record<string, string> => {
  const all = [...ownFaults(), ...faults]
  if (all.length === 0) return {}
  return {
    NODE_OPTIONS: `--import=${new URL('plant-from-environment.ts', import.meta.url).href}`,
    PLANTED_FAULTS: JSON.stringify(all),
  }
}
