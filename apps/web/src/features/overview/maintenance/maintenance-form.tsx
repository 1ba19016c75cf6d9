import type { ReactNode } from 'react'
import { Button } from '#ui/buttons/button.tsx'
import { Notice } from '#ui/messages/notice.tsx'
import { FormFailure } from '#ui/forms/form-failure.tsx'
import { Form } from '#ui/forms/form.tsx'
import { MaintenanceFields } from './maintenance-fields.tsx'
import { type MaintenanceProblems, type MaintenanceTarget, useMaintenanceForm } from './use-maintenance-form.ts'
import type { MaintenancePreview } from '@docket/api-types/maintenance'
import { formatCount } from '#lib/text/format.ts'

const PreviewLines = ({ title, lines, count }: { title: string; lines: readonly string[]; count: number }) =>
  lines.length > 0 && (
    <div className="mt-2">
      <p className="text-xs font-medium text-text">{title}</p>
      <ul
        aria-label={title}
        className="mt-1 max-h-40 overflow-y-auto font-mono text-xs wrap-anywhere"
        // Focusable, so that the keyboard can scroll it.
        tabIndex={lines.length > 6 ? 0 : undefined}
      >
        {lines.map((line, index) => (
          // Lines may repeat, and the list never changes.
          <li key={index}>
            <bdi>{line}</bdi>
          </li>
        ))}
        {count > lines.length && <li className="text-muted">and {formatCount(count - lines.length)} more</li>}
      </ul>
    </div>
  )

const PreviewNotice = ({ preview }: { preview: MaintenancePreview }) => {
  const { summary, files, occurrences, examples, findings, firstFindings, notes } = preview
  return (
    <Notice tone={files === 0 ? 'idle' : 'live'} role="status" title={`Preview: ${summary}`}>
      {files === 0 && <p>The job would change nothing and open no pull request. Its report is on its page.</p>}
      {notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
      <PreviewLines title="Would change" lines={examples} count={occurrences} />
      <PreviewLines title="Left for a person" lines={firstFindings} count={findings} />
    </Notice>
  )
}

type MaintenanceFormProps = MaintenanceTarget & {
  where: (problems: Pick<MaintenanceProblems, 'projectId' | 'connectionId'>, busy: boolean) => ReactNode
  note: ReactNode
}

export const MaintenanceForm = ({ where, note, ...target }: MaintenanceFormProps) => {
  const { draft, type, problems, preview, previewing, starting, startPreview, start } = useMaintenanceForm(target)
  const busy = previewing || starting
  const { elsewhere, unanswered } = problems
  return (
    <Form
      onSubmit={() => void (preview === null ? startPreview() : start())}
      error={problems}
      className="flex flex-col gap-4"
    >
      {where(problems, busy)}
      <MaintenanceFields draft={draft} type={type} problems={problems} busy={busy} />
      {preview && <PreviewNotice preview={preview} />}
      <FormFailure error={elsewhere ?? null} title={unanswered ? 'No response' : 'Nothing was started'} />
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="min-w-0 flex-1 basis-56 space-y-1">{note}</div>
        <Button
          type={preview === null ? 'submit' : 'button'}
          variant={preview === null ? 'primary' : 'secondary'}
          size="md"
          busy={previewing}
          onClick={preview === null ? undefined : () => void startPreview()}
        >
          Preview
        </Button>
        <Button
          type={preview === null ? 'button' : 'submit'}
          variant={preview === null ? 'secondary' : 'primary'}
          size="md"
          busy={starting}
          refused={preview === null ? 'Preview it first.' : null}
        >
          Start job
        </Button>
      </div>
    </Form>
  )
}
