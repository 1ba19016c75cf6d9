/** Text that looks like a secret and is none. `in` is the only file where it may stand; anywhere without it. */
type FakeSecret = { text: string; in?: string; because: string }

/** Fakes that the secret scan accepts. An unneeded entry is a fault, so the list stays short. */
export const fakeSecrets: readonly FakeSecret[] = [
  { text: ':hunter2@', because: 'The password of no account. Tests look for it in logs and errors.' },
  { text: 'adm_canary-', because: 'Not the key of any service. Tests look for it in everything that leaves Docket.' },
  { text: '0123456789', because: 'Counting up is not random: keys of tests are written this way.' },
  { text: '://user:password@host', because: 'How an address of a database looks, in a sentence that explains it.' },
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
