import { z } from 'zod'
import { optionalText } from '#ground/text.ts'

/** Number that grows with each change of a channel. A change names the version it is based on, and is refused (`conflict`) if there is a newer one. */
export const ChannelVersion = z.int().nonnegative()

/** An optional note in the user's own words. Null when there is none. */
export const note = optionalText(2000)
  .transform((text) => (text === '' ? null : text))
  .nullable()
  .default(null)
