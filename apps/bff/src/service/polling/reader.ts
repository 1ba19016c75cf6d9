import type { CheckFailure } from '@docket/api-types/api-error'
import { and, type InferSelectModel, type SQL } from 'drizzle-orm'
import { AdminApiError } from '#ground/errors/app-error.ts'
import type { Actor } from '#ground/identity/identity.ts'
import type { Database, Tx } from '#ground/db/database.ts'
import type { Moment } from '#service/history/gap.ts'
import type { NewEvent } from '#service/history/history.ts'
import { type Claimed, claimRecordNow, type WatchedTable, writeReadOutcome } from './claim.ts'
import type { Clock } from './schedule.ts'
import type { GrantedCall } from '#service/rate-limit/limiter.ts'
import type { Polling } from './polling.ts'

export type ReadableRecords<T extends WatchedTable, Key, Answer> = {
  table: T
  condition: (key: Key) => SQL | undefined
  /** Condition for records that can be read. Undefined: all. */
  readable?: SQL | undefined
  ask: (row: InferSelectModel<T>) => Promise<Answer>
  /** May throw `AdminApiError` for an answer that contains nothing about the record. */
  afterAnswer: (row: InferSelectModel<T>, answer: Answer, clock: Clock) => InferSelectModel<T>
  afterFailure: (row: InferSelectModel<T>, error: AdminApiError, clock: Clock) => InferSelectModel<T>
  /** Adds the duration to a record that ended. */
  measureDuration: (before: InferSelectModel<T>, after: InferSelectModel<T>, moment: Moment) => InferSelectModel<T>
  /** Takes locks that must be taken before that of the row. Runs first in the transaction of the outcome. */
  lock?: (tx: Tx, after: InferSelectModel<T>) => Promise<unknown>
  onOutcome?: (tx: Tx, before: InferSelectModel<T>, after: InferSelectModel<T>) => Promise<unknown>
  selectChanges: (row: InferSelectModel<T>) => Partial<InferSelectModel<T>>
  countChange: (tx: Tx, after: InferSelectModel<T>) => Promise<unknown>
  listEvents: (before: InferSelectModel<T>, after: InferSelectModel<T>, moment: Moment) => readonly NewEvent[]
  /** Runs last in the transaction of the outcome. */
  recordEvents: (tx: Tx, key: Key, events: readonly NewEvent[]) => Promise<unknown>
}

type Click = { by: Actor; at: Date }

const listClickEvents = (click: Click | null): NewEvent[] => (click === null ? [] : [{ kind: 'checked', ...click }])

export type GrantedRead<Row> = Claimed<Row> & { granted: GrantedCall }

/** Columns that every read changes. They appear only in `checks` of a list. */
const checkColumns = [
  'checkedAt',
  'nextCheckAt',
  'failures',
  'unfinishedAt',
  'checkFailure',
  'viewedUntil',
  'foundAt',
  'missingSince',
  'missingReads',
  'progressEvidence',
  'progressSent',
  'progressSteps',
]

/** True when a read changed more than the check times. Only then does the list get a new revision. */
const hasChanged = (before: object, after: object): boolean => {
  const toComparable = (row: object) => {
    const { code, message } = (row as { checkFailure: CheckFailure | null }).checkFailure ?? {}
    return JSON.stringify([Object.entries(row).filter(([column]) => !checkColumns.includes(column)), code, message])
  }
  return toComparable(before) !== toComparable(after)
}

/** Reads records upstream, one call per record at a time, and writes the outcome. Equal keys (`toKey`) are equal as JSON. */
export const createRecordReader = <T extends WatchedTable, Key, Answer>(
  { db, polling, toKey }: { db: Database; polling: Polling; toKey: (row: InferSelectModel<T> | Key) => Key },
  records: ReadableRecords<T, Key, Answer>,
) => {
  type Row = InferSelectModel<T>
  const { table, condition, countChange, recordEvents } = records
  const { limiter, now, schedule, lease: own } = polling
  const runningSince = now()
  const moment = (): Moment => ({ now: now(), runningSince, pause: limiter.lastPause() })
  const underWay = new Map<string, Promise<boolean>>()

  const begin = (key: Key, read: () => Promise<boolean>): Promise<boolean> => {
    const name = JSON.stringify(key)
    const running = read().finally(() => {
      if (underWay.get(name) === running) underWay.delete(name)
    })
    underWay.set(name, running)
    return running
  }

  const writeOutcome = ({ row: before, lease }: Claimed<Row>, after: Row, click: Click | null) =>
    db.transaction(async (tx) => {
      const key = toKey(after)
      await records.lock?.(tx, after)
      const updated = await writeReadOutcome(tx, table, {
        which: condition(key),
        lease,
        set: records.selectChanges(after),
      })
      if (updated !== undefined) await records.onOutcome?.(tx, before, after)
      const events = updated === undefined ? [] : records.listEvents(before, after, moment())
      if (updated !== undefined && (events.length > 0 || hasChanged(before, after))) await countChange(tx, after)
      await recordEvents(tx, key, [...listClickEvents(click), ...events])
    })

  const readAndWrite = async (claimed: GrantedRead<Row>, click: Click | null): Promise<void> => {
    const { row } = claimed
    const sentMs = now()
    let outcome: Row
    try {
      const answer = await claimed.granted.call(() => records.ask(row))
      outcome = records.afterAnswer(row, answer, { now: now(), sentMs, schedule })
      outcome = records.measureDuration(row, outcome, moment())
    } catch (error) {
      if (!(error instanceof AdminApiError)) throw error
      outcome = records.afterFailure(row, error, { now: now(), sentMs, schedule })
    }
    await writeOutcome(claimed, outcome, click)
  }

  return {
    /** Writes failures of the service into the record. */
    readClaimed: async (claimed: GrantedRead<Row>) => {
      // Does not join a click: a click without a claim may still be refused, and then the record would not be read.
      await begin(toKey(claimed.row), async () => {
        await readAndWrite(claimed, null)
        return true
      })
    },
    /**
     * Reads a record now for `by` (null: Docket itself, without an event), or joins the read in progress in this process. False when there
     * is no such record. Rejects without a call: with `CallsPaused` while the service asks for a pause, and with `too_many_requests` when
     * the budget is spent.
     */
    readNow: async (key: Key, by: Actor | null) => {
      const click: Click | null = by && { by, at: new Date(now()) }
      const running = underWay.get(JSON.stringify(toKey(key)))
      const read = async () => {
        await schedule.refresh()
        const which = and(condition(key), records.readable)
        const claimed = await db.transaction(async (tx) => {
          const found = await claimRecordNow(tx, table, { ...own, now: now(), which })
          // A refusal rolls the claim back, so another process keeps its lease.
          return found && { ...found, granted: await limiter.grant(tx) }
        })
        if (claimed === undefined) return false
        await readAndWrite(claimed, click)
        return true
      }
      const known = await (running ?? begin(toKey(key), read))
      if (known && running !== undefined) await db.transaction((tx) => recordEvents(tx, key, listClickEvents(click)))
      return known
    },
  }
}
