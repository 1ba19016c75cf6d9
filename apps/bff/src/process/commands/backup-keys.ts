import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { EncryptTo, OpenWith } from '#process/backup/encryption.ts'
import { BackupRefused } from '#process/backup/manifest.ts'

const readKeyFile = async (from: string, file: string): Promise<string> => {
  const path = resolve(from, file)
  const content = await readFile(path, 'utf8').catch(() => '')
  if (content.trim() === '') throw new BackupRefused(`${path} cannot be read, or is empty. Nothing was changed.`)
  return content
}

const readPassphrase = async (from: string, file: string): Promise<{ passphrase: string }> => ({
  passphrase: (await readKeyFile(from, file)).replace(/\r?\n$/, ''),
})

const readLines = async (from: string, file: string): Promise<string[]> =>
  (await readKeyFile(from, file))
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))

const throwOnlyOne = (): never => {
  throw new BackupRefused('A passphrase and keys exclude each other. Name one of them.')
}

/** Reads from the arguments whom a backup is encrypted to; null without any. Paths are relative to `from`. */
export const readEncryptTo = async (
  values: { 'passphrase-file'?: string; recipient?: string[]; 'recipients-file'?: string },
  from: string,
): Promise<EncryptTo | null> => {
  const { 'passphrase-file': passphraseFile, recipient = [], 'recipients-file': recipientsFile } = values
  const recipients = [...recipient, ...(recipientsFile === undefined ? [] : await readLines(from, recipientsFile))]
  if (passphraseFile === undefined) return recipients.length === 0 ? null : { recipients }
  return recipients.length > 0 ? throwOnlyOne() : readPassphrase(from, passphraseFile)
}

/** Reads from the arguments what opens an encrypted backup; null without any. Paths are relative to `from`. */
export const readOpenWith = async (
  values: { 'passphrase-file'?: string; 'identity-file'?: string },
  from: string,
): Promise<OpenWith | null> => {
  const { 'passphrase-file': passphraseFile, 'identity-file': identityFile } = values
  if (identityFile === undefined) return passphraseFile === undefined ? null : readPassphrase(from, passphraseFile)
  return passphraseFile === undefined ? { identities: await readLines(from, identityFile) } : throwOnlyOne()
}
