import type { Site } from '@docket/api-types/sites'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { isolateText } from '#lib/text/format.ts'
import { Button } from '#ui/buttons/button.tsx'
import { bindText, Form, FormFailure, TextField } from '#ui/forms/form.tsx'
import { toast } from '#ui/messages/toast.ts'
import { Dialog } from '#ui/overlays/dialog.tsx'
import { useRemoveSite } from './settings.queries.ts'

type RemoveSiteProps = { site: Site; docket: string }

const RemoveSiteDialog = ({ site, docket, onClose }: RemoveSiteProps & { onClose: () => void }) => {
  const { mutateAsync, error, isPending } = useRemoveSite(site.siteId)
  const router = useRouter()
  const [typed, setTyped] = useState('')
  const { name, label, channels, feeds } = site
  const refused = typed.trim() === name ? null : 'Type the name of the site first.'
  const submit = () => {
    if (refused !== null) return
    void mutateAsync().then(
      () => {
        toast(`Removed the site ${isolateText(name)}.`, { tone: 'done' })
        void router.navigate({ to: '/' })
      },
      () => undefined,
    )
  }
  const addresses = channels.flatMap(({ address }) => address ?? [])
  return (
    <Dialog onClose={onClose} title={`Remove ${isolateText(name)}?`}>
      <Form onSubmit={submit} busy={isPending} className="grid gap-4">
        <div className="grid gap-2 text-sm">
          <p className="font-medium">These addresses stop working at once:</p>
          <ul className="grid gap-1">
            {[...addresses, `${docket}/sites/${label}/…`].map((address) => (
              <li key={address} className="wrap-anywhere">
                {address}
              </li>
            ))}
          </ul>
          <p className="text-muted">
            Its releases, targets and roles go with it, and API tokens lose it. Exports stay, and so does what Docket
            delivered to targets. The next export of {feeds.map(({ domain }) => domain).join(' or ')} makes a new site.
            You can’t undo this.
          </p>
        </div>
        <TextField
          label={`Type ${isolateText(name)} to confirm`}
          data-autofocus
          autoCapitalize="none"
          autoComplete="off"
          {...bindText(typed, setTyped)}
        />
        <FormFailure error={error} />
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="danger" busy={isPending} refused={refused}>
            Remove site
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}

export const RemoveSite = (props: RemoveSiteProps) => {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="danger" className="justify-self-start" onClick={() => setOpen(true)}>
        Remove this site…
      </Button>
      {open && <RemoveSiteDialog {...props} onClose={() => setOpen(false)} />}
    </>
  )
}
