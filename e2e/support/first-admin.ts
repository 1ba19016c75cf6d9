const link = /Open (\S+)\/setup#(\S+) to create the first account/

/** The part of the setup link that makes it work; null when none was printed. */
export const readSetupToken = (output: string): string | null => link.exec(output)?.[2] ?? null

/**
 * Creates the first admin of a fresh Docket with the link it printed, as a browser at `url` does; answers with the
 * session's cookie as `name=value`.
 */
export const createFirstAdmin = async (url: string, output: string): Promise<string> => {
  const token = readSetupToken(output)
  if (token === null) throw new Error(`Docket printed no link for the first account:\n${output}`)
  const response = await fetch(`${url}/api/setup`, {
    method: 'POST',
    headers: { origin: url, 'sec-fetch-site': 'same-origin', 'x-docket': '1', 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  })
  const cookie = response.headers.getSetCookie()[0]?.split(';', 1)[0]
  if (response.status !== 204 || cookie === undefined)
    throw new Error(`The first account could not be created: ${response.status} ${await response.text()}`)
  return cookie
}
