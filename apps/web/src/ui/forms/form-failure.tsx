import { ApiError, findErrorBeside } from '#lib/api/api-error.ts'
import { Notice } from '#ui/messages/notice.tsx'

type FormFailureProps = {
  error: unknown
  /** Remaining wait from `useWait`, or null. */
  wait?: string | null
  fields?: readonly string[]
}

/** Shows why a form was refused. A wait counts down on screen; screen readers hear it once. */
export const FormFailure = ({ error, wait = null, fields = [] }: FormFailureProps) => {
  const text = findErrorBeside(error, fields)
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
