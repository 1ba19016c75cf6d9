import { z } from 'zod'
import { optionalText } from '#ground/text.ts'

/** Number that grows with each change of a channel. A change names the one that it saw, and is refused (`conflict`) after another. */
export const ChannelVersion = z.int().nonnegative()

/** What somebody adds in their own words. Null: nothing. */
export const note = optionalText(2000)
  .transform((text) => (text === '' ? null : text))
  .nullable()
  .default(null)
