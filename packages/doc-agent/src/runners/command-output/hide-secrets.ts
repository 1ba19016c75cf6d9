import { createReadStream } from 'node:fs'
import { lstat } from 'node:fs/promises'
import { formatPath, readLinkTarget, walkFiles } from '#files/walk-files.ts'

/** Shorter values are too common in ordinary text to be hidden. */
const minLength = 6

export const listSecrets = (values: readonly string[]): string[] => {
  const lines = values.flatMap((value) => [value, ...value.split(/\r?\n/)]).map((value) => value.trim())
  const forms = lines.flatMap((line) => [line, JSON.stringify(line).slice(1, -1), encodeURIComponent(line)])
  const long = [...new Set(forms)].filter((form) => form.length >= minLength)
  // Replaces the longest first, so that a secret contained in another one leaves no part of it visible.
  return long.toSorted((a, b) => b.length - a.length)
}

/** Replaces every secret in a text by an ellipsis. Expects whole lines: a secret of several lines is hidden line by line. */
export const hideSecrets = (text: string, secrets: readonly string[]): string =>
  secrets.reduce((rest, secret) => rest.replaceAll(secret, '…'), text)

/** Variables that hold credentials, by name and length: a page may well contain the name of a model. */
const isCredential = ([name, value]: [string, string]) =>
  /KEY|TOKEN|SECRET|PASS|AUTH|CRED/i.test(name) && value.length >= 12

/** Looks in files changed since `startedAt`, their names, and the targets of symlinks, but follows no symlink. */
export const findSecret = async (
  root: string,
  variables: Readonly<Record<string, string>>,
  startedAt: number,
): Promise<string | null> => {
  const values = Object.entries(variables).filter(isCredential)
  const secrets = listSecrets(values.map(([, value]) => value))
  const needles = secrets.map((secret) => Buffer.from(secret))
  if (needles.length === 0) return null
  const isIn = (text: Buffer) => needles.some((needle) => text.includes(needle))
  for (const file of await walkFiles(root)) {
    if (file.kind === 'undecodable') continue
    const { kind, path, absolute } = file
    const name = formatPath(hideSecrets(path, secrets))
    if (isIn(Buffer.from(path)) || (kind === 'link' && isIn(await readLinkTarget(absolute)))) return name
    if (kind !== 'file') continue
    // The kernel sets this time, and no program can.
    const { ctimeMs } = await lstat(absolute)
    if (ctimeMs >= startedAt - 1000 && (await contains(absolute, needles))) return name
  }
  return null
}

const contains = async (file: string, secrets: readonly Buffer[]): Promise<boolean> => {
  const longest = Math.max(...secrets.map(({ length }) => length))
  let tail = Buffer.alloc(0)
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    const text = Buffer.concat([tail, chunk])
    if (secrets.some((secret) => text.includes(secret))) return true
    tail = text.subarray(Math.max(0, text.length - longest))
  }
  return false
}
