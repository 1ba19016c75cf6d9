import type { SampleRequest } from './request.ts'

/** Writes a request as a curl command, quoted for a shell. */
export const formatCurl = ({ method, isOpen, url, user, headers, body }: SampleRequest): string => {
  const lines = [
    `curl${method === 'GET' ? '' : method === 'HEAD' ? ' --head' : ` --request ${method}`} ${isOpen ? '"$BASE_URL"' : ''}${quoted(url)}`,
    ...(/[{}[\]]/.test(url) ? ['--globoff'] : []),
    ...(user === null ? [] : [`--user ${quoted(user)}`]),
    ...headers.map(([name, value]) => `--header ${quoted(`${name}: ${value}`)}`),
    ...bodyLines(body),
  ]
  return lines.join(' \\\n  ')
}

const bodyLines = (body: SampleRequest['body']): string[] => {
  if (body === null) return []
  const header = `--header ${quoted(`Content-Type: ${body.mediaType}`)}`
  switch (body.kind) {
    case 'json':
      return [header, `--data ${quoted(JSON.stringify(body.value, null, 2))}`]
    case 'form':
      return body.fields.map(([name, value]) => `--data-urlencode ${quoted(`${name}=${value}`)}`)
    case 'multipart':
      return body.fields.map(([name, value]) => `--form ${quoted(`${name}=${value}`)}`)
    case 'text':
      return [header, `--data ${quoted(body.text)}`]
    case 'file':
      return [header, `--data-binary '@file'`]
  }
}

/** Quotes one shell word. */
const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`).replaceAll('\0', '')}'`
