import { randomBytes } from 'node:crypto'

/** Secrets that are known again wherever they come out. `core` is the part that nothing but the secret has. */
export type Canary = { name: string; text: string; core: string }

/** Makes one with something in front, such as the prefix of admin keys. */
export const canary = (name: string, prefix = ''): Canary => {
  const core = randomBytes(20).toString('hex')
  return { name, core, text: `${prefix}${core}` }
}

const pieceLength = 14

/** The core cut into pieces, as it is and in base64 from any of three beginnings. */
const spellings = ({ core }: Canary): { folded: string[]; exact: string[] } => {
  const starts = [0, 8, 16, core.length - pieceLength]
  const folded = starts.map((at) => core.slice(at, at + pieceLength))
  folded.push(...folded.map((piece) => Buffer.from(piece).toString('hex')))
  const exact = [0, 1, 2].map((pad) => {
    const text = Buffer.from(`${'x'.repeat(pad)}${core}`).toString('base64')
    // The characters that depend on what stands beside it are left out.
    return text.slice(4, 4 + 24)
  })
  return { folded, exact }
}

/**
 * Finds which of the secrets a text holds, whole or in pieces, in any case, in hexadecimal or in base64. Gives their
 * names.
 */
export const finder = (canaries: readonly Canary[]): ((text: string) => string[]) => {
  const all = canaries.map((one) => ({ name: one.name, ...spellings(one) }))
  return (text) => {
    const lower = text.toLowerCase()
    return all
      .filter(
        ({ folded, exact }) =>
          folded.some((piece) => lower.includes(piece)) || exact.some((piece) => text.includes(piece)),
      )
      .map(({ name }) => name)
  }
}
