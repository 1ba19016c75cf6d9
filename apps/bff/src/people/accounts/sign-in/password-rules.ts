import { refusedFieldError } from '#ground/errors/app-error.ts'

/** Owner of a password, and host of Docket. A password must not consist mostly of words from their names. */
export type PasswordOwner = { name: string | null; email: string | null; host: string | null }

/** Score of zxcvbn for more than 10^10 guesses. */
const minScore = 4

/** Characters that zxcvbn scores; its work grows with the square of the length. */
const scoredLength = 72

const loadZxcvbn = async () => {
  const [{ ZxcvbnFactory }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ])
  return new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs })
}
let loaded: ReturnType<typeof loadZxcvbn> | undefined

const listOwnTerms = ({ name, email, host }: PasswordOwner): string[] =>
  ['docket', name, email, host]
    .filter((text) => text !== null)
    .flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u)])
    .filter((word) => word.length > 2)
    .map((word) => word.toLowerCase())

/**
 * Throws `invalid_request` with `field` for passwords that attackers guess first: common ones, repetitions, sequences, keyboard rows, and
 * names of the person or of Docket. Takes up to 30 ms, and loads its word lists the first time.
 */
export const checkPassword = async (
  password: string,
  owner: PasswordOwner,
  field: 'password' | 'newPassword',
): Promise<void> => {
  const refuse = (why: string): never => {
    throw refusedFieldError(field, `${why} Use a few unrelated words instead.`)
  }
  const text = password.normalize('NFKC')
  const words = listOwnTerms(owner)
  const { score, sequence } = (await (loaded ??= loadZxcvbn())).check(text.slice(0, scoredLength), words)
  if (score >= minScore) return
  const found = new Set(sequence.map(({ pattern }) => pattern))
  const lower = text.toLowerCase()
  if (words.some((word) => lower.includes(word)))
    refuse('This is mostly your name, e-mail address or this Docket’s name, which attackers try first.')
  if (found.has('repeat')) refuse('This repeats the same few characters, which attackers try first.')
  if (found.has('sequence') || found.has('spatial'))
    refuse('This follows the alphabet or the keyboard, which attackers try first.')
  refuse('Many people use a password like this, so attackers try it first.')
}
