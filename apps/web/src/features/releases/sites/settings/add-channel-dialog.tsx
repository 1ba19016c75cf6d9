import { useState, type SubmitEvent } from 'react'
import { errorAt } from '#lib/api/api-error.ts'
import { isolate } from '#lib/text/bidi.ts'
import { Button } from '#ui/buttons/button.tsx'
import { TextField } from '#ui/forms/field.tsx'
import { FormFailure } from '#ui/forms/form-failure.tsx'
import { Dialog } from '#ui/overlays/dialog.tsx'
import { toast } from '#ui/messages/toast.ts'
import { useAddChannel } from './settings.queries.ts'

type AddChannelProps = { siteId: string; onClose: () => void }

const AddChannelForm = ({ siteId, onClose }: AddChannelProps) => {
  const { mutate, error, isPending } = useAddChannel(siteId)
  const [name, setName] = useState('')
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (isPending) return
    mutate(name, {
      onSuccess: () => {
        toast(`Added the channel ${isolate(name.trim().toLowerCase())}.`, { tone: 'done' })
        onClose()
      },
    })
  }
  return (
    <form onSubmit={submit} noValidate className="grid gap-4">
      <TextField
        label="Name"
        data-autofocus
        autoCapitalize="none"
        value={name}
        onChange={({ target }) => setName(target.value)}
        error={errorAt(error, 'name')}
        hint="Such as staging. It’s a part of the channel’s address and can’t be changed."
      />
      <FormFailure error={error} fields={['name']} />
      <Button type="submit" variant="primary" busy={isPending} className="justify-self-end">
        Add channel
      </Button>
    </form>
  )
}

/** Adds a channel to a site. */
export const AddChannelDialog = (props: AddChannelProps) => (
  <Dialog open onClose={props.onClose} title="Add a channel">
    <AddChannelForm {...props} />
  </Dialog>
)
