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

const quoted = /"(?:[^"]*)"/g

/**
 * Answers 304 when the reader already holds this version, without calling `produce`; else the produced answer with its `ETag`.
 * `version` names the content of this very address: the list's revision, plus whatever else changes it. Printable ASCII without quotes.
 */
export const conditional = async (
  c: Context<AppEnv>,
  version: string,
  produce: () => Response | Promise<Response>,
): Promise<Response> => {
  const tag = `"${version}"`
  const held = c.req.header('if-none-match')
  c.header('ETag', tag)
  // A proxy that compresses makes the tag weak; the content is still the one that was named.
  if (held !== undefined && (held.trim() === '*' || held.match(quoted)?.includes(tag) === true))
    return c.body(null, 304)
  return produce()
}
