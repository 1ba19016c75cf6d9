import type { SecondFactorSetup } from '@docket/api-types/accounts'
import type { Person } from '@docket/api-types/session'
import { lazy, Suspense, useState } from 'react'
import { useGuardedMutation } from '#features/people/accounts/guarded-mutation.ts'
import { toMessage } from '#lib/api/api-error.ts'
import { Button } from '#ui/buttons/button.tsx'
import { CopyButton } from '#ui/copying/copy-button.tsx'
import { saveText } from '#ui/copying/save-file.ts'
import { bindText, Form, TextField } from '#ui/forms/form.tsx'
import { Panel } from '#ui/layout/page.tsx'
import { StateLabel } from '#ui/marks/state-mark.tsx'
import { Notice } from '#ui/messages/notice.tsx'
import { toast } from '#ui/messages/toast.ts'
import { useBeginSecondFactor, useConfirmSecondFactor, useRemoveSecondFactor } from './own-account.queries.ts'
import { ProveForm } from './prove-form.tsx'

const BackupCodesPanel = ({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) => {
  const [copied, setCopied] = useState(false)
  const text = `${codes.join('\n')}\n`
  const copy = () =>
    void navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => toast('Copying failed. Save the codes as a file instead.', { tone: 'failed' }),
    )
  return (
    <div className="grid gap-4">
      <Notice tone="attention" title="Save these backup codes">
        Each code replaces the app once if you lose it. They are shown only now.
      </Notice>
      <ul
        aria-label="Backup codes"
        className="grid max-w-sm grid-cols-2 gap-x-6 gap-y-1 rounded-md border border-line bg-sunken p-3 font-mono text-sm select-all"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <Button autoFocus onClick={copy}>
          {copied ? 'Copied' : 'Copy codes'}
        </Button>
        <Button onClick={() => saveText('docket-backup-codes.txt', text)}>Save as a file</Button>
        <Button variant="primary" onClick={onDone}>
          I saved them
        </Button>
      </div>
    </div>
  )
}

const QrCode = lazy(() => import('./qr-code.tsx').then((module) => ({ default: module.QrCode })))

const groupInFours = (secret: string) => secret.replaceAll(/(.{4})(?=.)/g, '$1 ')

const ConfirmForm = ({ setup, onCodes }: { setup: SecondFactorSetup; onCodes: (codes: string[]) => void }) => {
  const [code, setCode] = useState('')
  const { send, error, isPending, refused } = useGuardedMutation(useConfirmSecondFactor().mutateAsync)
  const submit = () => {
    if (code.trim() !== '') send(code.trim(), { onSuccess: ({ codes }) => onCodes(codes) })
  }
  return (
    <div className="flex flex-wrap gap-6">
      <span className="size-44">
        <Suspense>
          <QrCode text={setup.uri} label="QR code for the authenticator app" />
        </Suspense>
      </span>
      <div className="grid min-w-0 flex-1 basis-64 content-start gap-4">
        <div className="text-sm">
          <p className="text-muted">Scan the QR code with the app, or enter this secret:</p>
          <p className="mt-1 flex items-center gap-1">
            <code className="font-mono wrap-anywhere">{groupInFours(setup.secret)}</code>
            <CopyButton text={setup.secret} label="Copy the secret" />
          </p>
        </div>
        <Form onSubmit={submit} className="grid max-w-56 gap-4">
          <TextField
            label="Code from the app"
            autoFocus
            name="code"
            autoComplete="one-time-code"
            inputMode="numeric"
            maxLength={10}
            {...bindText(code, setCode)}
            error={refused ?? (error && toMessage(error))}
          />
          <Button type="submit" variant="primary" busy={isPending} refused={refused} className="justify-self-end">
            Turn on
          </Button>
        </Form>
      </div>
    </div>
  )
}

type Doing =
  | { what: 'beginning' | 'removing' | 'done' }
  | { what: 'confirming'; setup: SecondFactorSetup }
  | { what: 'codes'; codes: string[] }

export const SecondFactorSection = ({ person }: { person: Person }) => {
  // The button that replaces the form gets the focus.
  const [doing, setDoing] = useState<Doing | null>(null)
  const begin = useBeginSecondFactor()
  const removal = useRemoveSecondFactor()
  const stop = () => setDoing({ what: 'done' })
  const { hasPassword, hasSecondFactor } = person
  const start = async (password: string) => setDoing({ what: 'confirming', setup: await begin.mutateAsync(password) })
  const takeAway = async (password: string) => {
    await removal.mutateAsync(password)
    toast('Authenticator app turned off.', { tone: 'done' })
    stop()
  }
  const refused = hasPassword ? null : 'Set a password first. The app’s code is the second step after it.'
  return (
    <Panel
      title="Authenticator app"
      lead={
        hasSecondFactor ? (
          <StateLabel tone="done">On. Sign-in asks for a code after your password.</StateLabel>
        ) : (
          'A second step after your password: a six-digit code from an app on your phone.'
        )
      }
      action={
        (doing === null || doing.what === 'done') &&
        (hasSecondFactor ? (
          <Button autoFocus={doing !== null} onClick={() => setDoing({ what: 'removing' })}>
            Turn off…
          </Button>
        ) : (
          <Button autoFocus={doing !== null} refused={refused} onClick={() => setDoing({ what: 'beginning' })}>
            Set up…
          </Button>
        ))
      }
    >
      {doing?.what === 'beginning' && (
        <ProveForm hasPassword={hasPassword} action="Continue" onSend={start} onCancel={stop} />
      )}
      {doing?.what === 'removing' && (
        <ProveForm hasPassword={hasPassword} action="Turn off" danger onSend={takeAway} onCancel={stop}>
          <Notice tone="attention">You will sign in with your password alone.</Notice>
        </ProveForm>
      )}
      {doing?.what === 'confirming' && (
        <>
          <ConfirmForm setup={doing.setup} onCodes={(codes) => setDoing({ what: 'codes', codes })} />
          <Button variant="quiet" className="mt-3 -ml-3" onClick={stop}>
            Cancel
          </Button>
        </>
      )}
      {doing?.what === 'codes' && <BackupCodesPanel codes={doing.codes} onDone={stop} />}
    </Panel>
  )
}
