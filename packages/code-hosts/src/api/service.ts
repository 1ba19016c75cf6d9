import type { z } from 'zod'
import { CodeHostError, type Pause } from '#code-host-error.ts'
import type { ServiceLabels } from './refusals.ts'

/** One repository on a service, and how to talk to it. */
export type ServiceAt = {
  /** Base address of the API, without a slash at its end. */
  base: string
  /** Path of the repository: `owner/name`, or with more groups before it. */
  path: string
  token: () => string
  labels: ServiceLabels
  pause: Pause
}

/** An answer as its documentation describes it; one that is not rejects with a sentence instead of a list of fields. */
export const readAnswer = <T>(labels: ServiceLabels, schema: z.ZodType<T>, answer: unknown): T => {
  const read = schema.safeParse(answer)
  if (read.success) return read.data
  const field = read.error.issues[0]?.path.join('.') ?? ''
  throw new CodeHostError(
    'refused',
    `The answer of ${labels.service} is not as its API documents it (${field === '' ? 'the whole of it' : field}).`,
  )
}
