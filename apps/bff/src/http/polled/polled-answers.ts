import type { Context } from 'hono'
import { routePath } from 'hono/route'
import type { z } from 'zod'
import type { AppEnv } from '#http/app-env.ts'
import { waitForDatabase, withOwnDeadline } from '#db/deadline.ts'
import { codingFor, type CodedJson } from '#http/polled/coded-json.ts'
import { entityTag, heldTags, stillRight } from '#http/polled/entity-tags.ts'
import { bounded } from '#http/polled/least-recent.ts'
import type { PageItems } from '#http/polled/delta.ts'
import { makeAnswer, type MadeAnswer } from '#http/polled/made-answer.ts'
import { everything, reachOf, type Reach } from '#http/access/reach.ts'

/** A list's content: `tag` names it (up to 200 letters, digits and hyphens), and `now` is the reader's moment in milliseconds since the epoch. */
export type Current = { tag: string; now: number }

type PageItem<S extends z.ZodType> = z.output<S> extends { items: (infer Item)[] } ? Item : never

/** What is polled at an address. */
export type Polled<S extends z.ZodType> = {
  /** The content that the answer is made from; to be shared by polls (`sharedReads`). */
  current: () => Promise<Current>
  schema: S
  /** Names the record of an item of a page, so that a reader who holds an older state of it is sent what changed in it. */
  keyOf?: (item: PageItem<S>) => string
  /**
   * Makes the answer, after its content was named: a change in between makes the next poll make it again, and never an old answer
   * look new. `until`: when it changes by itself (milliseconds since the epoch), or null. `onPoll` is called for every poll.
   * Nothing outside `reach` may be in it.
   */
  make: (reach: Reach) => Promise<{ value: z.input<S>; until?: number | null; onPoll?: () => void }>
}

type Remembered = {
  address: string
  answer: MadeAnswer
  current: () => Promise<Current>
  onPoll: (() => void) | undefined
  route: string
}

/** A 304: its `ETag`, and the route that answered the address before. */
export type Unchanged = { etag: string; route: string }

/** Answers that many readers poll: made once, remembered within bounds, and told apart by their entity tags. */
export type PolledAnswers = {
  /**
   * Answers 304 when the reader's answer is still right, without making anything where the address was answered before; else the answer,
   * or what of it is new to the reader.
   */
  send: <S extends z.ZodType>(c: Context<AppEnv>, polled: Polled<S>) => Promise<Response>
  /** The same 304, for an address (path and query) that was answered before. Null when the whole way must be gone. Never rejects. */
  unchanged: (address: string, ifNoneMatch: string) => Promise<Unchanged | null> | null
}

/** Of every answer that depends on what the reader accepts and holds. */
export const varies = 'Accept-Encoding, Prefer'

const mostBytes = 32 * 1024 * 1024
const mostPageBytes = 12 * 1024 * 1024
// JSON as bytes, and both codings. The items weigh as pages.
const weightOf = ({ address, answer }: Remembered) => 4_096 + address.length + answer.whole.sizeBytes * 2
const pageWeightOf = (page: PageItems) => page.reduce((sum, { json }) => sum + json.length * 3, 4_096)

const addressOf = (url: string) => url.slice(url.indexOf('/', url.indexOf('//') + 2))
const asksForDelta = (prefer: string | undefined) =>
  prefer !== undefined && /(?:^|,)\s*delta\s*(?:[,;]|$)/i.test(prefer)

