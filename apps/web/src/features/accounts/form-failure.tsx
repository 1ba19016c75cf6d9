import { ApiError } from '#lib/api-error.ts'
import { Notice } from '#ui/notice.tsx'
import { errorBeside } from './field-errors.ts'

type FormFailureProps = {
  error: unknown
  /** What `useWait` says: how long is left to wait; null when nothing is. */
  wait?: string | null
  /** Fields that tell their own failures. */
  fields?: readonly string[]
}

/** Why a form was refused. A time to wait counts down for the eye, and is said aloud once. */
export const FormFailure = ({ error, wait = null, fields = [] }: FormFailureProps) => {
  const text = errorBeside(error, fields)
  const isWait = error instanceof ApiError && error.code === 'too_many_requests'
  if (text === null || (isWait && wait === null)) return null
  return (
    <Notice tone="failed" role="alert">
      {isWait ? (
        <>
          <span className="sr-only">{text}</span>
          <span aria-hidden="true">{wait}</span>
        </>
      ) : (
        text
      )}
    </Notice>
  )
}
