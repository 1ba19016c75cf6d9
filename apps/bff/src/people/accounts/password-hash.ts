import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { AppError } from '#ground/errors/app-error.ts'

const derive = promisify(argon2)

/** Second recommended choice of RFC 9106: 64 MiB, three passes. More lanes do not help on few cores. */
const cost = { memory: 65_536, passes: 3, parallelism: 1 }
const currentCost = `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$`
const hashBytes = 32

/** Each hash takes 64 MiB and a core for a tenth of a second. */
const maxConcurrent = 2
const maxWaiting = 64

let underWay = 0
const waiting: (() => void)[] = []

/** Runs at most two at once. Throws `too_many_requests` when too many wait. */
const limitConcurrency = async <T>(work: () => Promise<T>): Promise<T> => {
  if (underWay >= maxConcurrent) {
    if (waiting.length >= maxWaiting)
      throw new AppError('too_many_requests', 'Many people are signing in right now. Try again in a moment.', {
        retryAfterMs: 2_000,
      })
    await new Promise<void>((resolve) => waiting.push(resolve))
  } else underWay += 1
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next === undefined) underWay -= 1
    else next()
  }
}

const encodeUnpadded = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64').replaceAll('=', '')

const hashWith = (password: string, nonce: Uint8Array, { memory, passes, parallelism }: typeof cost): Promise<Buffer> =>
  limitConcurrency(() =>
    // Keyboards may enter the same letter as different code points.
    derive('argon2id', {
      message: password.normalize('NFKC'),
      nonce,
      memory,
      passes,
      parallelism,
      tagLength: hashBytes,
    }),
  )

/** Hashes a password with argon2id into PHC form. Takes about a tenth of a second. Throws `too_many_requests` when too many wait. */
export const hashPassword = async (password: string): Promise<string> => {
  const salt = randomBytes(16)
  const hash = await hashWith(password, salt, cost)
  return `${currentCost}${encodeUnpadded(salt)}$${encodeUnpadded(hash)}`
}

/** Makes a hash with the current cost that matches no password. */
export const makeDummyHash = (): string =>
  `${currentCost}${encodeUnpadded(randomBytes(16))}$${encodeUnpadded(randomBytes(hashBytes))}`

/** True for a hash with the current cost. */
export const hasCurrentCost = (hash: string): boolean => hash.startsWith(currentCost)

const phc = /^\$argon2id\$v=19\$m=(\d{1,8}),t=(\d{1,3}),p=(\d{1,3})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

/** Compares a password with a hash in constant time. False for text that is no hash. */
export const isPassword = async (password: string, hash: string): Promise<boolean> => {
  const [, memory, passes, parallelism, salt, expected] = phc.exec(hash) ?? []
  if (salt === undefined || expected === undefined) return false
  const costs = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) }
  const found = await hashWith(password, Buffer.from(salt, 'base64'), costs)
  const wanted = Buffer.from(expected, 'base64')
  return found.length === wanted.length && timingSafeEqual(found, wanted)
}
