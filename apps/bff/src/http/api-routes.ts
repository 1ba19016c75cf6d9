import { ApiErrorBody } from '@docket/api-types/api-error'
import { OpenAPIHono, type z } from '@hono/zod-openapi'
import type { AppEnv } from '#http/app-env.ts'
import { AppError } from '#errors/app-error.ts'

/**
 * A router for one slice. Declare its routes with `createRoute`, so that they are in `/api/openapi.json`.
 * A request that does not fit its schema fails with `invalid_request` and the path of the first field at fault.
 */
export const apiRoutes = () =>
  new OpenAPIHono<AppEnv>({
    defaultHook: (result) => {
      if (result.success) return
      const issue = result.error.issues[0]
      const field = issue?.path.map(String).join('.') ?? ''
      const message = issue === undefined ? 'The request could not be understood.' : issue.message
      throw new AppError(
        'invalid_request',
        field === '' ? message : `${field}: ${message}`,
        field === '' ? {} : { field },
      )
    },
  })

/** A JSON request body of a `createRoute`; it must be there. */
export const jsonBody = <S extends z.ZodType>(schema: S) => ({
  body: { required: true as const, content: { 'application/json': { schema } } },
})

const failure = {
  default: { description: 'Any failure.', content: { 'application/json': { schema: ApiErrorBody } } },
}

/** The `responses` of a `createRoute`: one good answer, and `ApiErrorBody` for everything else. */
export const answers = <S extends z.ZodType, const Status extends 200 | 201 | 202 = 200>(
  schema: S,
  description: string,
  status: Status = 200 as Status,
) =>
  ({
    [status]: { description, content: { 'application/json': { schema } } },
    ...failure,
  }) as Record<Status, { description: string; content: { 'application/json': { schema: S } } }> & typeof failure

/** As `answers`, for a list or record served through `polledAnswers`: 304 when the reader has it already. */
export const conditionalAnswers = <S extends z.ZodType>(schema: S, description: string) => ({
  ...answers(schema, description),
  304: { description: 'Unchanged since the `ETag` the reader sent.' },
})

/** The `responses` of a `createRoute` that answers 204 without a body. */
export const answersNothing = (description: string) => ({ 204: { description }, ...failure })
