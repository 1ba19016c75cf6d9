import { readdir } from 'node:fs/promises'
import { packFiles } from '@docket/site-bundle/testing/analyse-files'
import { temporaryFolder } from '@docket/site-bundle/testing/temporary-folder'
import { expect, test } from 'vitest'
import { makeUploadPortable } from './make-upload-portable.ts'

const never = new AbortController().signal
const page = (body: string) => `<!doctype html><html lang="en"><title>Page</title><h1>Page</h1>${body}</html>`

const make = async (
  files: Readonly<Record<string, string>>,
  { signal = never, ...limits }: { signal?: AbortSignal; memoryMb?: number; timeLimitMs?: number } = {},
) => {
  const [file, folder] = [await packFiles(files), await temporaryFolder()]
  const ignore = { onProgress: () => {}, onFailure: () => {} }
  try {
    return await makeUploadPortable({ file, folder, domain: 'docs.example.com' }, ignore, signal, limits)
  } finally {
    // Nothing is left but the result.
    expect((await readdir(folder)).filter((name) => name !== 'portable.tar.gz')).toEqual([])
  }
}

test('an archive that takes too much memory or time is refused with what to do instead, and an abort ends the process', async () => {
  // Small on disk; its tree is not.
  const large = { 'index.html': page('<p><b>x '.repeat(60_000) + '<i>'.repeat(200)) }
  const many = Object.fromEntries(
    Array.from({ length: 300 }, (_, at) => [`p${at}.html`, page('<p>Word</p>'.repeat(900))]),
  )
  expect(await make({ ...many, ...large }, { memoryMb: 24 })).toEqual({
    outcome: 'refused',
    reason: 'refused',
    sentence: expect.stringMatching(/^Making the site portable needed more than 24 MB of memory\. Upload it as it is/),
  })
  expect(await make(many, { timeLimitMs: 1 })).toMatchObject({ sentence: expect.stringContaining('longer than 1 s') })
  await expect(make(many, { signal: AbortSignal.timeout(5) })).rejects.toThrow()
})

test('pages that nest without end are kept as they are, and the rest of the site is made portable', async () => {
  const files = { 'index.html': page('<a href="/deep.html">Deep</a>'), 'deep.html': page('<div>'.repeat(100_000)) }
  expect(await make(files)).toMatchObject({ outcome: 'made' })
})
