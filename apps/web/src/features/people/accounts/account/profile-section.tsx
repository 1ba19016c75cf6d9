import { roles } from '@docket/api-types/roles'
import type { Person } from '@docket/api-types/session'
import { useState } from 'react'
import { findErrorAt } from '#lib/api/api-error.ts'
import { aRole } from '#lib/people/permissions.ts'
import { Button } from '#ui/buttons/button.tsx'
import { bindDraft, TextField, FormFailure, Form } from '#ui/forms/form.tsx'
import { Panel } from '#ui/layout/page.tsx'
import { toastDone } from '#ui/messages/toast.ts'
import { useChangeAccount } from './own-account.queries.ts'

type ProfileSectionProps = { person: Person; connections: readonly { name: string; mayOperate: boolean }[] }

const listNames = (connections: ProfileSectionProps['connections'], mayOperate: boolean) =>
  new Intl.ListFormat('en').format(connections.filter((one) => one.mayOperate === mayOperate).map(({ name }) => name))

const describeRole = ({ person: { role }, connections }: ProfileSectionProps): string => {
  const [operates, views] = [listNames(connections, true), listNames(connections, false)]
  return operates === '' || views === ''
    ? `You are ${aRole[role]}. ${roles[role].may}`
    : `You are an operator of ${operates}, and a viewer of ${views}.`
}

export const ProfileSection = ({ person, connections }: ProfileSectionProps) => {
  const [draft, setDraft] = useState({ name: person.name, email: person.email })
  const { name, email } = draft
  const { mutate, error, isPending, reset } = useChangeAccount()
  const isChanged = name.trim() !== person.name || email.trim() !== person.email
  const change = (changes: Partial<typeof draft>) => {
    setDraft({ ...draft, ...changes })
    reset()
  }
  const { text } = bindDraft(draft, change, (field) => findErrorAt(error, field))
  const submit = () => {
    if (!isChanged) return
    mutate(
      { ...(name.trim() !== person.name && { name }), ...(email.trim() !== person.email && { email }) },
      { onSuccess: toastDone('Saved.') },
    )
  }
  return (
    <Panel title="You" lead={describeRole({ person, connections })}>
      <Form onSubmit={submit} busy={isPending} className="grid max-w-xl gap-4 sm:grid-cols-2">
        <TextField label="Name" name="name" autoComplete="name" maxLength={100} {...text('name')} />
        <TextField
          label="E-mail"
          name="email"
          type="email"
          autoComplete="username"
          autoCapitalize="none"
          maxLength={254}
          {...text('email')}
          hint="You sign in with this address. Docket sends no mail."
        />
        <div className="empty:hidden sm:col-span-2">
          <FormFailure error={error} fields={['name', 'email']} />
        </div>
        <Button
          type="submit"
          busy={isPending}
          refused={isChanged ? null : 'Nothing to save.'}
          className="justify-self-end sm:col-span-2"
        >
          Save
        </Button>
      </Form>
    </Panel>
  )
}
