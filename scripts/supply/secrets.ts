import { lintSource } from '@secretlint/core'
import { creator as preset } from '@secretlint/secretlint-rule-preset-recommend'
import { secretByName, secretsByShape } from './secret-rules.ts'
import { trackedFiles, type TrackedFile } from '#scripts/tracked-files.ts'

/** Text that looks like a secret and is none. `in` is the only file where it may stand; anywhere without it. */
type FakeSecret = { text: string; in?: string; because: string }

/** Fakes that the secret scan accepts. An unneeded entry is a fault, so the list stays short. */
const fakeSecrets: readonly FakeSecret[] = [
  { text: ':hunter2@', because: 'The password of no account. Tests look for it in logs and errors.' },
  { text: 'adm_canary-', because: 'Not the key of any service. Tests look for it in everything that leaves Docket.' },
  { text: '0123456789', because: 'Counting up is not random: keys of tests are written this way.' },
  {
    text: '://u:',
    in: 'apps/bff/src/ground/db/address.test.ts',
    because: 'Addresses of no database, with passwords that are hard to read.',
  },
  {
    text: '://user:pw@github.com',
    in: 'apps/bff/src/service/admin-api/testing/hostile-links.ts',
    because: 'A link with a password, which must not be shown.',
  },
  {
    text: 'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgq0UH',
    in: 'packages/code-hosts/src/testing/certificate.ts',
    because: 'The key of a self-signed certificate for localhost, which only tests trust.',
  },
  {
    text: 'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgyRk4',
    in: 'packages/outbound/src/testing/connect-proxy.ts',
    because: 'The key of a self-signed certificate of a proxy, which only tests trust.',
  },
  {
    text: '966c070540f0f9290cd0e71144a307d673ef084e8a482a41caf42d2d1d38a1f4',
    in: 'apps/bff/src/people/accounts/testing/earlier-person.ts',
    because: 'The hash of a session in a database of tests.',
  },
  {
    text: 'GREWG4LTKBDEG427PJBHMS3SKNEW6S3MK5XVMVJZGBNGYQS7INEA',
    in: 'apps/bff/src/people/accounts/testing/earlier-person.ts',
    because: 'The authenticator app of a person who exists in tests only.',
  },
  {
    text: '5TS_QLFOVZqGvAZzIiF',
    in: 'apps/bff/src/ground/db/testing/dumps/c8321b1.sql.gz',
    because: 'The token of a session in a database of tests.',
  },
]

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
