import type { ReactNode, SubmitEvent } from 'react'
import { Button } from '#ui/buttons/button.tsx'
import { Notice } from '#ui/messages/notice.tsx'
import { MaintenanceFields } from './maintenance-fields.tsx'
import { PreviewNotice } from './maintenance-preview.tsx'
import { type MaintenanceProblems, type MaintenanceTarget, useMaintenanceForm } from './use-maintenance-form.ts'

type MaintenanceFormProps = MaintenanceTarget & {
  /** Fields of the project; their errors come from this form. */
  where: (problems: Pick<MaintenanceProblems, 'projectId' | 'connectionId'>, busy: boolean) => ReactNode
  note: ReactNode
}

/** A maintenance action with its fields, its preview, and the button that starts the job. */
export const MaintenanceForm = ({ where, note, ...target }: MaintenanceFormProps) => {
  const { form, draft, type, problems, preview, previewing, starting, startPreview, start } = useMaintenanceForm(target)
  const busy = previewing || starting
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    void (preview === null ? startPreview() : start())
  }
  const { elsewhere, unanswered } = problems
  return (
    <form ref={form} onSubmit={submit} noValidate className="flex flex-col gap-4">
      {where(problems, busy)}
      <MaintenanceFields draft={draft} type={type} problems={problems} busy={busy} />
      {preview && <PreviewNotice preview={preview} />}
      {elsewhere && (
        <Notice tone="failed" role="alert" title={unanswered ? 'No response' : 'Nothing was started'}>
          {elsewhere}
        </Notice>
      )}
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
    </form>
  )
}
