import type { UploadBundleQuery } from '@docket/api-types/artifacts'
import type { StartedStaticExport } from '@docket/api-types/static-exports'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { buildExportLink, formatDomain } from '#features/records/static-exports/export-state.ts'
import { useHomeConnection, useWriteStartedExport } from '#features/records/static-exports/static-exports.queries.ts'
import { printQuery } from '#lib/address/query-string.ts'
import { findErrorAt, findErrorBeside, ApiError, readError } from '#lib/api/api-error.ts'
import { noteRefusal } from '#lib/api/api.ts'
import { formatBytes } from '#lib/text/format.ts'
import { syncClock } from '#lib/time/clock.ts'
import { createUuid } from '#lib/uuid.ts'
import { Button } from '#ui/buttons/button.tsx'
import { ConnectionField, useConnectionChoice } from '#ui/connections/connection-field.tsx'
import { actionsLineClass, bindText, Checkbox, Form, FormFailure, TextField } from '#ui/forms/form.tsx'
import { Notice } from '#ui/messages/notice.tsx'
import { toast } from '#ui/messages/toast.ts'
import { Dialog } from '#ui/overlays/dialog.tsx'
import { ProgressBar } from '#ui/records/progress-bar.tsx'

type Sending = {
  signal: AbortSignal
  /** Called with the part of the file that was sent, from 0 to 1. */
  onProgress: (part: number) => void
}

const uploadStoppedError = () =>
  new ApiError('no_answer', 'The upload stopped. Check that Docket is running and the file isn’t too large.', {})

const toResponse = (request: XMLHttpRequest): Response => {
  const retryAfter = request.getResponseHeader('retry-after')
  return new Response(request.responseText || null, {
    status: request.status,
    headers: retryAfter === null ? {} : { 'retry-after': retryAfter },
  })
}

/** Sends a file once; `fetch` reports no progress. Rejects with `ApiError`, or with `AbortError` when `signal` aborts. */
const sendFile = (path: string, file: Blob, { signal, onProgress }: Sending): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', path)
    request.setRequestHeader('content-type', 'application/octet-stream')
    request.setRequestHeader('x-docket', '1')
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0))
    request.addEventListener('error', () => reject(uploadStoppedError()))
    request.addEventListener('abort', () => reject(new DOMException('Cancelled.', 'AbortError')))
    request.addEventListener('load', () => {
      syncClock(request.getResponseHeader('date'))
      const response = toResponse(request)
      if (response.ok) response.json().then(resolve, () => reject(uploadStoppedError()))
      else
        void readError(response).then((error) => {
          noteRefusal(error)
          reject(error)
        })
    })
    signal.addEventListener('abort', () => request.abort(), { once: true })
    request.send(file)
  })

type Upload = {
  file: File
  about: UploadBundleQuery
  signal: AbortSignal
  onProgress: (part: number) => void
}

const useUploadBundle = () =>
  useWriteStartedExport(
    ({ file, about, ...sending }: Upload) =>
      sendFile(`/api/static-exports/upload${printQuery(about)}`, file, sending) as Promise<StartedStaticExport>,
  )

const UploadProgress = ({ part, file, portable }: { part: number; file: File; portable: boolean }) => {
  const words = part < 1 ? 'Uploading' : `Docket is ${portable ? 'making the site portable' : 'reading the file'}`
  const amount = `${formatBytes(Math.floor(part * file.size))} of ${formatBytes(file.size)}`
  return (
    <div className="space-y-1.5 text-sm">
      <p role="status">{words}</p>
      <ProgressBar
        percent={part < 1 ? part * 100 : null}
        tone="live"
        label="Progress of the upload"
        text={`${words}, ${amount}`}
      />
      <p className="text-xs text-muted">{amount}. Closing this window cancels the upload.</p>
    </div>
  )
}