export const polledAnswers = (): PolledAnswers => {
  const remembered = bounded(mostBytes, weightOf)
  /** The items of pages that readers may hold, by the page's own print. */
  const pages = bounded<PageItems>(mostPageBytes, pageWeightOf)
  const underWay = new Map<string, Promise<Remembered>>()

  const isRight = ({ answer }: Remembered, { tag, now }: Current) =>
    answer.tag === tag && (answer.until === null || now < answer.until)

  /** Whoever asks for the same content of the same address meanwhile gets the same answer: it is no older than what they saw named. */
  const made = <S extends z.ZodType>(
    c: Context<AppEnv>,
    address: string,
    tag: string,
    polled: Polled<S>,
  ): Promise<Remembered> => {
    const name = `${tag} ${address}`
    const make = async () => {
      const { value, until = null, onPoll } = await polled.make(everything)
      const answer = makeAnswer(
        polled.schema.parse(value) as object,
        { tag, until },
        polled.keyOf as (item: object) => string,
      )
      const entry = { address, answer, current: polled.current, onPoll, route: routePath(c) }
      remembered.set(address, entry)
      if (answer.page !== null) pages.set(answer.print, answer.page)
      return entry
    }
    return waitForDatabase(() => {
      const making = underWay.get(name) ?? withOwnDeadline(make).finally(() => underWay.delete(name))
      underWay.set(name, making)
      return making
    })
  }

  const notModified = (c: Context<AppEnv>, etag: string) => {
    c.header('ETag', etag)
    c.header('Vary', varies)
    return c.body(null, 304)
  }

  const sent = async (
    c: Context<AppEnv>,
    json: CodedJson,
    answer: MadeAnswer,
    headers: Record<string, string> = {},
  ) => {
    const { bytes, coding } = await json.in(codingFor(c.req.header('accept-encoding')))
    return c.body(new Uint8Array(bytes), 200, {
      'Content-Type': 'application/json',
      'Content-Length': String(bytes.length),
      ETag: entityTag(answer, coding),
      Vary: varies,
      ...(coding === 'identity' ? {} : { 'Content-Encoding': coding }),
      ...headers,
    })
  }

  /** Made for this reader only and not remembered; its entity tag tells of nothing but itself. */
  const sendOwn = async <S extends z.ZodType>(c: Context<AppEnv>, polled: Polled<S>, reach: Reach) => {
    const { value, onPoll } = await polled.make(reach)
    onPoll?.()
    const answer = makeAnswer(polled.schema.parse(value) as object, { tag: 'own', until: null })
    const held = heldTags(c.req.header('if-none-match')).find(({ print }) => print === answer.print)
    return held === undefined ? sent(c, answer.whole, answer) : notModified(c, `"${held.text}"`)
  }

  return {
    send: async (c, polled) => {
      const reach = reachOf(c.var.identity)
      if (reach !== everything) return sendOwn(c, polled, reach)
      const address = addressOf(c.req.url)
      const current = await polled.current()
      const held = heldTags(c.req.header('if-none-match'))
      const known = remembered.get(address)
      const right = stillRight(held, current)
      // Where nothing is remembered (after a start, or by another replica than before), nobody knows yet what the reader looks at.
      if (right !== undefined && known !== undefined) {
        known.onPoll?.()
        return notModified(c, `"${right.text}"`)
      }
      const { answer, onPoll } =
        known !== undefined && isRight(known, current) ? known : await made(c, address, current.tag, polled)
      onPoll?.()
      const coding = codingFor(c.req.header('accept-encoding'))
      // The list changed, but nothing of what this address shows.
      if (held.some(({ print }) => print === answer.print)) return notModified(c, entityTag(answer, coding))

      const base = asksForDelta(c.req.header('prefer'))
        ? held.find(({ print }) => pages.get(print) !== undefined)
        : undefined
      const delta = base === undefined ? null : answer.since(base, pages.get(base.print)!)
      return delta === null ? sent(c, answer.whole, answer) : sent(c, delta, answer, { 'Preference-Applied': 'delta' })
    },
    unchanged: (address, ifNoneMatch) => {
      const known = remembered.get(address)
      if (known === undefined) return null
      return known.current().then(
        (current) => {
          const right = stillRight(heldTags(ifNoneMatch), current)
          if (right === undefined) return null
          known.onPoll?.()
          return { etag: `"${right.text}"`, route: known.route }
        },
        // The whole way says what is wrong.
        () => null,
      )
    },
  }
}
