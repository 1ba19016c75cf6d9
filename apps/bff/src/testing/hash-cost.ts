import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

let isReal = false
const { argon2 } = crypto
crypto.argon2 = (algorithm, parameters, done) =>
  argon2(algorithm, isReal ? parameters : { ...parameters, memory: 64, passes: 1 }, done)
syncBuiltinESMExports()

/** Sets whether this process hashes passwords at full cost. By default, hashing is almost free, whatever cost is stored. */
export const hashAtFullCost = (whether: boolean): void => {
  isReal = whether
}
