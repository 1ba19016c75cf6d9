import { isRaw, quoted } from './quoting.ts'
import type { SampleRequest } from './request.ts'

/** Writes a request with `net/http`. */
export const formatGo = ({ method, isOpen, url, user, headers, body }: SampleRequest): string => {
  const { reader, packages, type, before } = readBody(body)
  const [name, ...password] = user?.split(':') ?? []
  const lines = [
    ...before,
    `request, err := http.NewRequest(${quoted(method)}, ${isOpen ? 'baseURL+' : ''}${quoted(url)}, ${reader})`,
    ...check,
    ...(name === undefined ? [] : [`request.SetBasicAuth(${quoted(name)}, ${quoted(password.join(':'))})`]),
    ...headers.map(([header, value]) => `request.Header.Set(${quoted(header)}, ${quoted(value)})`),
    ...(type === null ? [] : [`request.Header.Set("Content-Type", ${type})`]),
    'response, err := http.DefaultClient.Do(request)',
    ...check,
    'defer response.Body.Close()',
    'text, err := io.ReadAll(response.Body)',
    ...check,
    'fmt.Println(response.Status, string(text))',
  ]
  const imports = ['fmt', 'io', 'net/http', ...packages].toSorted().map((one) => `\t"${one}"`)
  return [
    'package main',
    '',
    'import (',
    ...imports,
    ')',
    '',
    'func main() {',
    ...lines.map((line) => `\t${line}`),
    '}',
  ].join('\n')
}

const check = ['if err != nil {', '\tpanic(err)', '}']

type Body = { reader: string; packages: readonly string[]; type: string | null; before: readonly string[] }

const readBody = (body: SampleRequest['body']): Body => {
  const type = body === null ? null : quoted(body.mediaType)
  switch (body?.kind) {
    case undefined:
      return { reader: 'nil', packages: [], type, before: [] }
    case 'json':
      return { reader: textReader(JSON.stringify(body.value, null, 2)), packages: ['strings'], type, before: [] }
    case 'text':
      return { reader: textReader(body.text), packages: ['strings'], type, before: [] }
    case 'form': {
      const sets = body.fields.map(([name, value]) => `form.Set(${quoted(name)}, ${quoted(value)})`)
      const packages = ['net/url', 'strings']
      return { reader: 'strings.NewReader(form.Encode())', packages, type, before: ['form := url.Values{}', ...sets] }
    }
    case 'multipart': {
      const writes = body.fields.map(([name, value]) => `form.WriteField(${quoted(name)}, ${quoted(value)})`)
      const before = ['body := &bytes.Buffer{}', 'form := multipart.NewWriter(body)', ...writes, 'form.Close()']
      return { reader: 'body', packages: ['bytes', 'mime/multipart'], type: 'form.FormDataContentType()', before }
    }
    case 'file':
      return { reader: 'file', packages: ['os'], type, before: ['file, err := os.Open("file")', ...check] }
  }
}

const textReader = (text: string) => `strings.NewReader(${isRaw(text, '`') ? `\`${text}\`` : quoted(text)})`
