import { CreatedApiToken, type CreateApiToken } from '@docket/api-types/tokens'
import type { TestApp } from '#testing/test-app.ts'

/**
 * Makes an API token as the admin who sends the requests of `app`. `bearer` has the headers with which a program sends
 * it, without a cookie.
 */
export const makeToken = async (app: TestApp, request: Partial<CreateApiToken> = {}) => {
  const body = { name: 'CI', scope: 'operate', expiresInDays: null, ...request }
  const response = await app.post('/api/tokens', body)
  if (response.status !== 201) throw new Error(`No token: ${await response.text()}`)
  const { token, apiToken } = CreatedApiToken.parse(await response.json())
  return { token, apiToken, bearer: bearerHeaders(token) }
}

/** Headers of a program: its token, without any browser headers. */
export const bearerHeaders = (token: string) => ({
  authorization: `Bearer ${token}`,
  cookie: undefined,
  origin: undefined,
  'sec-fetch-site': undefined,
  'x-docket': undefined,
})
