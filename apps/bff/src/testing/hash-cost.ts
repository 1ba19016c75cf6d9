import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

let isReal = false
const { argon2 } = crypto
crypto.argon2 = (algorithm, parameters, done) =>
  argon2(algorithm, isReal ? parameters : { ...parameters, memory: 64, passes: 1 }, done)
syncBuiltinESMExports()

/** Passwords cost this process next to nothing, whatever their hashes say, until a file needs hashes of others. */
export const hashAtFullCost = (whether: boolean): void => {
  isReal = whether
}
