import { ApiError, findErrorBeside } from '#lib/api/api-error.ts'
import { Notice } from '#ui/messages/notice.tsx'

type FormFailureProps = {
  /** A failure, or a message. */
  error: unknown
  title?: string | undefined
  /** Remaining wait from `useWait`; null once it is over. */
  wait?: string | null
  fields?: readonly string[]
}

/** Shows why a form was refused. A wait counts down on screen; screen readers hear it once. */
export const FormFailure = ({ error, title, wait, fields = [] }: FormFailureProps) => {
  const text = typeof error === 'string' ? error : findErrorBeside(error, fields)
  const isWait = error instanceof ApiError && error.code === 'too_many_requests'
  if (!text || (isWait && wait === null)) return null
  return (
    <Notice tone="failed" role="alert" title={title}>
      {isWait && wait ? (
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
