import { indented, isRaw, quoted } from './quoting.ts'
import type { SampleRequest } from './request.ts'

/** Writes a request with `java.net.http`. Null for multipart forms, which it has no words for. */
export const formatJava = ({ method, isOpen, url, user, headers, body }: SampleRequest): string | null => {
  if (body?.kind === 'multipart') return null
  const type = body === null ? [] : [['Content-Type', body.mediaType] as const]
  const calls = [
    ...(user === null
      ? []
      : [`.header("Authorization", "Basic " + Base64.getEncoder().encodeToString(${quoted(user)}.getBytes()))`]),
    ...[...headers, ...type].map(([name, value]) => `.header(${quoted(name)}, ${quoted(value)})`),
    `.method(${quoted(method)}, HttpRequest.BodyPublishers.${publisher(body)})`,
    '.build();',
  ]
  return [
    'import java.net.URI;',
    'import java.net.http.*;',
    ...(body?.kind === 'file' ? ['import java.nio.file.Path;'] : []),
    ...(user === null ? [] : ['import java.util.Base64;']),
    '',
    `var request = HttpRequest.newBuilder(URI.create(${isOpen ? 'BASE_URL + ' : ''}${quoted(url)}))`,
    ...calls.map((call) => `    ${call}`),
    'var response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());',
    'System.out.println(response.statusCode() + " " + response.body());',
  ].join('\n')
}

const publisher = (body: SampleRequest['body']): string => {
  switch (body?.kind) {
    case undefined:
    case 'multipart':
      return 'noBody()'
    case 'json':
      return `ofString(${textBlock(JSON.stringify(body.value, null, 2))})`
    case 'form':
      return `ofString(${quoted(new URLSearchParams(body.fields.map(([name, value]): [string, string] => [name, value])).toString())})`
    case 'text':
      return `ofString(${textBlock(body.text)})`
    case 'file':
      return 'ofFile(Path.of("file"))'
  }
}

/** Java strips indentation and trailing blanks of text blocks. */
const textBlock = (text: string) =>
  text.includes('\n') && isRaw(text, '"""') && !/[ \t]$/m.test(text)
    ? `"""\n        ${indented(text, '        ')}"""`
    : quoted(text)
