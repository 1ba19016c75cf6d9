import type { Docket } from '#e2e/support/docket-server.ts'

type Call = { method?: string; body?: object; cookie?: string }

/** Calls Docket's own API as its first admin does in a browser, or with another cookie. Throws when it refuses. */
export const callApi = async (
  docket: Docket,
  path: string,
  { body, method = body === undefined ? 'GET' : 'POST', cookie }: Call = {},
): Promise<Response> => {
  const response = await docket.client(cookie ?? (await docket.adminCookie())).send(method, path, body)
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`)
  return response
}
