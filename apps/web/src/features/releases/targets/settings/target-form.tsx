import type { Target } from '@docket/api-types/targets'
import { useState } from 'react'
import { kindLabels } from '#features/releases/targets/target-labels.ts'
import {
  useAddTarget,
  useChangeTarget,
  useTestTarget,
  type ChannelKey,
} from '#features/releases/targets/targets.queries.ts'
import { ApiError } from '#lib/api/api-error.ts'
import { isolateText } from '#lib/text/format.ts'
import { Button } from '#ui/buttons/button.tsx'
import { Choices } from '#ui/forms/choices.tsx'
import { bindDraft, TextField, Checkbox, FormActions, FormFailure, Form } from '#ui/forms/form.tsx'
import { Notice } from '#ui/messages/notice.tsx'
import { toastDone } from '#ui/messages/toast.ts'
import { Dialog } from '#ui/overlays/dialog.tsx'
import { findErrorBesideFields, findFieldError } from './field-error.ts'
import { KindFields } from './kind-fields.tsx'
import {
  toAddRequest,
  toTargetChange,
  toTargetDraft,
  toTestRequest,
  type TargetDraft,
  type TargetKind,
} from './target-draft.ts'

type TargetFormProps = { channel: ChannelKey; target: Target | null; folders: readonly string[]; onClose: () => void }

const hints: Record<TargetKind, string> = {
  folder: 'of the machine that Docket runs on',
  s3: 'a bucket, or a folder in it',
  git: 'each delivery is one commit',
  sftp: 'a folder of an SSH server',
}
const kinds = (Object.keys(hints) as TargetKind[]).map((value) => ({
  value,
  label: value === 'git' ? 'Git branch' : kindLabels[value],
  hint: hints[value],
}))

export const TargetDialog = ({ channel, target, folders, onClose }: TargetFormProps) => {
  const [draft, setDraft] = useState(() => toTargetDraft(target, folders))
  const [mistake, setMistake] = useState<ApiError | null>(null)
  const add = useAddTarget(channel)
  const change = useChangeTarget(channel)
  const test = useTestTarget()
  const error = mistake ?? add.error ?? change.error ?? test.error
  const isPending = add.isPending || change.isPending
  const testRequest = toTestRequest(draft, target, channel.channelId)
  // An outcome is about the draft that was tested.
  const outcome = JSON.stringify(testRequest) === JSON.stringify(test.variables) ? test.data : undefined
  const type = (changes: Partial<TargetDraft>) => setDraft((before) => ({ ...before, ...changes }))
  const { text, flag } = bindDraft(draft, type, (name) => findFieldError(error, name))

  const accept = <T,>(request: T | ApiError): T | null => {
    for (const one of [add, change, test]) one.reset()
    setMistake(request instanceof ApiError ? request : null)
    return request instanceof ApiError ? null : request
  }
  const runTest = () => {
    const request = accept(testRequest)
    if (request !== null) test.mutate(request)
  }
  const onSuccess = toastDone(({ name }: Target) => `Saved ${isolateText(name)}.`, onClose)
  const submit = () => {
    if (target === null) {
      const request = accept(toAddRequest(draft))
      if (request !== null) add.mutate(request, { onSuccess })
      return
    }
    const request = toTargetChange(draft, target)
    const accepted = accept(request)
    if (accepted !== null) change.mutate({ ...accepted, targetId: target.targetId }, { onSuccess })
    else if (request === null) onClose()
  }

  return (
    <Dialog wide onClose={onClose} title={target === null ? 'Add a target' : `Edit ${isolateText(target.name)}`}>
      <Form onSubmit={submit} busy={isPending} error={error} className="grid gap-5">
        <TextField label="Name" data-autofocus {...text('name')} hint="Such as Web server, or Copy for partners." />
        {target === null && (
          <Choices legend="Kind" options={kinds} value={draft.kind} onChange={(kind) => type({ kind })} />
        )}
        <KindFields
          draft={draft}
          before={target}
          folders={folders}
          onChange={(next) => type({ kinds: next })}
          error={error}
        />
        <TextField
          label="Public address"
          optional
          inputMode="url"
          autoCapitalize="none"
          dir="ltr"
          placeholder="https://docs.example.com/"
          hint="Where readers find this place. A site built for a path, such as /docs/, is put where that path leads."
          {...text('address')}
        />
        <Checkbox label="Deliver each new release" hint="Otherwise somebody delivers by hand." {...flag('onRelease')} />
        <FormFailure error={findErrorBesideFields(error)} />
        {outcome && (
          <Notice tone={outcome.works ? 'done' : 'failed'} role={outcome.works ? 'status' : 'alert'}>
            {outcome.message}
          </Notice>
        )}
        <FormActions submit={target === null ? 'Add target' : 'Save'} busy={isPending} onCancel={onClose}>
          <Button className="mr-auto" busy={test.isPending} onClick={runTest}>
            Test
          </Button>
        </FormActions>
      </Form>
    </Dialog>
  )
}
