import type { Preview } from '@docket/api-types/previews'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState } from 'react'
import { usePaused } from '#ui/live/ticking.tsx'
import { closePreview, hasPreviewEnded, openPreviewQuery, previewReportQuery } from './previews.queries.ts'

/** After this time, a second blocked address no longer counts as a redirect by the page itself. Milliseconds. */
const restoreMs = 5_000

const toPageAddress = ({ base, url }: Preview, path: string) =>
  base ? `${base}${path.startsWith('/') ? '' : '/'}${path}` : url

/** Calls `onBlocked` with each address that a frame on this page was blocked from opening. */
const useBlockedAddress = (onBlocked: (address: string) => void) => {
  const latest = useRef(onBlocked)
  useEffect(() => {
    latest.current = onBlocked
  })
  useEffect(() => {
    const hear = ({ effectiveDirective, blockedURI }: SecurityPolicyViolationEvent) => {
      if (effectiveDirective === 'frame-src') latest.current(blockedURI)
    }
    document.addEventListener('securitypolicyviolation', hear)
    return () => document.removeEventListener('securitypolicyviolation', hear)
  }, [])
}

/**
 * Opens a preview while the component is mounted, and keeps its frame at `path`. If a page leaves for another site, the frame returns,
 * unless the page leaves again at once.
 */
export const usePreview = (exportId: string, path: string) => {
  const id = useId()
  const client = useQueryClient()
  const paused = usePaused()
  const [attempt, setAttempt] = useState(0)
  const opening = useQuery(openPreviewQuery(exportId, path, `${id} ${attempt}`))
  const preview = opening.data
  const report = useQuery(previewReportQuery(exportId, preview?.previewId, paused))
  const [place, setPlace] = useState({ path, address: path, loads: 0 })
  const [blocked, setBlocked] = useState<{ address: string; isStuck: boolean } | null>(null)
  const restoredAt = useRef(-restoreMs)
  const [frame, setFrame] = useState({ wanted: '', previewId: '', src: '' })

  if (place.path !== path) {
    setPlace({ path, address: path, loads: place.loads })
    setBlocked(null)
  }
  const page = report.data?.page ?? place.address
  const wanted = `${preview?.previewId} ${place.loads} ${place.address}`
  if (preview && frame.wanted !== wanted) {
    const isFirst = frame.previewId !== preview.previewId
    setFrame({
      wanted,
      previewId: preview.previewId,
      src: isFirst ? preview.url : toPageAddress(preview, place.address),
    })
  }
  const loadAgain = () => setPlace({ path, address: page, loads: place.loads + 1 })

  useBlockedAddress((address) => {
    const now = performance.now()
    const isStuck = now - restoredAt.current < restoreMs
    restoredAt.current = now
    setBlocked({ address, isStuck })
    if (!isStuck) loadAgain()
  })

  const closing = useRef<{ previewId: string; timer: ReturnType<typeof setTimeout> }>(undefined)
  const previewId = preview?.previewId
  useEffect(() => {
    if (previewId === undefined) return
    if (closing.current?.previewId === previewId) clearTimeout(closing.current.timer)
    return () => {
      // In development, React unmounts and mounts again at once.
      closing.current = { previewId, timer: setTimeout(() => closePreview(exportId, previewId), 500) }
    }
  }, [exportId, previewId])

  return {
    preview,
    /** Changes with every load that Docket asks for. */
    frameKey: frame.wanted,
    src: frame.src,
    error: opening.error,
    ended: hasPreviewEnded(report.error),
    page,
    violations: report.data?.violations ?? [],
    blocked,
    onLoad: () => void client.invalidateQueries({ queryKey: ['previews', 'report', exportId, previewId] }),
    /** Loads a page, even if `path` already names it. */
    goTo: (address: string) => {
      setBlocked(null)
      setPlace({ path, address, loads: place.loads + 1 })
    },
    reload: () => {
      setBlocked(null)
      loadAgain()
    },
    openAgain: () => {
      setBlocked(null)
      setAttempt(attempt + 1)
    },
  }
}

export type OpenPreview = ReturnType<typeof usePreview>
