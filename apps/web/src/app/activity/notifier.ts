import type { RecordKey } from '@docket/api-types/history'
import { ApiError } from '#lib/api/api-error.ts'
import { polling } from '#lib/polling/polling.ts'
import { readStored, writeStored } from '#lib/state/store.ts'
import { nowMs } from '#lib/time/clock.ts'
import { toast } from '#ui/messages/toast.ts'
import { readActivity } from './activity.queries.ts'
import { selectNewEndings, toNotice, type Notice, type Notified } from './new-endings.ts'
import { notifications } from './notifications.ts'

const hiddenMs = 20_000

/** Opens the overview when the key is null. */
type OpenRecord = (key: RecordKey | null) => void

const readNotified = (): Notified | null => {
  try {
    const notified = JSON.parse(readStored('local', 'notified') ?? 'null') as Partial<Notified> | null
    return typeof notified?.eventId === 'number' && typeof notified.lookedAtMs === 'number'
      ? (notified as Notified)
      : null
  } catch {
    return null
  }
}

const showNotification = ({ title, body, tag, only }: Notice, open: OpenRecord): void => {
  try {
    const notification = new Notification(title, { body, tag })
    notification.addEventListener('click', () => {
      window.focus()
      open(only?.key ?? null)
      notification.close()
    })
  } catch {
    // Phone browsers grant the permission but refuse notifications from an ordinary page.
    notifications.turnOff()
    toast('This browser can’t show notifications from web pages, so Docket turned them off.', { tone: 'failed' })
  }
}

const announceNewEndings = async (firstLook: boolean, open: OpenRecord, signal: AbortSignal): Promise<void> => {
  const { endings } = await readActivity('', signal)
  // Saved before it is shown: a tab that dies in between announces nothing rather than twice.
  const { tell, notified } = selectNewEndings(endings, readNotified(), { nowMs: nowMs(), firstLook })
  writeStored('local', 'notified', JSON.stringify(notified))
  const notice = toNotice(tell)
  if (notice) showNotification(notice, open)
}

const waitUnlessAborted = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done)
  })

const watchEndings = async (open: OpenRecord, signal: AbortSignal): Promise<void> => {
  let firstLook = true
  while (!signal.aborted) {
    let retryMs = 0
    try {
      if (!polling.get().stopped) {
        await announceNewEndings(firstLook, open, signal)
        firstLook = false
      }
    } catch (error) {
      retryMs = Math.max(hiddenMs, error instanceof ApiError ? (error.retryAfterMs ?? 0) : 0)
    }
    await waitUnlessAborted(Math.max(retryMs, document.hidden ? hiddenMs : polling.get().liveMs * 2), signal)
  }
}

/**
 * Announces each ending once, until the signal aborts. One tab of the browser holds the lock and does so; when it closes, another
 * tab takes over.
 */
export const runNotifier = async (open: OpenRecord, signal: AbortSignal): Promise<void> => {
  try {
    await navigator.locks.request('docket.notifications', { signal }, () => watchEndings(open, signal))
  } catch (error) {
    if (!signal.aborted) throw error
  }
}
