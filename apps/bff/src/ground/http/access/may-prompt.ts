import { AppError } from '#ground/errors/app-error.ts'
import type { Identity } from '#ground/identity/identity.ts'

/** The `forbidden` error of somebody who may not send prompts. */
export const mayNotPrompt = (identity: Identity) =>
  new AppError(
    'forbidden',
    identity?.kind === 'token'
      ? 'This token may not send prompts to agents. Use one that may, made by somebody who may.'
      : 'Only people who may prompt agents can do this. Ask an admin to allow it.',
  )

/** Throws `forbidden` unless the sender may send prompts of their own words to agents. */
export const ensureMayPrompt = (identity: Identity | undefined): void => {
  if (identity?.prompts !== true) throw mayNotPrompt(identity ?? null)
}
