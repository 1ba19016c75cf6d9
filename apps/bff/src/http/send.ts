import type { Context } from 'hono'
import type { z } from 'zod'
import type { AppEnv } from '#http/app-env.ts'

/** Answers with JSON that was parsed by its contract on the way out, so an undeclared field never leaves the server. */
export const send = <S extends z.ZodType, const Status extends 200 | 201 | 202 = 200>(
  c: Context<AppEnv>,
  schema: S,
  value: z.input<S>,
  status: Status = 200 as Status,
) => c.json(schema.parse(value), status)

/** Answers 204. */
export const sendNothing = (c: Context<AppEnv>) => c.body(null, 204)