const useLeaveWarning = (isBusy: boolean): void => {
  useEffect(() => {
    if (!isBusy) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [isBusy])
}

const missing = { file: 'Choose a file.', domain: 'Enter a domain, such as docs.example.com.' }

export const UploadDialog = ({ onClose }: { onClose: () => void }) => {
  const [file, setFile] = useState<File | null>(null)
  const [domain, setDomain] = useState('')
  const [version, setVersion] = useState('')
  const [connectionId, setConnection] = useState('')
  const [portable, setPortable] = useState(false)
  const [asked, setAsked] = useState(false)
  const [part, setPart] = useState(0)
  const abort = useRef<AbortController>(null)
  // Uploading again after a lost response finds the first upload.
  const intents = useRef(new Map<string, string>())
  const router = useRouter()
  const choice = useConnectionChoice(connectionId, false, useHomeConnection(domain))
  const { mutate, isPending, error, reset } = useUploadBundle()
  useLeaveWarning(isPending)
  useEffect(() => () => abort.current?.abort(), [])
  const isCancelled = error instanceof DOMException
  const failure = isCancelled ? null : findErrorBeside(error, ['connectionId', 'domain', 'version'])
  const submit = () => {
    setAsked(true)
    if (isPending || !file || choice.missing || !domain.trim()) return
    setPart(0)
    abort.current = new AbortController()
    const about = {
      domain: domain.trim(),
      ...(version.trim() && { version: version.trim() }),
      ...(choice.body.connectionId && { connection: choice.body.connectionId }),
      ...(portable && { portable }),
    }
    const intent = JSON.stringify([file.name, file.size, file.lastModified, about])
    const requestId = intents.current.get(intent) ?? createUuid()
    intents.current.set(intent, requestId)
    mutate(
      { file, about: { ...about, requestId }, signal: abort.current.signal, onProgress: setPart },
      {
        onSuccess: ({ export: row, domainNotes }) => {
          toast([`Uploaded the bundle of ${formatDomain(row)}.`, ...domainNotes].join(' '), { tone: 'done' })
          onClose()
          void router.navigate(buildExportLink(row.exportId))
        },
      },
    )
  }
  return (
    <Dialog onClose={onClose} title="Upload a bundle">
      <Form onSubmit={submit} className="flex flex-col gap-3">
        <TextField
          type="file"
          label="File"
          accept=".gz,.tgz,.zst,.tar,.zip"
          disabled={isPending}
          onChange={(event) => {
            setFile(event.target.files?.[0] ?? null)
            reset()
          }}
          error={asked && !file ? missing.file : null}
          hint="A .tar.gz, .tar.zst, .tar or .zip with the files of one site."
        />
        <TextField
          label="Domain"
          inputMode="url"
          autoCapitalize="none"
          readOnly={isPending}
          {...bindText(domain, setDomain)}
          error={asked && !domain.trim() ? missing.domain : findErrorAt(error, 'domain')}
          hint="The site it belongs to. Docket compares it with other exports of this site."
        />
        <TextField
          label="Version"
          optional
          readOnly={isPending}
          {...bindText(version, setVersion)}
          error={findErrorAt(error, 'version')}
        />
        <ConnectionField
          choice={choice}
          onChange={setConnection}
          error={(asked && choice.missing ? 'Choose a connection.' : null) ?? findErrorAt(error, 'connectionId')}
        />
        <fieldset disabled={isPending}>
          <Checkbox
            label="Make it portable"
            hint="Turns a built site into a bundle that opens from a disk, works at any address and asks no other host."
            checked={portable}
            onChange={setPortable}
          />
        </fieldset>
        {isPending && file && <UploadProgress part={part} file={file} portable={portable} />}
        <FormFailure error={failure} title="The bundle was not uploaded" />
        {isCancelled && <Notice tone="idle">You cancelled the upload. Nothing was saved.</Notice>}
        <div className={actionsLineClass}>
          {isPending && <Button onClick={() => abort.current?.abort()}>Cancel upload</Button>}
          <Button type="submit" variant="primary" busy={isPending}>
            Upload
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
