import { Eye, EyeOff } from 'lucide-react'
import { useState, type ComponentProps, type ReactNode, useSyncExternalStore } from 'react'
import { IconButton } from '#ui/buttons/button.tsx'
import { TextField } from '#ui/forms/form.tsx'
import { useMutation } from '@tanstack/react-query'
import { ApiError } from '#lib/api/api-error.ts'
import { formatDuration } from '#lib/text/format.ts'
import { onTick } from '#lib/time/clock.ts'

/** In UTF-16 units, as the server counts. The server also refuses commonly known passwords. */
const minLength = 15

const describeRules = (password: string): ReactNode => {
  const { length } = password
  if (length === 0) return `At least ${minLength} characters. A few unrelated words are easy to remember.`
  if (length < minLength) return `${minLength - length} more ${minLength - length === 1 ? 'character' : 'characters'}.`
  return 'Long enough.'
}

type PasswordFieldProps = ComponentProps<typeof TextField> & { value: string; kind: 'current' | 'new' }

export const PasswordField = ({ kind, ...field }: PasswordFieldProps) => {
  const { label, value, error } = field
  const [visible, setVisible] = useState(false)
  return (
    <TextField
      name="password"
      {...field}
      type={visible ? 'text' : 'password'}
      autoComplete={kind === 'new' ? 'new-password' : 'current-password'}
      autoCapitalize="none"
      maxLength={1000}
      hint={kind === 'new' && (!error || value.length < minLength) && describeRules(value)}
      end={
        <IconButton
          icon={visible ? EyeOff : Eye}
          aria-pressed={visible}
          label={`Show ${label.toLowerCase()}`}
          title={visible ? 'Hide' : 'Show'}
          onClick={() => setVisible(!visible)}
        />
      }
    />
  )
}

const useSecondsUntil = (untilMs: number): number =>
  useSyncExternalStore(onTick, () => Math.max(0, Math.ceil((untilMs - performance.now()) / 1000)))

/**
 * Mutation that respects the wait requested by the server. `refused` is the countdown for a button, or null. `send` does nothing while it
 * is pending or has to wait.
 */
export const useGuardedMutation = <In = void, Out = unknown>(write: (input: In) => Promise<Out>) => {
  const [untilMs, setUntilMs] = useState(0)
  const left = useSecondsUntil(untilMs)
  const refused = left > 0 ? `Too many attempts. Wait ${formatDuration(left * 1000)}, then try again.` : null
  const { mutate, error, isPending, reset } = useMutation({
    mutationFn: write,
    onError: (failure) => {
      if (failure instanceof ApiError && failure.code === 'too_many_requests')
        setUntilMs(performance.now() + (failure.retryAfterMs ?? 10_000))
    },
  })
  const send = (...input: Parameters<typeof mutate>): void => {
    if (!isPending && refused === null) mutate(...input)
  }
  return { send, error, isPending, reset, refused }
}
