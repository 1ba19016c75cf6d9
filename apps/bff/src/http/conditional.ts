import type { Context } from 'hono'
import type { AppEnv } from '#http/app-env.ts'

/** A list's content: `tag` names it (letters, digits and hyphens), and `now` is the reader's moment in milliseconds since the epoch. */
export type Current = { tag: string; now: number }

/** An answer, and the moment at which it changes by itself although its tag stays; null when it does not. Milliseconds since the epoch. */
type Produced = { response: Response; until: number | null }

const named = /"([\w-]+)(?:\.(\d{1,15}))?"/g

/**
 * Answers 304 when the reader already holds this content, without calling `produce`; else the produced answer with its `ETag`, which
 * carries `until` along, so that nothing but the tag need be read to know that it has passed. `produce` gets a tag read before the
 * rows: a change in between makes the next poll fetch them again, and never an old page look new.
 */
export const conditional = async (
  c: Context<AppEnv>,
  { tag, now }: Current,
  produce: () => Promise<Produced>,
): Promise<Response> => {
  // A proxy that compresses makes the tag weak; the content is still the one that was named.
  for (const [whole, held, until] of c.req.header('if-none-match')?.matchAll(named) ?? [])
    if (held === tag && (until === undefined || now < Number(until))) {
      c.header('ETag', whole)
      return c.body(null, 304)
    }
  const { response, until } = await produce()
  response.headers.set('ETag', until === null ? `"${tag}"` : `"${tag}.${until}"`)
  return response
}
