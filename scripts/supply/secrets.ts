import { lintSource } from '@secretlint/core'
import { creator as preset } from '@secretlint/secretlint-rule-preset-recommend'
import { fakeSecrets } from './fake-secrets.ts'
import { secretByName, secretsByShape } from './secret-rules.ts'
import { trackedFiles, type TrackedFile } from '#scripts/tracked-files.ts'

const config = { rules: [{ id: 'preset', rule: preset }] }

/**
 * Rules of the preset that are about passwords in addresses: `secretsByShape` finds more of them, and knows names of
 * examples.
 */
const replaced = /-rule-(basicauth|database-connection-string)$/

type Found = { path: string; line: number; rule: string; text: string }

const lineAt = (text: string, index: number) => text.slice(0, index).split('\n').length

const foundIn = async ({ path, text }: TrackedFile): Promise<Found[]> => {
  const { messages } = await lintSource({
    // A comment must not silence the scan: there is one list of exceptions.
    source: { filePath: path, content: text.replaceAll('secretlint-', 'secretlint_'), contentType: 'text', ext: '' },
    options: { config },
  })
  const byService = messages
    .filter(({ ruleId }) => !replaced.test(ruleId))
    .map(({ ruleId, range: [from, to] }) => ({
      rule: ruleId.replace(/^.*-rule-/, ''),
      from,
      to,
    }))
  const byName = secretByName(path)
  return [
    ...(byName === null ? [] : [{ path, line: 1, rule: byName, text: path }]),
    ...[...byService, ...secretsByShape(text)].map(({ rule, from, to }) => ({
      path,
      line: lineAt(text, from),
      rule,
      text: text.slice(from, to),
    })),
  ]
}

/**
 * Faults of the files under `root` that git tracks or would: whatever looks like a secret and is not in the list of
 * fakes, and fakes that nothing needs. A fault names file, line and rule, and never the secret, because it is printed
 * where many can read it.
 */
export const secretFaults = async (root: string, fakes = fakeSecrets): Promise<string[]> => {
  const found = (await Promise.all(trackedFiles(root).map(foundIn))).flat()
  const needed = new Set<string>()
  const real = found.filter(({ path, text }) => {
    const fake = fakes.find((one) => text.includes(one.text) && (one.in ?? path) === path)
    if (fake !== undefined) needed.add(fake.text)
    return fake === undefined
  })
  return [
    ...new Set(real.map(({ path, line, rule }) => `${path}:${line} looks like a secret (${rule})`)),
    ...fakes.filter(({ text }) => !needed.has(text)).map(({ because }) => `a fake nothing needs any more: ${because}`),
  ]
}
