import { toLine } from '@docket/sources/text'
import type { ElementContent } from 'hast'
import { h } from 'hastscript'
import { asList, asText, isData } from '#site/data.ts'
import { createCodeBlock, formatExample, findLanguage, type MediaBody } from '#openapi/page/bodies.ts'
import type { ApiOperation } from '#openapi/reading/api-document.ts'
import { formatCurl, formatJavaScript, formatPython, formatGo, formatJava, formatPhp } from './languages.ts'
import { buildRequest, type Call, type SampleRequest } from './request.ts'

const languages: readonly { title: string; language: string; format: (request: SampleRequest) => string | null }[] = [
  { title: 'cURL', language: 'bash', format: formatCurl },
  { title: 'JavaScript', language: 'js', format: formatJavaScript },
  { title: 'Python', language: 'python', format: formatPython },
  { title: 'Go', language: 'go', format: formatGo },
  { title: 'Java', language: 'java', format: formatJava },
  { title: 'PHP', language: 'php', format: formatPhp },
]

const maxSamples = 20
/** Maximum length of a sample. Characters. */
const maxSource = 20_000

export const renderRequestSamples = (operation: ApiOperation, call: Call): ElementContent[] => {
  const own = readOwnSamples(operation)
  const known = new Set(own.map(({ language }) => language))
  const request = buildRequest(operation, call)
  const made = languages
    .filter(({ language }) => !known.has(language))
    .flatMap(({ title, language, format }) => {
      const code = format(request)
      return code === null ? [] : [{ title, language, code }]
    })
  return renderSampleTabs(
    [...own, ...made].map(({ title, language, code }) => createCodeBlock(code, language, title)),
    'request-language',
  )
}

export const renderResponseSamples = (
  responses: readonly { status: string; bodies: readonly MediaBody[] }[],
): ElementContent[] =>
  renderSampleTabs(
    responses
      .flatMap(({ status, bodies }) =>
        bodies.flatMap(({ mediaType, examples }) =>
          examples.map(({ title, value }) => {
            const name = [status, ...(bodies.length > 1 ? [mediaType] : []), ...(title === null ? [] : [title])]
            return createCodeBlock(formatExample(value), findLanguage(mediaType, value), name.join(' · '))
          }),
        ),
      )
      .slice(0, maxSamples),
    'off',
  )

const readOwnSamples = ({ data }: ApiOperation) =>
  [...asList(data['x-codeSamples']), ...asList(data['x-code-samples'])]
    .filter(isData)
    .slice(0, maxSamples)
    .flatMap((sample) => {
      const code = asText(sample['source'])?.slice(0, maxSource).toWellFormed()
      const name = toLine(sample['lang'], 40) ?? 'Example'
      return code === undefined
        ? []
        : [{ title: toLine(sample['label'], 60) ?? name, language: findLanguageName(name), code }]
    })

const names: Readonly<Record<string, string>> = {
  curl: 'bash',
  shell: 'bash',
  sh: 'bash',
  javascript: 'js',
  node: 'js',
  nodejs: 'js',
  'node.js': 'js',
  typescript: 'ts',
  'c#': 'csharp',
  'c++': 'cpp',
  py: 'python',
  golang: 'go',
}

const findLanguageName = (lang: string) => {
  const name = lang.toLowerCase().split(' ')[0]!
  return Object.hasOwn(names, name) ? names[name]! : name.replace(/[^\w#+.-]/g, '')
}

const renderSampleTabs = (blocks: readonly ElementContent[], sync: string): ElementContent[] =>
  blocks.length > 1 ? [h('div', { className: ['tabs', 'samples'], dataSync: sync }, [...blocks])] : [...blocks]
